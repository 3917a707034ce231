//go:build linux || darwin

package casebook_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
)

// What tests of several groups need: a repository with something of the user's in
// every place, copies of it, and a call that is killed. What a kill at each of the
// fail points leaves is held by ui/cli/faulttest.

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

// quiet holds that nothing is left over: no name of ours in the work tree, nothing
// to settle, no damage.
func (b *book) quiet() {
	b.t.Helper()
	if at := b.status(); at.ID != "" {
		b.t.Errorf("still interrupted: %+v", at)
	}
	b.Git("fsck", "--no-dangling", "--no-progress")
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
