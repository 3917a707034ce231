//go:build linux || darwin

package cli_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"overturn/gitops/gittest"
)

// Crashes: the real binary is killed (SIGKILL) at each of its fail points, named by
// OVERTURN_FAIL_POINT. Whatever it was doing, every byte is accounted for: recover
// ends in the state before or in the state after, and nothing else has moved.

// staged is a repository whose only turn is staged to be taken back, with work of
// the user's beside it; before and after are what stood there around the turn.
type staged struct {
	b             *book
	before, after ends
}

// ends is everything at one end of a turn: the world, and the index by its entries
// (a rollback writes the index where the turn itself had staged something).
type ends struct {
	world
	index string
}

func (b *book) ends() ends { return ends{b.world(), b.Git("ls-files", "-s")} }

// newStaged makes every kind of target.
func newStaged(t *testing.T) staged {
	b := openBook(t)
	b.userWork()
	s := staged{b: b}
	b.start("T")
	s.before = b.ends()
	b.agentWork()
	s.after = b.ends()
	b.end("T")
	b.ok("stage", "1")
	return s
}

// userWork is a repository with something in each place where a user has work:
// staged, unstaged, untracked, ignored, stashed, on a branch.
func (b *book) userWork() {
	b.sh(`mkdir -p dir/sub
		printf 'one\ntwo\nthree\n' > edit; printf 'a\0b' > bin; printf 'old\n' > gone; printf 'deep\n' > dir/sub/deep
		printf 'x\n' > mode; chmod 640 mode; ln -s edit link; printf 'r\n' > name; printf 'u\n' > unstaged; printf 's\n' > staged
		printf '*.o\n' > .gitignore; git add -A; git commit -qm base
		printf 'stashed\n' >> unstaged; git stash -q; git branch other
		printf 'user, staged\n' >> staged; git add staged; printf 'user, not staged\n' >> unstaged
		printf 'material\n' > untracked; chmod 600 untracked; printf 'built\n' > built.o; mkdir -p empty`)
}

// agentWork changes one path of every kind, and stages one of them.
func (b *book) agentWork() {
	b.sh(`printf 'one\nTWO\nthree\nfour\n' > edit; printf 'a\0c' > bin; rm gone; rm -r dir; printf 'a file now\n' > dir
		chmod 755 mode; rm link; ln -s name link; mv name renamed; mkdir -p made/deep; printf 'new\n' > made/deep/file
		printf 'staged by the turn\n' > added; git add added`)
}

// memory is a folder for the copies of a scene: each run syncs dozens of files,
// which costs nothing where the disk is memory.
func memory(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "overturn-cli-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// copyOf is the book's repository again, in a place of its own.
func (b *book) copyOf(t *testing.T) *book {
	t.Helper()
	root := filepath.Join(memory(t), "repo")
	if out, err := exec.Command("cp", "-a", b.Root, root).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v\n%s", err, out)
	}
	return bookOf(t, repoOf(t, b, root))
}

func repoOf(t *testing.T, b *book, root string) *gittest.Repo {
	r := gittest.New(t)
	r.Root, r.Env, r.Home = root, b.Env, b.Home
	return r
}

// killed runs overturn, which must be killed at the fail point.
func (b *book) killed(point string, args ...string) {
	b.t.Helper()
	if s := b.with("OVERTURN_FAIL_POINT=" + point).overturn(args...); s.code != -1 {
		b.t.Fatalf("overturn %s passed %s and exited with %d\n%s%s", strings.Join(args, " "), point, s.code, s.stdout, s.stderr)
	}
}

// stands holds that the work tree and the index are as at want, and that git's own
// state is as it was before the rollback.
func (b *book) stands(want, untouched ends) {
	b.t.Helper()
	now := b.ends()
	b.sameFiles(want.world, now.world, true, nil)
	if now.index != want.index {
		b.t.Errorf("the index is\n%s\nwant\n%s", now.index, want.index)
	}
	for _, line := range strings.Split(untouched.git.Diff(now.git), "\n") {
		if line != "" && line != "/index changed" {
			b.t.Errorf("git's own state: %s", line)
		}
	}
}

// status is what status --json says of an interrupted rollback.
func (b *book) status() (interrupted struct {
	ID       string
	Done, Of int
}) {
	b.t.Helper()
	var s struct {
		Interrupted *struct {
			ID       string
			Done, Of int
		}
	}
	b.json(0, &s, "status")
	if s.Interrupted != nil {
		interrupted = *s.Interrupted
	}
	return interrupted
}

// named holds that status names the interrupted rollback, and that nothing else is
// begun before it is settled.
func (b *book) named() {
	b.t.Helper()
	at := b.status()
	if at.ID == "" || at.Of < 8 || at.Done > at.Of {
		b.t.Fatalf("status says %+v", at)
	}
	if out := b.ok("status"); !strings.Contains(out, "overturn recover") {
		b.t.Errorf("status does not say what to do:\n%s", out)
	}
	before := b.world()
	b.exits(2, "recover")
	if s := b.exits(1, "undo"); !strings.Contains(s.stderr, "overturn recover") {
		b.t.Errorf("undo says %s", s.stderr)
	}
	b.same(before)
}

// settles recovers one way and shows that it ended whole, once and for all.
func (b *book) settles(way string, want, untouched ends) {
	b.t.Helper()
	var r struct {
		Found             bool
		ID, Way, Outcome  string
		Restored, Skipped []string
	}
	b.json(0, &r, "recover", "--"+way)
	if !r.Found || r.Way != way || len(r.Skipped) > 0 {
		b.t.Errorf("recover --%s: %+v", way, r)
	}
	b.stands(want, untouched)
	b.quiet()
	b.json(0, &r, "recover", "--"+way)
	if r.Found {
		b.t.Errorf("there is something to recover again: %+v", r)
	}
	b.stands(want, untouched)
}

// quiet holds that nothing is left over: no name of ours in the work tree, nothing
// to settle, no damage.
func (b *book) quiet() {
	b.t.Helper()
	if at := b.status(); at.ID != "" {
		b.t.Errorf("still interrupted: %+v", at)
	}
	b.Git("fsck", "--no-dangling", "--no-progress")
}

// The passes of each point that a rollback is killed at. All but the first and the
// last leave a journal to settle.
func rollbackPoints(kind string) []string {
	return []string{
		kind + ".prepared", "restore.written", "restore.written:3", kind + ".beside", "restore.moved", "restore.moved:3", "restore.exchanged", "restore.exchanged:2",
		kind + ".swapped", kind + ".swapped:5", kind + ".marked", kind + ".marked:4", kind + ".marked:8", kind + ".kept", kind + ".applied",
	}
}

func TestCrashOfRollback(t *testing.T) {
	s := newStaged(t)
	print := s.b.plan().Fingerprint
	for _, point := range rollbackPoints("rollback") {
		t.Run(point, func(t *testing.T) {
			crash := s.b.copyOf(t)
			crash.killed(point, "rollback", "--expect", print)
			crash.named()
			both := crash.copyOf(t)
			crash.settles("finish", s.before, s.after)
			crash.ok("undo")
			crash.stands(s.after, s.after)
			both.settles("unwind", s.after, s.after)
			both.carry(0)
			both.stands(s.before, s.after)
		})
	}
	for point, want := range map[string]ends{
		"refs.lock.made": s.after, "objects.flush.before": s.after, "objects.flush.after": s.after, "refs.apply.locked": s.after, "refs.apply.renamed": s.after,
		"rollback.safety": s.after, "rollback.verified": s.before,
	} {
		t.Run(point, func(t *testing.T) {
			b := s.b.copyOf(t)
			b.killed(point, "rollback", "--expect", print)
			b.stands(want, s.after)
			b.quiet()
			b.ok("rollback", "--expect", b.plan().Fingerprint)
			b.stands(s.before, s.after)
		})
	}
}

func TestCrashOfUndoAndRedo(t *testing.T) {
	s := newStaged(t)
	s.b.carry(0)
	undone := s.b.copyOf(t)
	undone.ok("undo")
	for _, c := range []struct {
		verb     string
		b        *book
		from, to ends
	}{{"undo", s.b, s.before, s.after}, {"redo", undone, s.after, s.before}} {
		points := rollbackPoints(c.verb)
		if c.verb == "redo" {
			points = []string{"redo.prepared", "redo.beside", "redo.swapped:5", "redo.marked:4", "redo.kept", "redo.applied"}
		}
		for _, point := range points {
			t.Run(c.verb+"/"+point, func(t *testing.T) {
				crash := c.b.copyOf(t)
				crash.killed(point, c.verb)
				crash.named()
				both := crash.copyOf(t)
				crash.settles("finish", c.to, s.after)
				both.settles("unwind", c.from, s.after)
				both.ok(c.verb)
				both.stands(c.to, s.after)
			})
		}
		for point, want := range map[string]ends{c.verb + ".safety": c.from, c.verb + ".verified": c.to} {
			t.Run(c.verb+"/"+point, func(t *testing.T) {
				b := c.b.copyOf(t)
				b.killed(point, c.verb)
				b.stands(want, s.after)
				b.quiet()
			})
		}
	}
}

// TestCrashOfRecover kills the settling too, and then the settling of that, before
// it is let through; each time either way is open.
func TestCrashOfRecover(t *testing.T) {
	s := newStaged(t)
	print := s.b.plan().Fingerprint
	for _, c := range []struct {
		began, first string
		points       []string
	}{
		{"rollback.beside", "finish", []string{"recover.begun", "recover.tidied", "recover.swapped", "recover.settled", "recover.marked", "restore.exchanged", "restore.moved"}},
		{"rollback.beside", "unwind", []string{"recover.tidied", "recover.settled"}},
		{"rollback.marked:4", "finish", []string{"recover.marked:2", "recover.swapped"}},
		{"rollback.marked:4", "unwind", []string{"recover.begun", "recover.marked:2", "recover.swapped", "recover.settled"}},
		{"rollback.kept", "finish", []string{"recover.begun", "recover.settled"}},
		{"rollback.kept", "unwind", []string{"restore.written", "restore.exchanged", "recover.marked:3", "recover.settled"}},
	} {
		crash := s.b.copyOf(t)
		crash.killed(c.began, "rollback", "--expect", print)
		for _, point := range c.points {
			t.Run(c.began+"/"+c.first+"/"+point, func(t *testing.T) {
				b := crash.copyOf(t)
				b.killed(point, "recover", "--"+c.first)
				b.named()
				b.killed("recover.tidied", "recover", "--unwind")
				both := b.copyOf(t)
				b.settles("finish", s.before, s.after)
				both.settles("unwind", s.after, s.after)
			})
		}
	}
}

// TestCrashOfCapture kills both ends of a turn. Nothing of the user's moves, the
// next event goes on, and what is said of the turn is true.
func TestCrashOfCapture(t *testing.T) {
	b := openBook(t)
	b.userWork()
	points := []string{
		"refs.lock.made", "ledger.start.noted", "objects.flush.before", "objects.flush.after", "ledger.flushed", "refs.apply.locked", "refs.apply.renamed",
		"ledger.published", "ledger.end.noted",
	}
	for _, point := range points {
		t.Run("start/"+point, func(t *testing.T) {
			b := b.copyOf(t)
			before := b.world()
			b.killed(point, "turn", "start", "--thread", "T", "--turn-id", "1")
			b.same(before)
			b.ok("turn", "start", "--thread", "T", "--turn-id", "1")
			b.same(before)
			b.sh("printf 'by the turn\n' >> edit")
			b.ok("turn", "end", "--thread", "T", "--turn-id", "1")
			b.truthful("1", "edit modified")
			b.goesOn("2")
		})
	}
	b.start("T")
	b.sh("printf 'by the turn\n' >> edit; rm gone")
	after := b.ends()
	for _, point := range points {
		t.Run("end/"+point, func(t *testing.T) {
			b := b.copyOf(t)
			b.killed(point, "turn", "end", "--thread", "T")
			b.stands(after, after)
			b.status()
			b.ok("turn", "end", "--thread", "T")
			b.stands(after, after)
			b.truthful("1", "edit modified, gone deleted")
			b.goesOn("2")
		})
	}
}

// truthful holds that a turn is captured as it was, or says why not.
func (b *book) truthful(n, files string) {
	b.t.Helper()
	turn := b.show("T", n)
	switch {
	case turn.Status == "ready" && turn.names() == files:
	case turn.Status != "ready" && turn.StatusReason != "" && turn.Files == nil:
	default:
		b.t.Errorf("turn %s: %+v, want %q", n, turn, files)
	}
}

// goesOn records one more turn, which must be whole.
func (b *book) goesOn(n string) {
	b.t.Helper()
	b.turn("T", func() { b.sh("printf 'more\n' > more") })
	if turn := b.show("T", n); turn.Status != "ready" || turn.names() != "more added" {
		b.t.Errorf("the next turn: %+v", turn)
	}
	b.Git("fsck", "--no-dangling", "--no-progress")
	if err := filepath.WalkDir(b.Path(".git/refs"), func(name string, _ fs.DirEntry, err error) error {
		if base := filepath.Base(name); strings.HasSuffix(base, ".lock") && !strings.HasPrefix(base, ".") {
			b.t.Errorf("a lock was left: %s", name)
		}
		return err
	}); err != nil {
		b.t.Error(err)
	}
}

// TestCrashOfFold kills the joining of small packs; no turn is lost by it.
func TestCrashOfFold(t *testing.T) {
	b := openBook(t)
	b.Write("a", "0\n")
	b.Commit("base")
	b = b.copyOf(t)
	for i := range 24 {
		b.start("T")
		b.Write("a", strings.Repeat("line\n", i+1))
		b.Write("b", strings.Repeat("other\n", i+1))
		b.end("T")
	}
	refs := b.Git("for-each-ref")
	b.killed("objects.fold.stored", "status")
	b.quiet()
	if now := b.Git("for-each-ref"); now != refs {
		t.Errorf("refs were\n%s\nand are\n%s", refs, now)
	}
	for n := 1; n <= 24; n++ {
		if turn := b.show("T", strconv.Itoa(n)); turn.Status != "ready" || len(turn.Files) != 2 {
			t.Errorf("%+v", turn)
		}
	}
	b.rollback("thread", "--", "b")
	b.gone("b")
}

// TestEveryFailPointIsKilled holds the points of the program's source against
// those that the tests above (or, where this system cannot get there, those of the
// room) kill it at.
func TestEveryFailPointIsKilled(t *testing.T) {
	tests, err := os.ReadFile("crash_test.go")
	if err != nil {
		t.Fatal(err)
	}
	call := regexp.MustCompile(`durable\.Point\((?:r?\.?t\.kind \+ )?"([^"]+)"\)`)
	elsewhere := map[string]string{"restore.placed": "../../rollback/restore/tidy_test.go"} // where names cannot be exchanged
	found := 0
	for _, room := range []string{"../../gitops", "../../review", "../../rollback", "../../ui", "../../model"} {
		err := filepath.WalkDir(room, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			source, err := os.ReadFile(name)
			for _, m := range call.FindAllSubmatch(source, -1) {
				found++
				point, text := string(m[1]), tests
				if file := elsewhere[point]; file != "" {
					if text, err = os.ReadFile(file); err != nil {
						return err
					}
				}
				if !strings.Contains(string(text), point) {
					t.Errorf("%s: nothing is killed at %q", name, point)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 20 {
		t.Errorf("only %d fail points were found", found)
	}
}
