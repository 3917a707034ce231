package snapshot_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
)

// bench is one repository with an engine over it.
type bench struct {
	*gittest.Repo
	t    testing.TB
	repo *gitops.Repo
	objs *objects.Store
	refs *refs.Store
	eng  *snapshot.Engine
	n    int
	ours map[string]bool // objects that captures brought, where not nil
}

func newBench(t testing.TB, r *gittest.Repo, o snapshot.Options) *bench {
	t.Helper()
	b := &bench{Repo: r, t: t}
	b.reopen(o)
	return b
}

func (b *bench) reopen(o snapshot.Options) {
	b.repo = b.Open()
	b.objs = objects.Open(b.repo)
	b.refs = refs.New(b.repo)
	if o.Clock == nil {
		o.Clock = func() time.Time { return time.Unix(1_800_000_000, 0) }
	}
	b.eng = snapshot.New(b.repo, b.objs, b.refs, o)
	b.t.Cleanup(func() { _ = b.objs.Close() })
}

// capture captures, commits and publishes.
func (b *bench) capture() *snapshot.Snapshot {
	b.t.Helper()
	snap, _ := b.publish()
	return snap
}

func (b *bench) publish() (*snapshot.Snapshot, string) {
	b.t.Helper()
	return b.publishIn(context.Background())
}

func (b *bench) publishIn(ctx context.Context) (*snapshot.Snapshot, string) {
	b.t.Helper()
	w := b.objs.NewWriter()
	snap, err := b.eng.Capture(ctx, w)
	if err != nil {
		b.t.Fatal(err)
	}
	commit, err := b.eng.WriteCommit(ctx, w, snap, snapshot.Trailers{Thread: "t", Turn: b.n, Boundary: "end"}, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := w.Flush(ctx); err != nil {
		b.t.Fatal(err)
	}
	ref := "refs/overturn/threads/dA/turn/" + itoa(b.n)
	b.n++
	if err := b.refs.Apply(ctx, []refs.Update{{Name: ref, New: commit}}); err != nil {
		b.t.Fatal(err)
	}
	if err := snap.Published(commit); err != nil {
		b.t.Fatal(err)
	}
	return snap, commit
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// slow is the oracle's tree.
func (b *bench) slow() *snapshot.Snapshot {
	b.t.Helper()
	w := b.objs.NewWriter()
	defer w.Discard()
	snap, err := b.eng.CaptureSlow(context.Background(), w)
	if err != nil {
		b.t.Fatal(err)
	}
	return snap
}

// agree captures both ways and holds the trees against each other.
func (b *bench) agree(what string) *snapshot.Snapshot {
	b.t.Helper()
	before := b.Protected(b.t)
	want := b.slow()
	stored := b.stored()
	got := b.capture()
	for id := range b.stored() {
		if b.ours != nil && !stored[id] {
			b.ours[id] = true
		}
	}
	if d := before.Diff(b.Protected(b.t)); d != "" {
		b.t.Fatalf("%s: the capture changed what is the user's: %s", what, d)
	}
	if got.Tree != want.Tree {
		if os.Getenv("OVERTURN_TEST_SEED") != "" {
			status, err := b.GitMayFail("status", "--porcelain") // .gitmodules may be no configuration by now
			b.t.Logf("%s\nstatus (%v):\n%s\nindex:\n%s\nleft out %v", b.Git("ls-tree", "-r", got.Tree), err, status, b.Git("ls-files", "-v", "-s"), got.LeftOut)
		}
		b.t.Fatalf("%s: captured %s, git made %s:\n%s", what, got.Tree, want.Tree, b.Git("diff-tree", "-r", "-p", "--ignore-submodules=none", "--binary", "--raw", want.Tree, got.Tree))
	}
	return got
}

// stored is the set of all objects, where somebody wants to know.
func (b *bench) stored() map[string]bool {
	if b.ours == nil {
		return nil
	}
	all := map[string]bool{}
	for _, id := range strings.Fields(b.Git("cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)")) {
		all[id] = true
	}
	return all
}

func (b *bench) files(tree string) string {
	b.t.Helper()
	return strings.ReplaceAll(b.Git("ls-tree", "-r", "--name-only", tree), "\n", " ")
}

func paths(list []model.Noted) string {
	var names []string
	for _, n := range list {
		names = append(names, string(n.Path))
	}
	return strings.Join(names, " ")
}

func TestCaptureFollowsTheWorkTree(t *testing.T) {
	r := gittest.New(t)
	r.Write("a/one", "1\n")
	r.Write("a/b/two", "2\n")
	r.Write("three", "3\n")
	r.Write(".gitignore", "*.log\nout/\n")
	r.Commit("first")
	b := newBench(t, r, snapshot.Options{})
	before := r.Protected(t)

	s := b.agree("clean")
	if head := r.Git("rev-parse", "HEAD^{tree}"); s.Tree != head || s.IndexTree != head {
		t.Fatalf("tree %s and index tree %s of a clean work tree are not HEAD's %s", s.Tree, s.IndexTree, head)
	}
	b.agree("again")

	r.Write("a/one", "1 changed\n")
	r.Write("new", "n\n")
	r.Write("deep/er/new", "n\n")
	r.Write("x.log", "ignored\n")
	r.Write("out/y", "ignored\n")
	r.Remove("a/b/two")
	s = b.agree("edits")
	if got := b.files(s.Tree); got != ".gitignore a/one deep/er/new new three" {
		t.Fatalf("captured %q", got)
	}
	inv := s.Inventory
	if u, n := paths(inv.Unstaged), paths(inv.Untracked); u != "a/b/two a/one" || n != "deep/er/new new" || len(inv.Staged) != 0 {
		t.Fatalf("unstaged %q, untracked %q, staged %v", u, n, inv.Staged)
	}
	r.Write("a/one", "2 changed\n") // the same size, at once
	s2 := b.agree("racy edit")
	if s2.Tree == s.Tree {
		t.Fatal("an edit of the same size was missed")
	}
	if d := before.Diff(r.Protected(t)); d != "" {
		t.Fatalf("captures changed what is the user's: %s", d)
	}
}
