//go:build unix

package casebook_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCasebookReadOnly: where the git directory cannot be written. Root can write
// everywhere, so overturn runs as another user then.
func TestCasebookReadOnly(t *testing.T) {
	runCases(t, []caseOf{{"L-14", caseGitNotWritable}})
}

// writable makes a folder and all below it writable, or not.
func (b *book) writable(folder string, can bool) {
	b.t.Helper()
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o200
		if !can {
			mode = info.Mode().Perm() &^ 0o222
		}
		return os.Chmod(name, mode)
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// caseGitNotWritable: a sandbox has made .git read-only. What was recorded is read;
// new turns are said to be unprotected, by status, by the review and by a hook that
// lets the agent go on; nothing is written where that cannot be undone. The
// neighbours: the work tree's own part of a linked one, and objects alone.
func caseGitNotWritable(b *book) {
	b.Write("a", "base\n")
	b.Commit("base")
	b.Worktree("linked")
	b.turn("T", func() { b.Write("a", "agent\n") })
	b.turn("T", func() { b.Write("a", "agent again\n") })
	u := b.asUser()
	for _, shut := range []string{".git", ".git/objects", ".git/refs"} {
		b.writable(b.Path(shut), false)
		before := b.wholeRepository()
		for _, args := range [][]string{{"turns", "--thread", "T"}, {"show", "1", "--thread", "T"}, {"diff", "1", "--thread", "T"}, {"diff", "0..2", "--thread", "T"}, {"threads"}, {"checkpoint", "list"}, {"history"}, {"plan"}} {
			if s := u.overturn(args...); s.code != 0 {
				b.t.Errorf("%s: overturn %q: %+v", shut, args, s)
			}
		}
		s := u.overturn("status")
		if s.code != 0 || shut == ".git" && !strings.Contains(s.stdout, "not protected") {
			b.t.Errorf("%s: status: %+v", shut, s)
		}
		if s := u.overturn("turn", "start", "--thread", "N"); s.code == 0 && !strings.Contains(s.stderr, "nothing can be rolled back to it") {
			b.t.Errorf("%s: the start of a turn says %+v", shut, s)
		}
		b.readOnlyHook(u, shut)
		if shut == ".git" {
			b.readOnlyScreen(u)
		}
		if s := u.overturn("stage", "1", "--thread", "T"); s.code != 1 && shut == ".git" {
			b.t.Errorf("%s: stage: %+v", shut, s)
		}
		if s := u.overturn("rollback", "--expect", strings.Repeat("0", 64)); s.code == 0 {
			b.t.Errorf("%s: rollback: %+v", shut, s)
		}
		b.writable(b.Path(shut), true)
		b.reads("a", "agent again\n")
		if now := b.wholeRepository(); shut == ".git" && strings.ReplaceAll(now, "rw", "r-") != strings.ReplaceAll(before, "rw", "r-") {
			b.t.Errorf("%s: the repository changed", shut)
		}
	}
	// It can be written again: all goes on.
	if s := u.overturn("turn", "start", "--thread", "after"); s.code != 0 {
		b.t.Fatalf("written again: %+v", s)
	}
	b.Write("a", "later\n")
	if s := u.overturn("turn", "end", "--thread", "after"); s.code != 0 || u.newest("after").Status != "ready" {
		b.t.Errorf("written again: %+v", s)
	}
}

// readOnlyHook: the agent is not held up, and its stdout is left alone.
func (b *book) readOnlyHook(u *book, shut string) {
	b.t.Helper()
	for _, kind := range []string{"turn-start", "turn-end"} {
		s := u.call("hook", "generic")(event(kind, "H"+shut, "1"))
		if s.code != 0 || s.stdout != "" {
			b.t.Errorf("%s: hook: %+v", shut, s)
		}
	}
}

// readOnlyScreen: the review opens, shows old turns, and says that it is not protected.
func (b *book) readOnlyScreen(u *book) {
	b.t.Helper()
	s := u.review(100, 30)
	s.wait("not protected")
	s.press("(", "turn 1")
	s.quit()
}
