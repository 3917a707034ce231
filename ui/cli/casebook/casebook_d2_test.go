package casebook_test

import (
	"math/rand/v2"
	"strings"
	"time"

	"overturn/ui/uitest/ptytest"
)

// caseKeysByAccident: bursts of keys and pastes confirm nothing.
func caseKeysByAccident(b *book) {
	b.Write("a", "base\n")
	b.Write("b", "base\n")
	b.Commit("base")
	b.turn("T", func() { b.Write("a", "agent\n"); b.Write("b", "agent\n") })
	b.rollback("latest", "--", "b") // so that there is something to undo and redo
	b.undo()
	b.ok("stage", "latest")
	before := b.world()
	s := b.with("EDITOR=true", "VISUAL=true").screen()
	b.see(s, "2 staged")
	rnd := rand.New(rand.NewPCG(5, 5))
	const keys = "PPPPyyyy22uUxX jkhlgG[](),.123456789nN/:?otiTRzZ+-vswWcFpY"
	for range 4 {
		var burst strings.Builder
		for range 80 {
			burst.WriteByte(keys[rnd.IntN(len(keys))])
			if rnd.IntN(8) == 0 {
				burst.WriteString([]string{"\r", "\x1b", "\t", " "}[rnd.IntN(4)])
			}
		}
		b.typed(s, burst.String())
		b.typed(s, "\x1b[200~PPy2y\r\n2\ruyUy\x1b[201~")
		b.same(before)
	}
	s.Close()
	b.same(before)
	b.stage("latest") // the keys may have taken paths out
	s = b.screen()
	b.see(s, "2 staged")
	// The dialog itself, opened on purpose: a paste, a burst, the key that opened
	// it and Enter do not confirm. What does is the number, typed.
	for _, keys := range []string{"\x1b[200~2\x1b[201~", "2222", "PPPP", "2\r"} {
		b.confirmation(s)
		b.typed(s, keys)
		b.same(before)
	}
	b.confirmation(s)
	b.typed(s, "2")
	b.see(s, "rolled back")
	b.leave(s)
	b.reads("a", "base\n")
	if h := b.ok("history"); strings.Count(h, "\n") != 3 {
		b.t.Errorf("history: %s", h)
	}
}

// confirmation opens the question whether the plan is to be carried out, from
// wherever the screen is, and waits until it takes keys.
func (b *book) confirmation(s *ptytest.Session) {
	b.t.Helper()
	for range 3 {
		b.typed(s, "\x1b")
	}
	for range 10 { // what was read still has to be drawn
		b.typed(s, "P")
		if s.Wait("Patch  fingerprint", 3*time.Second) == nil {
			break
		}
	}
	for range 10 { // while the plan is read anew, nothing is asked
		b.typed(s, "P")
		if s.Wait("Roll back 2 paths", 3*time.Second) == nil {
			break
		}
	}
	b.see(s, "Roll back 2 paths")
	time.Sleep(270 * time.Millisecond)
}

// typed sends keys as a terminal does and gives the screen time to take them.
func (b *book) typed(s *ptytest.Session, keys string) {
	b.t.Helper()
	if err := s.Send(keys); err != nil {
		b.t.Fatal(err)
	}
	time.Sleep(40 * time.Millisecond)
}

// see waits until text is on the screen.
func (b *book) see(s *ptytest.Session, text string) {
	b.t.Helper()
	if err := s.Wait(text, 20*time.Second); err != nil {
		b.t.Fatal(err)
	}
}

// caseUndoOfTouchedPaths: undo and redo know the paths that they touched, and
// nothing wider.
func caseUndoOfTouchedPaths(b *book) {
	for _, p := range []string{"root", "other", "sub/f", "sub/g"} {
		b.Write(p, "base\n")
	}
	b.Commit("base")
	sub := b.in("sub")
	b.turn("root", func() { b.Write("root", "of the root's session\n") })
	sub.turn("sub", func() { b.Write("sub/f", "of the session in sub\n") })
	b.Write("other", "changed outside of all sessions\n")
	before := b.world()
	if r := sub.rollback("latest"); r.paths() != "restored sub/f" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.same(before, "sub/f")
	b.Write("root", "changed after the rollback\n")
	b.Write("sub/g", "changed after the rollback\n")
	before = b.world()
	if r := sub.undo(); r.paths() != "restored sub/f" {
		b.t.Errorf("undo: %s", r.paths())
	}
	b.same(before, "sub/f")
	b.reads("sub/f", "of the session in sub\n")
	b.Remove("other")
	before = b.world()
	sub.ok("redo")
	b.same(before, "sub/f")
	b.reads("sub/f", "base\n")
}

// caseCommittedAndDirty: a turn that committed a file which the user then edited
// is a conflict; both versions stay within reach, and HEAD stays.
func caseCommittedAndDirty(b *book) {
	const agent, user = "of the agent, committed\n", "of the agent, edited by the user\n"
	b.Write("f", "base\n")
	b.Commit("base")
	b.turn("T", func() {
		b.Write("f", agent)
		b.sh("unset GIT_COMMITTER_DATE; git commit -q -a -m 'by the agent'") // an old date would be that of a branch switched to
	})
	b.Write("f", user)
	before := b.world()
	if p := b.stage("latest"); p.verdicts() != "f write conflict" {
		b.t.Errorf("plan: %s", p.verdicts())
	}
	b.refusal()
	b.same(before)
	b.reachable(agent)
	b.rollback("latest", "--method", "restore", "--discard-edits", "--", "f") // asked for in so many words
	b.reads("f", "base\n")
	b.reachable(agent)
	b.reachable(user)
	b.undo()
	b.restored(before)
	if head := b.Git("log", "--format=%s", "-1"); head != "by the agent" {
		b.t.Errorf("HEAD is %q", head)
	}
}

// reachable holds that a content is below some ref.
func (b *book) reachable(content string) {
	b.t.Helper()
	oid := b.GitInput(content, "hash-object", "--stdin")
	if !strings.Contains(b.Git("rev-list", "--objects", "--all"), oid) {
		b.t.Errorf("no ref holds %q", content)
	}
}

// caseTrimmedByHand: taking away a line of what the agent made is an edit of the
// user's, not a rejection of the rest.
func caseTrimmedByHand(b *book) {
	b.Write("a", "base\n")
	b.Commit("base")
	b.turn("T", func() { b.Write("new", "one\ntwo\nthree\n"); b.Write("a", "agent\n") })
	s := b.screen()
	b.see(s, "new")
	b.Write("new", "one\ntwo\n")
	before := b.world()
	b.typed(s, "R")
	b.typed(s, "1")
	b.see(s, "new")
	b.typed(s, "3")
	b.see(s, "new")
	b.leave(s)
	b.same(before)
	if turn := b.show("T", "1"); turn.names() != "a modified, new added" {
		b.t.Errorf("turn: %s", turn.names())
	}
	if p := b.stage("latest"); p.verdicts() != "a write clean, new delete conflict" {
		b.t.Errorf("plan: %s", p.verdicts())
	}
	b.refusal()
	b.same(before)
}

// caseSeenFromAnywhere: what was recorded in one folder is listed in every other
// of the work tree.
func caseSeenFromAnywhere(b *book) {
	b.Write("a/b/f", "base\n")
	b.Write("c/g", "base\n")
	b.Commit("base")
	b.in("a/b").turn("T", func() { b.Write("a/b/f", "agent\n"); b.Write("c/g", "agent\n") })
	for _, folder := range []string{"", "a", "a/b", "c"} {
		at := b.in(folder)
		if turns := at.ok("turns"); strings.Count(turns, "\n") != 1 {
			b.t.Errorf("from %q: turns %q", folder, turns)
		}
		if threads := at.ok("threads"); !strings.Contains(threads, "T") {
			b.t.Errorf("from %q: threads %q", folder, threads)
		}
		if turn := at.show("T", "1"); turn.names() != "a/b/f modified, c/g modified" {
			b.t.Errorf("from %q: %s", folder, turn.names())
		}
		if p := at.stage("latest"); p.verdicts() != "a/b/f write clean, c/g write clean" {
			b.t.Errorf("from %q: %s", folder, p.verdicts())
		}
	}
	b.in("c").carry(0)
	b.reads("a/b/f", "base\n")
	if h := b.in("a").ok("history"); !strings.Contains(h, "rollback") {
		b.t.Errorf("history: %q", h)
	}
}
