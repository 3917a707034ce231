package casebook_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestTwoRollbacksAtOnce: while one overturn carries a plan out, a second one that
// would, or that would undo, is refused with the lock's code and has written nothing;
// whoever only looks or records goes on.
func TestTwoRollbacksAtOnce(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	for _, name := range []string{"a", "b", "c"} {
		b.Write(name, "base\n")
	}
	b.Commit("base")
	before := b.world()
	b.turn("T", func() {
		for _, name := range []string{"a", "b", "c"} {
			b.Write(name, "agent\n")
		}
	})
	print := b.stage("latest").Fingerprint
	for _, point := range []string{"journal.begin.write", "refs.apply.locked", "restore.swapped:2", "journal.end.write"} {
		if point == "restore.swapped:2" {
			point = b.passed("restore.", "rollback", "--expect", print) + ":2"
			b.ok("undo")
			b.ok("stage", "1", "--thread", "T")
		}
		first, leave := b.pausedAt(point, "", "rollback", "--expect", print)
		for _, args := range [][]string{{"rollback", "--expect", print}, {"undo"}} {
			if s := b.overturn(args...); s.code != 11 || s.stdout != "" || !strings.Contains(s.stderr, "the lock is held by rollback") {
				t.Errorf("%s: overturn %q: %+v", point, args, s)
			}
		}
		for _, args := range [][]string{{"status"}, {"turns"}, {"diff", "latest"}, {"history"}} {
			b.ok(args...)
		}
		b.hook(event("turn-start", "H", point))
		leave()
		if s := b.ended(first); s.code != 0 {
			t.Fatalf("%s: the first rollback: %+v", point, s)
		}
		b.hook(event("turn-end", "H", point))
		b.restored(before)
		if turn := b.newest("H"); turn.Status != "ready" {
			t.Errorf("%s: the turn that began meanwhile: %+v", point, turn)
		}
		b.ok("undo")
		b.reads("a", "agent\n")
		b.ok("stage", "1", "--thread", "T")
	}
}

// passed is a fail point of that room that a call passes; the call is carried out.
func (b *book) passed(prefix string, args ...string) string {
	b.t.Helper()
	list := b.t.TempDir() + "/points"
	b.with("OVERTURN_FAIL_POINT=list:" + list).ok(args...)
	for _, name := range strings.Fields(b.readFile(list)) {
		if strings.HasPrefix(name, prefix) && strings.Count(b.readFile(list), name+"\n") >= 2 {
			return name
		}
	}
	b.t.Fatalf("overturn %q passes no point of %s twice: %s", args, prefix, b.readFile(list))
	return ""
}

// TestCollectedInBetween: git gc --prune=now runs at the moment when what was captured
// is on the disk and no ref holds it yet, of a turn and of a rollback: nothing is lost.
func TestCollectedInBetween(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.Write("a", "base\n")
	b.Commit("base")
	b.Write("dirty", "of the user, in no commit\n")
	b.start("T")
	b.Write("a", strings.Repeat("agent\n", 100))
	b.Write("new", "agent\n")
	for _, point := range []string{"ledger.flushed", "refs.apply.locked", "ledger.published"} {
		done, leave := b.pausedAt(point, "", "turn", "end", "--thread", "T")
		b.Git("gc", "-q", "--prune=now")
		leave()
		if s := b.ended(done); s.code != 0 {
			t.Fatalf("%s: %+v", point, s)
		}
		turn := b.newest("T")
		b.tipOf(turn.Ref)
		if got := b.Git("show", turn.Ref+":new"); turn.Status != "ready" || got != fmt.Sprint("agent", strings.Repeat(" again", turn.Turn-1)) {
			t.Errorf("%s: %s, new is %q", point, turn.Status, got)
		}
		b.start("T")
		b.Write("new", fmt.Sprint("agent", strings.Repeat(" again", turn.Turn), "\n"))
	}
	b.end("T")
	b.stage("1")
	after := b.world()
	for _, point := range []string{"refs.apply.locked", "journal.begin.write", "journal.end.write"} {
		b.ok("unstage")
		print := b.stage("thread").Fingerprint
		done, leave := b.pausedAt(point, "", "rollback", "--expect", print)
		b.Git("gc", "-q", "--prune=now")
		leave()
		if s := b.ended(done); s.code != 0 {
			t.Fatalf("%s: %+v", point, s)
		}
		b.reads("a", "base\n")
		b.gone("new")
		b.Git("gc", "-q", "--prune=now")
		b.undo()
		b.restored(after)
	}
}
