package casebook_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestCasebookH: repositories inside the repository, and odd layouts of one.
func TestCasebookH(t *testing.T) {
	runCases(t, []caseOf{
		{"H-02", caseNestedWithoutCommits},
		{"H-03", caseChangesInsideNested},
		{"H-04", caseRestOfTheRepository},
		{"H-09", caseStaleSubmodule},
		{"H-10", casePhantomSubmodule},
		{"H-13", caseDiscardSubmodule},
		{"H-18", caseClonedInTheTurn},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// withSource is a book whose base commit is made, with a repository of two commits
// beside it, at ../source, that submodules and clones are of.
func (b *book) withSource() *book {
	b.t.Helper()
	b.Write("a", "a\n")
	b.Write("dir/f", "f\n")
	b.Commit("base")
	b.sh(`mkdir ../source; cd ../source; git init -q -b main; echo one > s; mkdir deep; echo deep > deep/s; git add .; git commit -qm one; echo two > s; git commit -qam two
	git config --global protocol.file.allow always`)
	return b
}

// submodule adds ../source as a submodule and commits it.
func (b *book) submodule(paths ...string) *book {
	b.t.Helper()
	for _, p := range paths {
		b.Git("submodule", "--quiet", "add", filepath.Join(filepath.Dir(b.Root), "source"), p)
	}
	b.Commit("submodules")
	return b
}

// leftOut is what a turn left out, "path (reason)" each.
func (t turnOf) leftOut() string {
	var words []string
	for _, n := range t.LeftOut {
		words = append(words, fmt.Sprintf("%s (%s)", n.Path, n.Reason))
	}
	return strings.Join(words, ", ")
}

// stays holds that a plan, or a result, names the path among what stays.
func (b *book) stays(kept []noted, path, why string) {
	b.t.Helper()
	for _, k := range kept {
		if k.Path == path && strings.Contains(k.Reason, why) {
			return
		}
	}
	b.t.Errorf("%s (%s) is not among what stays: %v", path, why, kept)
}

// staged stages in an empty set and is what that call itself says: what stays is said
// there alone, where nothing of it is staged.
func (b *book) staged(scope string, args ...string) plan {
	b.t.Helper()
	b.ok("unstage")
	var p plan
	b.json(0, &p, append([]string{"stage", scope}, args...)...)
	return p
}

// caseNestedWithoutCommits: a repository without a commit is left out, and named;
// all else is captured. So is one that is broken, or of another object format.
func caseNestedWithoutCommits(b *book) {
	b.withSource()
	b.sh(`git init -q vendored; echo v > vendored/v; git init -q dir/deep/vendored
	git init -q --object-format=sha256 other; echo o > other/o; (cd other; git add o; git commit -qm o)
	git clone -q ../source with; echo dirty > with/s
	git init -q unborn; git -C unborn symbolic-ref HEAD refs/heads/none
	git clone -q ../source cut; rm -r cut/.git/objects cut/.git/refs/heads`)
	b.Write("a", "dirty\n")
	before := b.world()
	b.turn("T", func() {
		b.Write("a", "agent\n")
		b.Write("with/new", "agent\n")
		b.Write("vendored/w", "agent\n")
		b.Write("cut/s", "agent\n")
	})
	turn := b.show("T", "1")
	if turn.Status != "ready" || turn.names() != "a modified, cut/s modified" { // cut has a .git, and is no repository
		b.t.Errorf("the turn: %s %s", turn.Status, turn.names())
	}
	for _, path := range []string{"dir/deep/vendored", "other", "unborn", "vendored", "with"} {
		b.stays(turn.LeftOut, path, "nested repository")
	}
	if held := strings.Join(b.holds(turn.Ref), " "); strings.Contains(held, "vendored") || strings.Contains(held, "with") || strings.Contains(held, "other") {
		b.t.Errorf("captured: %s", held)
	}
	if r := b.rollback("latest"); r.paths() != "restored a, restored cut/s" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.restored(before, "with/new", "vendored/w")
	b.reads("with/new", "agent\n")
	for _, path := range []string{"vendored", "with", "with/new"} { // named, it is refused by name
		if s := b.exits(2, "stage", "latest", "--", path); !strings.Contains(s.stderr, "nested repository") {
			b.t.Errorf("%s: %s", path, s.stderr)
		}
	}
}

// caseChangesInsideNested: what lies in a submodule or a nested repository is said
// to be not covered, wherever the change is shown, and no rollback touches it.
func caseChangesInsideNested(b *book) {
	b.withSource().submodule("dir/sub")
	b.sh("git clone -q ../source nested")
	b.turn("T", func() {
		b.Write("dir/sub/s", "agent\n")
		b.Write("dir/sub/new", "agent\n")
		b.Write("nested/s", "agent\n")
		b.Write("a", "agent\n")
	})
	after := b.world()
	for _, scope := range []string{"latest", "working"} {
		var diff struct {
			Files   []struct{ Path string }
			LeftOut []noted `json:"left_out"`
		}
		b.json(0, &diff, "diff", scope)
		b.stays(diff.LeftOut, "dir/sub", "not captured")
		b.stays(diff.LeftOut, "nested", "nested repository")
		if s := b.exits(0, "diff", scope); !strings.Contains(s.stderr, "dir/sub (submodule") || !strings.Contains(s.stderr, "nested (nested repository") {
			b.t.Errorf("diff %s says %q", scope, s.stderr)
		}
	}
	s := b.review(120, 30)
	s.wait("nested left out", "dir/sub left out")
	s.press("1", "submodule changed inside, not captured")
	s.quit()
	if r := b.rollback("latest"); r.paths() != "restored a" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.same(after, "a")
	// New files alone are a change inside too, and so is what a submodule of the
	// submodule holds.
	b.sh("cd dir/sub; git commit -qam agent; git submodule --quiet add " + filepath.Join(filepath.Dir(b.Root), "source") + " inner; git add -A; git commit -qm inner; cd ../..; git add dir/sub; git commit -qm moved")
	for _, path := range []string{"dir/sub/only-new", "dir/sub/inner/s"} {
		b.Write(path, "user\n")
		s := b.review(120, 30)
		s.press("1", "submodule changed inside, not captured")
		s.quit()
		b.sh("cd dir/sub; rm -f only-new; git -C inner checkout -q -f HEAD")
	}
}

// caseRestOfTheRepository: a submodule turns nothing off but itself.
func caseRestOfTheRepository(b *book) {
	b.withSource().submodule("sub", "dir/sub")
	before := b.world()
	b.turn("T", func() {
		b.Write("a", "agent\n")
		b.Write("dir/f", "agent\n")
		b.Write("dir/new", "agent\n")
		b.Remove(".gitmodules")
	})
	if r := b.rollback("latest"); r.paths() != "restored a, restored dir/f, created .gitmodules, deleted dir/new" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.same(before, "a", "dir/f", "dir/new", ".gitmodules")
	b.restored(before)
	b.undo()
	b.ok("redo")
	b.restored(before)
	// From inside the submodule it is the submodule's own repository.
	inner := bookOf(b.t, b.At(b.Path("sub")))
	inner.turn("T", func() { inner.Write("s", "agent\n") })
	if got := inner.show("T", "1").names(); got != "s modified" {
		b.t.Errorf("in the submodule: %s", got)
	}
	if r := inner.rollback("latest"); r.paths() != "restored s" {
		b.t.Errorf("in the submodule: %s", r.paths())
	}
	b.restored(before)
}

// caseStaleSubmodule: a pointer that stands elsewhere than the index says is seen,
// and never staged.
func caseStaleSubmodule(b *book) {
	b.withSource().submodule("sub")
	b.sh("git -C sub checkout -q HEAD~1")
	old := b.Git("-C", "sub", "rev-parse", "HEAD")
	before := b.world()
	b.turn("T", func() { b.Write("a", "agent\n") })
	turn := b.show("T", "1")
	if got := b.Git("rev-parse", turn.Ref+":sub"); got != old || turn.names() != "a modified" {
		b.t.Errorf("the snapshot has sub at %s, want %s; %s", got, old, turn.names())
	}
	b.rollback("latest")
	b.undo()
	b.ok("redo")
	b.same(before, "a")
	b.restored(before)
	if got := b.Git("diff", "--cached"); got != "" {
		b.t.Errorf("staged: %s", got)
	}
	// The agent itself moves it, and stages that: the entry is the user's to judge.
	b.turn("T", func() { b.sh("git -C sub checkout -q main; git add sub; echo agent > a") })
	before = b.world()
	b.stays(b.stage("latest").Kept, "sub", "submodule")
	b.carry(0)
	b.same(before, "a")
}

// casePhantomSubmodule: a submodule that is not checked out is as the index has it.
func casePhantomSubmodule(b *book) {
	b.withSource().submodule("sub", "dir/sub")
	b.sh("git clone -q . ../clone")
	c := bookOf(b.t, b.At(filepath.Join(filepath.Dir(b.Root), "clone")))
	head := c.Git("rev-parse", "HEAD^{tree}")
	c.turn("T", func() {})
	turn := c.show("T", "1")
	if turn.Start.Tree != head || turn.End.Tree != head || turn.names() != "" {
		c.t.Errorf("trees %s and %s, HEAD has %s; %s", turn.Start.Tree, turn.End.Tree, head, turn.names())
	}
	if got := strings.TrimSpace(c.ok("diff", "working", "--name-status")); got != "" {
		c.t.Errorf("working: %s", got)
	}
	// It comes and goes by the user's hand: no files of it are added or deleted.
	c.turn("T", func() { c.sh("git submodule --quiet update --init sub") })
	c.turn("T", func() { c.sh("git submodule --quiet deinit -f sub"); c.Write("a", "agent\n") })
	for n, want := range map[string]string{"2": "", "3": "a modified"} {
		if turn := c.show("T", n); turn.names() != want || c.Git("rev-parse", turn.Ref+":sub") != c.Git("rev-parse", "HEAD:sub") {
			c.t.Errorf("turn %s: %s", n, turn.names())
		}
	}
	// A folder that is gone is a submodule that is gone: git says so too. It never
	// comes back by a rollback.
	c.turn("T", func() { c.sh("rmdir dir/sub") })
	if got := c.show("T", "4").names(); got != "dir/sub deleted" {
		c.t.Errorf("turn 4: %s", got)
	}
	c.stays(c.staged("latest").Kept, "dir/sub", "submodule")
	c.gone("dir/sub")
}
