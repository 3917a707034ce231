package queue_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/gittest"
	"overturn/gitops/refs"
	"overturn/gitops/remotes/queue"
)

// yard is a repository with a queue, and refs to put into it.
type yard struct {
	*queue.Queue
	t    *testing.T
	repo *gittest.Repo
	refs *refs.Store
	file string
	oids []string
}

const far = "key-of-a-remote"

func newYard(t *testing.T) *yard {
	repo := gittest.New(t, gittest.Plain("sha1"))
	y := &yard{t: t, repo: repo}
	tree := repo.Git("hash-object", "-t", "tree", "-w", "--stdin")
	for i := range 3 {
		y.oids = append(y.oids, repo.Git("commit-tree", "-m", fmt.Sprint(i), tree))
	}
	found, err := gitops.Find(context.Background(), repo.Root, repo.Env)
	y.must(err)
	y.refs = refs.New(found)
	y.Queue = queue.Open(found, y.refs, time.Now)
	y.file = filepath.Join(found.CommonDir, "overturn-push-queue.jsonl")
	return y
}

func (y *yard) must(err error) {
	y.t.Helper()
	if err != nil {
		y.t.Fatal(err)
	}
}

// ref makes, or moves, the n-th ref of a record.
func (y *yard) ref(n, value int) string {
	y.t.Helper()
	name, err := checkpoint.RefName(id(n))
	y.must(err)
	old, err := y.refs.Read(context.Background(), name)
	y.must(err)
	y.must(y.refs.Apply(context.Background(), []refs.Update{{Name: name, Old: old, New: y.oids[value]}}))
	return name
}

func (y *yard) lines() []string {
	y.t.Helper()
	data, err := os.ReadFile(y.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	y.must(err)
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func (y *yard) waiting(remote string) []string {
	y.t.Helper()
	d, err := y.Drain(context.Background(), remote)
	y.must(err)
	var names []string
	for _, r := range d.Refs {
		names = append(names, r.Name)
	}
	return names
}

func (y *yard) same(got, want []string, what string) {
	y.t.Helper()
	if !slices.Equal(got, want) {
		y.t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// sent settles refs as landed, with the values that they hold.
func (y *yard) sent(remote string, names ...string) {
	y.t.Helper()
	d, err := y.Drain(context.Background(), remote)
	y.must(err)
	var out []queue.Outcome
	for _, r := range d.Refs {
		if slices.Contains(names, r.Name) {
			out = append(out, queue.Outcome{Ref: r})
		}
	}
	y.must(y.Settle(context.Background(), remote, out))
}

func TestNothingIsQueuedBeforeARemoteIsInUse(t *testing.T) {
	y, ctx := newYard(t), context.Background()
	a := y.ref(1, 0)
	y.must(y.Enqueue(ctx, a))
	if _, err := os.Lstat(y.file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a queue file was made: %v", err)
	}
	y.must(y.Approve(ctx, far, "origin"))
	y.same(y.waiting(far), []string{a}, "after approval")
}

func TestEnqueueTwiceIsOnceAndDrainRemovesNothing(t *testing.T) {
	y, ctx := newYard(t), context.Background()
	y.must(y.Approve(ctx, far, "origin"))
	a, b := y.ref(1, 0), y.ref(2, 0)
	y.must(y.Enqueue(ctx, b, a))
	y.must(y.Enqueue(ctx, b))
	y.must(y.Enqueue(ctx, a, b))
	if n := len(y.lines()); n != 5 {
		t.Fatalf("%d lines", n)
	}
	_, err := y.Entries(ctx)
	y.must(err)
	if n := len(y.lines()); n != 5 {
		t.Errorf("a look at the queue left %d lines of 5", n)
	}
	y.same(y.waiting(far), []string{b, a}, "first-seen order")
	if n := len(y.lines()); n != 2 {
		t.Errorf("drained to %d lines, not 2", n)
	}
	y.same(y.waiting(far), []string{b, a}, "drained again")
	y.sent(far, a, b)
	if _, err := os.Lstat(y.file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the empty queue left its file: %v", err)
	}
	y.must(y.Enqueue(ctx, a))
	y.sent(far, a)
	y.same(y.waiting(far), nil, "queued after it was pushed, pushed again")
}

func TestWhatMovesWhileItIsPushedStays(t *testing.T) {
	y, ctx := newYard(t), context.Background()
	y.must(y.Approve(ctx, far, "origin"))
	a, b := y.ref(1, 0), y.ref(2, 0)
	y.must(y.Enqueue(ctx, a, b))
	d, err := y.Drain(ctx, far)
	y.must(err)
	y.ref(1, 1)
	c := y.ref(3, 0)
	y.must(y.Enqueue(ctx, a, c))
	y.must(y.Settle(ctx, far, []queue.Outcome{{Ref: d.Refs[0]}, {Ref: d.Refs[1]}}))
	y.same(y.waiting(far), []string{a, c}, "moved and added during the push")
}

func TestEachRemoteHasItsOwnState(t *testing.T) {
	y, ctx := newYard(t), context.Background()
	a, b := y.ref(1, 0), y.ref(2, 0)
	y.must(y.Approve(ctx, far, "origin"))
	y.sent(far, a)
	y.must(y.Approve(ctx, "second", "backup"))
	y.same(y.waiting(far), []string{b}, "the first")
	y.same(y.waiting("second"), []string{b, a}, "the second gets what the first has")
	y.sent("second", a, b)
	y.same(y.waiting("second"), nil, "the second is done")
	y.same(y.waiting(far), []string{b}, "the first is not")
	each, n, err := y.Waiting(ctx)
	if err != nil || n != 1 || len(each[far]) != 1 || len(each["second"]) != 0 {
		t.Errorf("Waiting: %v %d %v", each, n, err)
	}
	y.sent(far, b)
	y.same(y.lines(), nil, "all are done")
}

func TestWhatFailsGoesToTheBack(t *testing.T) {
	y, ctx := newYard(t), context.Background()
	y.must(y.Approve(ctx, far, "origin"))
	a, b, c := y.ref(1, 0), y.ref(2, 0), y.ref(3, 0)
	y.must(y.Enqueue(ctx, a, b, c))
	d, err := y.Drain(ctx, far)
	y.must(err)
	for range 2 {
		y.must(y.Settle(ctx, far, []queue.Outcome{{Ref: d.Refs[0], Reason: "denied by policy"}}))
	}
	y.same(y.waiting(far), []string{b, c, a}, "order")
	each, _, err := y.Waiting(ctx)
	y.must(err)
	if f := each[far][2].Failure; f.Reason != "denied by policy" || f.Tries != 2 {
		t.Errorf("failure %+v", f)
	}
	y.sent(far, a)
	y.same(y.waiting(far), []string{b, c}, "it landed after all")
}

func TestGoneRefsLeaveAndUnreadableOnesDoNot(t *testing.T) {
	y, ctx := newYard(t), context.Background()
	y.must(y.Approve(ctx, far, "origin"))
	a, b := y.ref(1, 0), y.ref(2, 0)
	y.must(y.Enqueue(ctx, a, b))
	y.must(y.refs.Apply(ctx, []refs.Update{{Name: a, Old: y.oids[0]}}))
	loose := filepath.Join(filepath.Dir(y.file), filepath.FromSlash(b))
	y.must(os.WriteFile(loose, []byte("no object id\n"), 0o644))
	if d, err := y.Drain(ctx, far); err == nil {
		t.Errorf("a ref that cannot be read was taken for an answer: %+v", d)
	}
	y.must(os.WriteFile(loose, []byte(y.oids[0]+"\n"), 0o644))
	d, err := y.Drain(ctx, far)
	y.must(err)
	y.same(d.Stale, []string{a}, "stale")
	y.same(y.waiting(far), []string{b}, "left")
}

// TestDamagedLinesLoseNothing holds that whatever a crash did to the file, every
// record that is here is pushed in the end.
func TestDamagedLinesLoseNothing(t *testing.T) {
	for name, spoil := range map[string]func(whole string) string{
		"torn last line":        func(s string) string { return s[:len(s)-20] },
		"glued lines":           func(s string) string { return strings.Replace(s, "\"}\n", "", 1) },
		"zeros as after a cut":  func(s string) string { return s[:40] + strings.Repeat("\x00", 40) + "\n" },
		"another program's":     func(s string) string { return s + "not json\n{\"ref\":7}\n" },
		"a foreign ref":         func(s string) string { return s + `{"ref":"refs/heads/main"}` + "\n" },
		"a line of 3 megabytes": func(s string) string { return strings.Repeat("x", 3<<20) + "\n" + s },
		"an overlong entry": func(s string) string {
			return strings.Replace(s, "}", `,"failed":{"k":{"reason":"`+strings.Repeat("y", 2<<20)+`"}}}`, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			y, ctx := newYard(t), context.Background()
			y.must(y.Approve(ctx, far, "origin"))
			a, b := y.ref(1, 0), y.ref(2, 0)
			y.must(y.Enqueue(ctx, a, b))
			whole, err := os.ReadFile(y.file)
			y.must(err)
			y.must(os.WriteFile(y.file, []byte(spoil(string(whole))), 0o600))
			c := y.ref(3, 0)
			y.must(y.Enqueue(ctx, c))
			got := y.waiting(far)
			slices.Sort(got)
			want := []string{a, b, c}
			slices.Sort(want)
			y.same(got, want, "waiting")
			y.sent(far, a, b, c)
			y.same(y.lines(), nil, "after the push")
		})
	}
}
