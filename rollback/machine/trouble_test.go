//go:build linux

package machine_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot/treetest"
	"overturn/model"
	"overturn/review/ledger"
	"overturn/rollback"
	"overturn/rollback/journal"
)

// trouble makes something fail and returns what makes it well again.
type trouble func() (lift func())

// scene is a work tree whose turn did every kind of thing, one staged entry included,
// and in which the user went on.
func scene(t *testing.T) *world {
	gittest.Unprivileged(t)
	w := newWorld(t, treetest.New(t, 3))
	for _, f := range []string{"edit", "gone/deep", "mode", "staged", "was file", "later"} {
		w.Write("s/"+f, strings.Repeat("line\n", 20))
	}
	w.Symlink("edit", "s/link")
	w.Write("s/conv.crlf", "a\r\n")
	w.Git("add", "-A", "s")
	w.turn(func() {
		w.Write("s/edit", "new\n")
		w.Write("s/later", "agent\n"+w.Read("s/later"))
		w.Write("s/made/here/file", "made\n")
		w.Remove("s/gone")
		w.Chmod("s/mode", 0o755)
		w.Write("s/staged", "staged\n")
		w.Git("add", "s/staged")
		w.Remove("s/was file")
		w.Write("s/was file/now a folder", "in\n")
		w.Remove("s/link")
		w.Symlink("later", "s/link")
		w.Write("s/conv.crlf", "b\r\n")
	})
	w.Write("s/later", w.Read("s/later")+"user\n")
	w.again()
	return w
}

// holds carries the whole turn out, and then its undo, while there is trouble: each
// either does all of what it is for or changes nothing, at the latest when what it left
// open is unwound without the trouble. It tells which was stopped.
func (w *world) holds(ctx context.Context, what string, t trouble) (stopped int) {
	w.t.Helper()
	w.again()
	plan, prepared := w.stage()
	before, index := w.state(), w.entries()
	done := func(what string, do func(ctx context.Context) error) bool {
		lift := t()
		err := do(ctx)
		lift()
		w.again()
		i, fault := w.engine.Interrupted(context.Background())
		w.must(fault)
		if i != nil {
			_, fault := w.engine.Recover(context.Background(), i.ID, journal.WayUnwind)
			w.must(fault)
		}
		if err != nil && model.CodeOf(err) == "" {
			w.t.Errorf("%s: an error without a code: %v", what, err)
		}
		return err == nil
	}
	written := map[model.Path]bool{}
	after := w.expected(before, prepared, written)
	if !done(what, func(ctx context.Context) error {
		_, err := w.engine.Execute(ctx, rollback.ExecuteOptions{Expect: plan.Fingerprint})
		return err
	}) {
		stopped++
		if !w.equal(w.state(), after) { // else all was done but for the last word
			w.same(what, w.state(), before, written)
			w.sameIndex(what, index)
			plan, _ = w.stage()
			_, err := w.engine.Execute(context.Background(), rollback.ExecuteOptions{Expect: plan.Fingerprint})
			w.must(err)
		}
	}
	now := w.state()
	for _, folder := range prepared.Folders { // an empty one that cannot be removed may stay
		if now[folder].folder() && !now.holds(folder) {
			delete(now, folder)
		}
	}
	w.same(what, now, after, written)
	if !done(what+", undo", func(ctx context.Context) error {
		_, err := w.engine.Undo(ctx, "", rollback.ExecuteOptions{})
		return err
	}) {
		stopped++
		if !w.equal(w.state(), before) {
			w.same(what+", undo", w.state(), after, written)
			_, err := w.engine.Undo(context.Background(), "", rollback.ExecuteOptions{})
			w.must(err)
		}
	}
	w.same(what+", undone", w.state(), before, written)
	w.sameIndex(what+", undone", index)
	return stopped
}

func (w *world) sameIndex(what string, want map[string]string) {
	w.t.Helper()
	if now := w.entries(); !maps.Equal(now, want) {
		w.t.Errorf("%s: the index is %q, and was %q", what, now, want)
	}
}

func (w *world) equal(a, b state) bool {
	return maps.EqualFunc(a, b, func(x, y thing) bool { return x.FileState == y.FileState })
}

// records takes a turn while there is trouble: what is the user's stays, and the next
// turn is recorded. It tells whether the trouble was noticed.
func (w *world) records(ctx context.Context, what string, t trouble) bool {
	w.t.Helper()
	w.again()
	before, protected := w.state(), w.Protected(w.t)
	lift := t()
	_, err := w.ledger.Start(ctx, ledger.StartEvent{Thread: "t2", Agent: "generic", Prompt: "in trouble"})
	turn, end := w.ledger.End(ctx, ledger.EndEvent{Thread: "t2", Agent: "generic"})
	lift()
	w.same(what, w.state(), before, nil)
	if d := protected.Diff(w.Protected(w.t)); d != "" {
		w.t.Errorf("%s: a capture changed %s", what, d)
	}
	w.again()
	_, fault := w.ledger.Start(context.Background(), ledger.StartEvent{Thread: "t2", Agent: "generic", Prompt: "well again"})
	w.must(fault)
	next, fault := w.ledger.End(context.Background(), ledger.EndEvent{Thread: "t2", Agent: "generic"})
	w.must(fault)
	if next.Status != model.StatusReady {
		w.t.Errorf("%s: the turn after it is %s: %s", what, next.Status, next.StatusReason)
	}
	return err != nil || end != nil || turn.Status != model.StatusReady
}

// impatient is a context that ends when it was asked for the n-th time whether it has.
type impatient struct {
	context.Context
	mu     sync.Mutex
	left   int
	cancel context.CancelFunc
}

func after(n int) *impatient {
	ctx, cancel := context.WithCancel(context.Background())
	return &impatient{Context: ctx, left: n, cancel: cancel}
}

func (c *impatient) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

func quiet() func() { return func() {} }

// TestCancelledAnywhere: whenever a rollback, an undo or a capture is cancelled, all is
// as before, or done.
func TestCancelledAnywhere(t *testing.T) {
	w := scene(t)
	stopped := 0
	for n := 0; n < 400; n += 1 + n/5 {
		stopped += w.holds(after(n), fmt.Sprintf("cancelled at look %d", n), quiet)
	}
	noticed := 0
	for n := 0; n < 200; n += 1 + n/4 {
		if w.records(after(n), fmt.Sprintf("cancelled at look %d", n), quiet) {
			noticed++
		}
	}
	if stopped < 8 || noticed < 3 {
		t.Errorf("only %d rollbacks and %d captures were cancelled: nothing is shown", stopped, noticed)
	}
}

// TestNoRights: a folder of git's, of ours or of the work tree that may not be written,
// or not even looked into.
func TestNoRights(t *testing.T) {
	w := scene(t)
	w.holds(context.Background(), "no trouble", quiet)
	stopped, noticed := 0, 0
	for _, dir := range w.folders() {
		for _, perm := range []os.FileMode{0o500, 0} {
			shut := func() func() {
				info, err := os.Lstat(dir)
				if err != nil {
					return func() {} // it came and went
				}
				w.must(os.Chmod(dir, perm))
				return func() { w.must(os.Chmod(dir, info.Mode().Perm())) }
			}
			what := fmt.Sprintf("%s with %o", strings.TrimPrefix(dir, w.Root), perm)
			stopped += w.holds(context.Background(), what, shut)
			if strings.Contains(dir, "/.git") && w.records(context.Background(), what, shut) {
				noticed++
			}
		}
	}
	if stopped < 10 || noticed < 5 {
		t.Errorf("only %d rollbacks and %d captures met trouble: nothing is shown", stopped, noticed)
	}
}

// folders are those of the work tree that the turn was in, and git's, but for one of
// each kind where there are hundreds.
func (w *world) folders() []string {
	list := []string{w.Root, w.Path("s"), w.Path("s/made"), w.Path("s/made/here"), w.Path("s/was file")}
	seen := map[string]bool{}
	w.must(filepath.WalkDir(w.Path(".git"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel := strings.TrimPrefix(name, w.Path(".git"))
		kind := rel
		for _, many := range []string{"/objects/", "/overturn/kept/", "/overturn/threads/", "/overturn/journal/", "/refs/overturn/", "/logs", "/modules"} {
			if strings.HasPrefix(rel, many) && rel != "/objects/pack" {
				kind = fmt.Sprint(many, strings.Count(rel, "/"))
			}
		}
		if !seen[kind] {
			list = append(list, name)
		}
		seen[kind] = true
		return nil
	}))
	return list
}

// TestNoMoreFiles: nothing can be opened any more than a few files beyond what is open.
func TestNoMoreFiles(t *testing.T) {
	w := scene(t)
	w.holds(context.Background(), "no trouble", quiet)
	var limit syscall.Rlimit
	w.must(syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	stopped, noticed := 0, 0
	for spare := 0; spare < 14; spare += 2 {
		few := func() func() {
			open, err := os.ReadDir("/dev/fd")
			if err != nil {
				t.Fatal(err)
			}
			w.must(syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: uint64(len(open) - 1 + spare), Max: limit.Max}))
			return func() { w.must(syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)) }
		}
		stopped += w.holds(context.Background(), fmt.Sprintf("%d files to spare", spare), few)
		if w.records(context.Background(), fmt.Sprintf("%d files to spare", spare), few) {
			noticed++
		}
	}
	if stopped < 3 || noticed < 2 {
		t.Errorf("only %d rollbacks and %d captures met trouble: nothing is shown", stopped, noticed)
	}
}
