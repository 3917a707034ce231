package casebook_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestCasebookE: several agents, sessions and work trees at once, and the user's own
// git beside them.
func TestCasebookE(t *testing.T) {
	runCases(t, []caseOf{
		{"E-01", caseIndexLockHeld},
		{"E-02", caseRebaseBesideRefresh},
		{"E-03", caseKilledChild},
		{"E-05", caseLostUpdate},
		{"E-07", caseGhostFiles},
		{"E-08", caseBranchSwitched},
		{"E-09", caseTwoWorkTrees},
		{"E-12", caseNoStash},
		{"E-13", caseHangingCapture},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// background starts overturn; the answer is there when it has ended.
func (b *book) background(stdin string, args ...string) <-chan said {
	b.t.Helper()
	done := make(chan said, 1)
	call := b.call(args...)
	go func() { done <- call(stdin) }()
	return done
}

// ended waits for a call in the background.
func (b *book) ended(done <-chan said) said {
	b.t.Helper()
	select {
	case s := <-done:
		return s
	case <-time.After(callLimit):
		b.t.Fatal("a call in the background does not end")
		return said{}
	}
}

// until waits for a file.
func (b *book) untilThere(name string) {
	b.t.Helper()
	for limit := time.Now().Add(callLimit); time.Now().Before(limit); time.Sleep(time.Millisecond) {
		if _, err := os.Lstat(name); err == nil {
			return
		}
	}
	b.t.Fatalf("%s never came", name)
}

// pausedAt starts overturn and lets it wait at a fail point; leave lets it go on.
func (b *book) pausedAt(point, stdin string, args ...string) (done <-chan said, leave func()) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), "leave")
	done = b.with("OVERTURN_FAIL_POINT="+point+"=wait:"+file).background(stdin, args...)
	b.untilThere(file + ".here")
	return done, func() {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			b.t.Fatal(err)
		}
	}
}

// caseIndexLockHeld: another git holds index.lock, and every other lock of git's:
// all but a rollback of staged entries goes on, and the locks are left alone.
func caseIndexLockHeld(b *book) {
	b.Write("a", "base\n")
	b.Write("b", "base\n")
	b.Commit("base")
	locks := []string{".git/index.lock", ".git/HEAD.lock", ".git/refs/heads/main.lock", ".git/packed-refs.lock", ".git/config.lock", ".git/ORIG_HEAD.lock"}
	for _, lock := range locks {
		b.Write(lock, "")
	}
	before := b.world()
	b.turn("T", func() { b.Write("a", "agent\n") })
	for _, args := range readingCommands() {
		b.ok(args...)
	}
	if r := b.rollback("latest"); r.paths() != "restored a" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.undo()
	b.ok("redo")
	b.restored(before)
	b.same(before, "a") // with the locks, to the byte and to the time
	// An entry of the index has to go back: refused before the first write, and told.
	b.Remove(".git/index.lock")
	b.turn("T", func() { b.sh("echo staged > b; git add b") })
	b.stage("latest")
	b.Write(".git/index.lock", "")
	held := b.world()
	s := b.overturn("rollback", "--expect", b.plan().Fingerprint)
	if s.code != 1 || !strings.Contains(s.stderr, "index.lock") {
		b.t.Errorf("rollback of a staged entry: %+v", s)
	}
	b.same(held)
	for _, lock := range locks {
		b.Remove(lock)
	}
	b.carry(0)
	b.restored(before, locks...)
}

// caseRebaseBesideRefresh: the user's rebase of 50 commits runs through while overturn
// looks, records and plans as fast as it can. The case has ten rebases with 20 looks a
// second; here is one, with looks without a pause, and a system test has the ten.
func caseRebaseBesideRefresh(b *book) { rebasesBesideRefresh(b, 1, 50) }

func rebasesBesideRefresh(b *book, rebases, commits int) {
	b.Write("a", "base\n")
	b.Commit("base")
	b.sh(fmt.Sprintf(`git branch onto; i=0; while [ $i -lt %d ]; do echo $i > f; git add f; git commit -qm $i; i=$((i+1)); done
		git checkout -q onto; echo onto > o; git add o; git commit -qm onto; git checkout -q main; git branch start`, commits))
	b.turn("T", func() { b.Write("u", "untracked\n") })
	b.Chmod("a", 0o644) // its stat is not the index's: whoever refreshes would write
	stop, looks := make(chan struct{}), 0
	var all sync.WaitGroup
	all.Go(func() {
		for {
			for _, args := range [][]string{{"status"}, {"diff", "working", "--stat"}, {"stage", "latest"}, {"plan"}, {"turn", "start", "--thread", "U"}, {"turn", "end", "--thread", "U"}, {"unstage"}} {
				select {
				case <-stop:
					return
				default:
				}
				// What HEAD is in the middle of a rebase is git's to say; that it is not
				// disturbed is what counts.
				b.overturn(args...)
				looks++
			}
		}
	})
	for range rebases {
		if out, err := b.GitMayFail("rebase", "-q", "onto"); err != nil {
			b.t.Errorf("the rebase failed: %v %s", err, out)
		}
		b.Git("reset", "-q", "--keep", "start")
	}
	close(stop)
	all.Wait()
	if looks < rebases {
		b.t.Errorf("%d looks during %d rebases", looks, rebases)
	}
	b.gone(".git/index.lock")
}

// caseNoStash: no part of the product names the stash to git, and the list of
// stashes is the same to the byte after all that it does.
func caseNoStash(b *book) {
	b.Write("a", "a\n")
	b.Write("s", "s\n")
	b.Commit("base")
	b.sh("echo one > s; git stash -q; echo two > s; echo u > u; git stash -qu; echo kept > keep")
	linked := bookOf(b.t, b.Worktree("linked"))
	stashes := b.Git("stash", "list", "--format=%H %gd %gs")
	after := func(what string) {
		b.t.Helper()
		if now := b.Git("stash", "list", "--format=%H %gd %gs"); now != stashes {
			b.t.Fatalf("%s: stashes are\n%s\nwere\n%s", what, now, stashes)
		}
	}
	before := b.Protected(b.t)
	for _, tree := range []*book{b, linked} {
		tree.turn("T", func() { tree.Write("a", "agent\n"); tree.Write("n", "n\n") })
		after("turn")
		for _, args := range readingCommands() {
			tree.ok(args...)
			after(strings.Join(args, " "))
		}
		tree.rollback("latest")
		tree.undo()
		tree.ok("redo")
		tree.ok("run", "--thread", "R", "--", "true")
		after("rollback, undo, redo and run")
	}
	if d := before.Diff(b.Protected(b.t)); d != "" {
		b.t.Errorf("git's own state: %s", d)
	}
	b.reads("keep", "kept\n")
	named := false
	b.sources(func(name string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				named = named || text == "hash-object" // the search sees arguments of git
				if text == "stash" && !strings.HasSuffix(name, filepath.FromSlash("gittest/argv.go")) && !strings.Contains(filepath.ToSlash(name), "/agents/effects/") {
					b.t.Errorf("%s names the stash", name)
				}
			}
			return true
		})
	})
	if !named {
		b.t.Error("the search sees no argument of git")
	}
}
