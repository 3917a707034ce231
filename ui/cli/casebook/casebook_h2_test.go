package casebook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model/durable"
	"overturn/ui/cli/clitest"
)

// TestCasebookLayouts: work trees beside, inside and under other names.
func TestCasebookLayouts(t *testing.T) {
	runCases(t, []caseOf{
		{"H-11", caseStateOfTheWorkTree},
		{"H-12", caseWorkTreeInside},
		{"H-14", caseBareLayout},
		{"H-15", caseTwoSpellings},
		{"H-17", caseFromASubdirectory},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// caseStateOfTheWorkTree: each work tree has its own state, whichever came first.
func caseStateOfTheWorkTree(b *book) {
	b.Write("f", lines(9, "\n"))
	b.Write("d/g", "base\n")
	b.Commit("base")
	linked := bookOf(b.t, b.Worktree("linked"))
	b.turn("M", func() { b.Write("f", "of main\n"); b.Write("only-main", "x\n") })
	main := b.world()
	was := linked.world()
	linked.turn("L", func() { linked.Write("f", lines(9, "\n", "5:of linked")); linked.Write("only-linked", "x\n") })
	if got := linked.show("L", "1").names(); got != "f modified, only-linked added" {
		b.t.Errorf("turn in the linked work tree: %s", got)
	}
	if got := linked.ok("diff", "latest"); !strings.Contains(got, "+of linked") || strings.Contains(got, "main") {
		b.t.Errorf("diff: %s", got)
	}
	linked.stage("latest")
	if p := b.plan(); len(p.Targets) != 0 {
		b.t.Errorf("staged in main: %s", p.verdicts())
	}
	linked.carry(0)
	linked.restored(was)
	b.same(main)
	if got := b.ok("history"); strings.Contains(got, "linked") {
		b.t.Errorf("history of main: %s", got)
	}
	b.exits(2, "undo") // nothing was rolled back here
	// One thread in both: each is a thread of its own, and a turn of the other can
	// be seen, and not be staged.
	linked.turn("M", func() { linked.Write("d/g", "of M in linked\n") })
	if got := b.show("M", "1").names(); got != "f modified, only-main added" {
		b.t.Errorf("M in main: %s", got)
	}
	if got := linked.show("M@linked", "1").names(); got != "d/g modified" {
		b.t.Errorf("M in linked: %s", got)
	}
	b.exits(5, "stage", "1", "--thread", "L", "--", "f")
	b.same(main)
	// The work tree moves, and its state with it.
	b.Git("worktree", "move", linked.Root, filepath.Join(filepath.Dir(b.Root), "moved"))
	moved := bookOf(b.t, b.At(filepath.Join(filepath.Dir(b.Root), "moved")))
	moved.Write("d/g", "of M in linked\nuser\n")
	moved.turn("L", func() { moved.Write("d/h", "agent\n") })
	if got := moved.show("L", "2").names(); got != "d/h added" {
		b.t.Errorf("after the move: %s", got)
	}
	moved.rollback("2", "--thread", "L")
	moved.gone("d/h")
	moved.reads("d/g", "of M in linked\nuser\n")
	b.threadsLeftBehind(moved)
}

// threadsLeftBehind: the work tree of L goes, and its state with it; then this one's
// state does. Refs and records stand: what they tell is listed and shown.
func (b *book) threadsLeftBehind(of *book) {
	b.t.Helper()
	b.Git("worktree", "remove", "--force", of.Root)
	if got := b.ok("threads"); !strings.Contains(got, "L ") || !strings.Contains(got, "M@linked") {
		b.t.Errorf("threads: %s", got)
	}
	if turn := b.show("L", "2"); turn.names() != "d/h added" || turn.Status != "ready" {
		b.t.Errorf("turn 2 of L: %s %s", turn.Status, turn.names())
	}
	if got := b.ok("diff", "1", "--thread", "L"); !strings.Contains(got, "+of linked") {
		b.t.Errorf("diff: %s", got)
	}
	b.exits(5, "stage", "1", "--thread", "L", "--", "f")
	b.exits(2, "show", "3", "--thread", "L")
	b.exits(2, "turns", "--thread", "nobody")
	before := b.world()
	b.sh("git pack-refs --all; rm -r .git/overturn")
	if got := b.newest("M"); got.names() != "f modified, only-main added" {
		b.t.Errorf("M without its folder: %s", got.names())
	}
	if r := b.rollback("latest"); r.paths() != "restored f, deleted only-main" { // M has the newest turn here
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.undo()
	b.restored(before)
	b.turn("M", func() { b.Write("d/g", "of main\n") })
	if got := b.newest("M"); got.Turn != 2 || got.names() != "d/g modified" {
		b.t.Errorf("the next turn: %d, %s", got.Turn, got.names())
	}
}

// caseWorkTreeInside: a work tree inside another is no part of it.
func caseWorkTreeInside(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	b.Git("worktree", "add", "-q", "-b", "x", ".wt/x")
	b.Write(".wt/note", "beside it\n")
	before := b.world()
	b.turn("T", func() {
		b.Write("a", "agent\n")
		b.Write(".wt/x/a", "other agent\n")
		b.Write(".wt/x/new", "other agent\n")
	})
	turn := b.show("T", "1")
	if held := strings.Join(b.holds(turn.Ref), " "); held != ".wt/note a" || turn.names() != "a modified" {
		b.t.Errorf("captured: %s; files: %s", held, turn.names())
	}
	if r := b.rollback("latest"); r.paths() != "restored a" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.restored(before, ".wt/x")
	b.reads(".wt/x/a", "other agent\n")
	if got := b.ok("diff", "working", "--name-status"); !strings.Contains(got, ".wt/note") || strings.Contains(got, ".wt/x") {
		b.t.Errorf("working: %s", got)
	}
	// The inner one records itself, and the outer one stays as it is.
	inner := bookOf(b.t, b.At(b.Path(".wt/x")))
	outer := b.world()
	inner.turn("I", func() { inner.Write("a", "inner\n") })
	if r := inner.rollback("latest"); r.paths() != "restored a" {
		b.t.Errorf("inside: %s", r.paths())
	}
	inner.reads("a", "other agent\n")
	b.same(outer, ".wt/x")
	// A turn makes one and works in it: it stays, and is said to.
	b.turn("T", func() { b.sh("git worktree add -q -b y .wt/y; echo agent > .wt/y/a; echo again > a") })
	if got := b.show("T", "2").names(); got != "a modified" {
		b.t.Errorf("turn 2: %s", got)
	}
	b.rollback("latest", "--thread", "T")
	b.reads(".wt/y/a", "agent\n")
	// No work tree of the repository any more: git takes it for a plain folder, and
	// so does a capture.
	b.sh("rm -r .git/worktrees/y")
	if got, want := b.Git("status", "--porcelain", "-uall"), "?? .wt/y/a"; !strings.Contains(got, want) {
		b.t.Fatalf("git says %q", got)
	}
	b.turn("T", func() { b.Write(".wt/y/a", "agent again\n") })
	if got := b.show("T", "3").names(); got != ".wt/y/a modified" {
		b.t.Errorf("turn 3: %s", got)
	}
	b.rollback("latest", "--thread", "T")
	b.reads(".wt/y/a", "agent\n")
}

// caseBareLayout: work trees of a bare repository, with a stray .git beside.
func caseBareLayout(b *book) {
	b.Write("f", "base\n")
	b.Commit("base")
	for name, make := range map[string]string{
		"stray":   "git clone -q --bare ../repo .bare; mkdir .git; git -C .bare worktree add -q ../wt main",
		"pointer": "git clone -q --bare ../repo .bare; echo 'gitdir: ./.bare' > .git; git worktree add -q wt main",
		"deep":    "git clone -q --bare ../repo .bare; mkdir -p .git/refs; git -C .bare worktree add -q ../sub/wt main; mkdir wt; rmdir wt; ln -s sub/wt wt",
	} {
		root := filepath.Join(filepath.Dir(b.Root), name)
		if err := os.MkdirAll(root, 0o755); err != nil {
			b.t.Fatal(err)
		}
		at := *b
		at.Repo = b.At(root)
		at.dir = root
		at.sh(make)
		wt := bookOf(b.t, b.At(filepath.Join(root, "wt")))
		wt.Write("dirty", "user\n")
		before := wt.world()
		wt.turn("T", func() { wt.Write("f", "agent\n"); wt.Write("sub/new", "agent\n") })
		if got := wt.show("T", "1"); got.names() != "f modified, sub/new added" || got.Status != "ready" {
			b.t.Errorf("%s: %s %s", name, got.Status, got.names())
		}
		wt.rollback("latest")
		wt.same(before, "f", "sub")
		wt.restored(before)
		wt.undo()
		wt.reads("sub/new", "agent\n")
		wt.ok("redo")
		wt.restored(before)
		at.exits(10, "status") // above it there is no work tree
		at.dir = filepath.Join(root, ".bare")
		at.exits(10, "status")
	}
}

// caseTwoSpellings: one folder under two names is one work tree.
func caseTwoSpellings(b *book) {
	b.Write("f", "base\n")
	b.Write("d/g", "base\n")
	b.Commit("base")
	link := filepath.Join(filepath.Dir(b.Root), "link")
	if err := os.Symlink(b.Root, link); err != nil {
		b.t.Fatal(err)
	}
	through := *b
	through.dir = link
	through.env = append(append([]string(nil), b.env...), "PWD="+link) // as a shell that went there says
	through.turn("T", func() { b.Write("f", "one\n") })
	b.turn("T", func() { b.Write("f", "two\n") })
	for _, at := range []*book{b, &through, b.in("d")} {
		if got := strings.Count(at.ok("threads"), "\n"); got != 1 || at.newest("T").Turn != 2 {
			b.t.Errorf("%s: %s", at.dir, at.ok("threads"))
		}
	}
	if p := through.stage("latest", "--", filepath.Join(link, "f")); p.verdicts() != "f write clean" {
		b.t.Errorf("by its other name: %s", p.verdicts())
	}
	if p := b.plan(); p.verdicts() != "f write clean" || p.Fingerprint != through.plan().Fingerprint {
		b.t.Errorf("staged: %s", p.verdicts())
	}
	b.exits(2, "stage", "latest", "--", link+"-no/f")
	// One lock: whoever holds it under one name holds it under the other.
	lock, err := durable.TryAcquire(filepath.Join(b.GitDir(), "overturn", "rollback.lock"), "a test")
	if err != nil {
		b.t.Fatal(err)
	}
	if s := through.exits(11, "rollback", "--expect", strings.Repeat("0", 64)); s.stderr == "" {
		b.t.Errorf("%+v", s)
	}
	if err := lock.Unlock(); err != nil {
		b.t.Fatal(err)
	}
	through.carry(0)
	b.reads("f", "one\n")
	if h := b.ok("history"); strings.Count(h, "\n") != 1 || h != through.ok("history") {
		b.t.Errorf("history: %s", h)
	}
	b.undo()
	b.reads("f", "two\n")
}

// caseFromASubdirectory: wherever in the work tree a call comes from, all of it is
// meant.
func caseFromASubdirectory(b *book) {
	for _, name := range []string{"top", "a/f", "a/b/f", "a/b/c/f", "z/f"} {
		b.Write(name, "base\n")
	}
	b.Commit("base")
	low := b.in("a/b")
	b.Write("z/f", "dirty\n")
	before := b.world()
	low.turn("T", func() {
		for _, name := range []string{"top", "a/f", "a/b/f", "a/b/c/f", "z/f", "new", "a/b/new"} {
			b.Write(name, "agent\n")
		}
	})
	const all = "a/b/c/f modified, a/b/f modified, a/b/new added, a/f modified, new added, top modified, z/f modified"
	if got := low.show("T", "1").names(); got != all {
		b.t.Errorf("files: %s", got)
	}
	if got := b.Git("show", low.show("T", "1").Start.Ref+":z/f"); got != "dirty" {
		b.t.Errorf("z/f at the start: %q", got)
	}
	for args, want := range map[string]string{
		".": "a/b/c/f write clean, a/b/f write clean, a/b/new delete clean", "f": "a/b/f write clean", "../f": "a/f write clean",
		":/top": "top write clean", "../../z": "z/f write clean",
	} {
		if p := low.stage("latest", "--", args); p.verdicts() != want {
			b.t.Errorf("%s: %s", args, p.verdicts())
		}
	}
	low.exits(2, "stage", "latest", "--", "top")
	low.exits(2, "stage", "latest", "--", "../../../x")
	if r := low.rollback("latest"); len(strings.Split(r.paths(), ",")) != 7 {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.restored(before)
	low.undo()
	// A folder that goes while the call stands in it.
	b.turn("T", func() { b.Write("made/deep/f", "agent\n") })
	made := b.in("made/deep")
	made.stage("latest", "--", ".")
	made.ok("rollback", "--expect", b.plan().Fingerprint)
	b.gone("made")
}
