//go:build linux || darwin

package casebook_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/refs"
	"overturn/ui/cli/clitest"
)

// TestCasebookRefs: names and changes of refs.
func TestCasebookRefs(t *testing.T) {
	runCases(t, []caseOf{
		{"O-05", caseRefsOfManySessions},
		{"O-11", caseLockOfPackedRefs},
		{"O-13", caseSeveralRefsAtOnce},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// threadNames are ids that are no parts of a ref's name, or not one on every disk.
func threadNames() []string {
	return []string{
		"..", ".", "a..b", "x@{1}", "@", "dot.", "t.lock", "two words", " ", "-x", "--all", "/abs/", "a//b", "~^:?*[\\", "'\"`$(x)", "\u202eevil", "🙂", "😀🙂",
		"é", "e\u0301", "Thread", "thread", "THREAD", strings.Repeat("x", 180), "HEAD", "refs/heads/main", "%2e%2e", "con", "nul.txt",
	}
}

// caseNamesOfThreads: whatever an agent calls its conversation, each has its own
// refs, which git can name, and its own turns; what is too long or cannot be said
// on a line is refused, and a hook with such an id stays a guest.
func caseNamesOfThreads(b *book) {
	b.Write("a", "base\n")
	b.Commit("base")
	b = b.inMemory()
	for i, name := range threadNames() {
		b.start(name)
		b.Write("a", fmt.Sprint(i, "\n"))
		b.end(name)
	}
	for _, name := range threadNames() {
		turn := b.show(name, "1")
		part := base64.RawURLEncoding.EncodeToString([]byte(name))
		if turn.Ref != "refs/overturn/threads/"+part+"/turn/1" || turn.names() != "a modified" || turn.Status != "ready" {
			b.t.Errorf("%q: %+v", name, turn)
		}
		b.Git("check-ref-format", turn.Ref)
	}
	refs := b.Git("for-each-ref", "refs/overturn/threads")
	for _, bad := range []string{"", strings.Repeat("x", 181), strings.Repeat("x", 300), "two\nlines", "bell\a", "\x7f", "\xff\xfe", strings.Repeat("y", 179) + "é"[:1]} {
		b.exits(2, "turn", "start", "--thread", bad)
		if bad != "" { // which is the newest thread's
			b.exits(2, "show", "1", "--thread", bad)
		}
		if s := b.fed(fmt.Sprintf(`{"event":"turn-start","thread":%q,"turn_id":"1","prompt":"x"}`, bad), "hook", "generic"); s.code != 0 || s.stdout != "" {
			b.t.Errorf("hook with %q: %+v", bad, s)
		}
	}
	if now := b.Git("for-each-ref", "refs/overturn/threads"); now != refs {
		b.t.Errorf("a bad id made refs:\n%s", now)
	}
	b.foldedNames()
}

// foldedNames: on a file system that folds case the refs of two ids can be one
// file. Links stand in for it here: nothing of the first is overwritten or shown
// as the second's.
func (b *book) foldedNames() {
	b.t.Helper()
	first, second := "aaa", "aaG" // YWFh and YWFH
	b.turn(first, func() { b.Write("a", "of the first\n") })
	was := b.show(first, "1")
	for _, dir := range []string{".git/refs/overturn/threads", ".git/overturn/ledger"} {
		b.Symlink(base64.RawURLEncoding.EncodeToString([]byte(first)), dir+"/"+base64.RawURLEncoding.EncodeToString([]byte(second)))
	}
	b.fed(fmt.Sprintf(`{"event":"turn-start","thread":%q,"turn_id":"1","prompt":"x"}`, second), "hook", "generic")
	b.Write("a", "of the second\n")
	b.fed(fmt.Sprintf(`{"event":"turn-end","thread":%q,"turn_id":"1"}`, second), "hook", "generic")
	if now := b.show(first, "1"); now.End.Tree != was.End.Tree || b.Git("rev-parse", now.Ref+"^{tree}") != was.End.Tree {
		b.t.Errorf("the first thread's turn became %+v", now)
	}
	if list := b.Git("for-each-ref", "--format=%(refname)", "refs/overturn/threads/"+base64.RawURLEncoding.EncodeToString([]byte(first))); strings.Count(list, "\n") != 1 {
		b.t.Errorf("refs of the first thread:\n%s", list)
	}
	if s := b.exits(1, "turn", "start", "--thread", second); !strings.Contains(s.stderr, "the same as that of thread \"aaa\"") || !strings.Contains(s.stderr, "folds case") {
		b.t.Errorf("turn start: %s", s.stderr)
	}
	b.turn(first, func() { b.Write("a", "of the first again\n") })
	if now := b.show(first, "2"); now.Status != "ready" || now.names() != "a modified" {
		b.t.Errorf("the first thread's next turn: %+v", now)
	}
}

// caseRefsOfManySessions: refs grow by three a turn at most; pruning brings each
// session, long or dead, down to a few, and what stays is whole. (A thousand turns are
// gone through where growth is tested.)
func caseRefsOfManySessions(b *book) {
	const sessions, long = 12, 10
	b.Write("a", "base\n")
	b.Commit("base")
	b = b.inMemory().with(forOld)
	turns := 0
	for i := range sessions + long {
		turns++
		b.turn(fmt.Sprint("session ", min(i, sessions)), func() { b.Write("a", fmt.Sprint(i, "\n")) })
		b.Write("u", fmt.Sprint(i, "\n")) // so that every start is a snapshot of its own
	}
	loose := func() int {
		b.t.Helper()
		n := 0
		err := filepath.WalkDir(b.Path(".git/refs/overturn"), func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				n++
			}
			return err
		})
		if err != nil {
			b.t.Fatal(err)
		}
		return n
	}
	if n := loose(); n < 2*turns || n > 3*turns+sessions+1 {
		b.t.Errorf("%d turns are %d loose refs", turns, n)
	}
	for range 2 {
		b.ok("checkpoint", "prune", "--keep", "1")
		if n := loose(); n > 4*(sessions+1) {
			b.t.Errorf("%d sessions are %d loose refs after pruning", sessions+1, n)
		}
	}
	b.Git("gc", "-q", "--prune=now")
	b.rollback("latest")
	b.undo()
	b.turn("session 0", func() { b.Write("a", "again\n") })
	if turn := b.newest("session 0"); turn.Turn != 2 || turn.Status != "ready" || turn.names() != "a modified" {
		b.t.Errorf("a session that goes on: %+v", turn)
	}
	b.rollback("latest")
	b.reads("a", fmt.Sprint(sessions+long-1, "\n"))
}

// caseLockOfPackedRefs: somebody holds git's lock of packed-refs, or died with it.
// What only makes refs goes on; what removes them waits for a while, says who is in
// the way, and loses nothing; the lock is not ours to remove.
func caseLockOfPackedRefs(b *book) {
	b.Write("a", "base\n")
	b.Commit("base")
	b.Git("pack-refs", "--all")
	lock := b.Path(".git/packed-refs.lock")
	b.Write(".git/packed-refs.lock", "")
	b.turn("T", func() { b.Write("a", "agent\n") })
	b.turn("T", func() { b.Write("b", "agent\n") })
	for _, n := range []string{"1", "2"} {
		if turn := b.show("T", n); turn.Status != "ready" {
			b.t.Errorf("turn %s: %+v", n, turn)
		}
	}
	p := b.stage("1")
	s := b.overturn("--json", "rollback", "--expect", p.Fingerprint)
	if s.code != 0 {
		b.t.Errorf("rollback: %+v", s)
	}
	b.reads("a", "base\n")
	b.undo()
	b.ok("stage", "2")
	b.ok("unstage")
	all := b.Git("for-each-ref")
	if s := b.with(forOld).exits(11, "checkpoint", "prune", "--keep", "1"); !strings.Contains(s.stderr, "packed-refs.lock") {
		b.t.Errorf("prune says %s", s.stderr)
	}
	if now := b.Git("for-each-ref"); now != all {
		b.t.Errorf("prune removed some:\n%s\nwas\n%s", now, all)
	}
	if _, err := os.Stat(lock); err != nil {
		b.t.Errorf("the lock is not there any more: %v", err)
	}
	b.Remove(".git/packed-refs.lock")
	b.with(forOld).ok("checkpoint", "prune", "--keep", "1")
	b.rollback("latest")
	b.gone("b")
}

// caseSeveralRefsAtOnce: a change of several refs is one: where one of them holds
// another value, is locked, or has another in its place, none moves.
func caseSeveralRefsAtOnce(b *book) {
	b.Write("a", "base\n")
	id := []string{b.Commit("one"), b.Commit("two"), b.Commit("three")}
	store := refs.New(b.Open())
	name := func(i int) string { return fmt.Sprintf("refs/overturn/threads/VA/turn/%d", i) }
	change := func(how string) []refs.Update {
		var list []refs.Update
		for i := 1; i <= 5; i++ {
			u := refs.Update{Name: name(i), Old: id[0], New: id[1]}
			if how == "deleted" || how == "mixed" && i%2 == 0 {
				u.New = ""
			}
			list = append(list, u)
		}
		return list
	}
	for _, packed := range []bool{false, true} {
		for i := 1; i <= 5; i++ {
			b.Git("update-ref", name(i), id[0])
		}
		if packed {
			b.Git("pack-refs", "--all", "--prune")
		}
		for _, how := range []string{"moved", "deleted", "mixed"} {
			for what, fault := range map[string]struct{ make, mend func() }{
				"another value": {func() { b.Git("update-ref", name(3), id[2]) }, func() { b.Git("update-ref", name(3), id[0]) }},
				"a lock":        {func() { b.Write(".git/"+name(3)+".lock", "") }, func() { b.Remove(".git/" + name(3) + ".lock") }},
			} {
				if what == "a lock" && (packed || how == "deleted") {
					continue // each is waited for
				}
				fault.make()
				before := b.Git("for-each-ref")
				if err := store.Apply(context.Background(), change(how)); err == nil {
					b.t.Errorf("%s with %s was done", how, what)
				}
				if now := b.Git("for-each-ref"); now != before {
					b.t.Errorf("%s with %s (packed %v):\n%s\nwas\n%s", how, what, packed, now, before)
				}
				fault.mend()
			}
		}
	}
	if left, err := filepath.Glob(b.Path(".git/refs/overturn/threads/VA/turn/*.lock")); err != nil || len(left) > 0 {
		b.t.Errorf("left: %v, %v", left, err)
	}
	// The end of a turn moves the ref of its snapshot and that of its record: with the
	// first taken, the second is not made either.
	b.start("U")
	b.Write("a", "agent\n")
	b.Git("update-ref", "refs/overturn/threads/VQ/turn/1", id[2])
	b.overturn("turn", "end", "--thread", "U")
	if turn := b.show("U", "1"); turn.Status != "error" || !strings.Contains(turn.StatusReason, "not overwritten") || b.Git("rev-parse", "refs/overturn/threads/VQ/turn/1") != id[2] {
		b.t.Errorf("turn 1 of U: %+v", turn)
	}
}
