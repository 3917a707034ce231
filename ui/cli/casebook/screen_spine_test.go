package casebook_test

import (
	"strings"
	"testing"
	"time"

	"overturn/ui/panes/confirm"
)

// TestScreenTurnsAsTheSpine: two agents in one work tree, on the real binary: the list
// of turns, the other thread, a range, who wrote each line, what is back already, and a
// take-back that waits for the end of a turn.
func TestScreenTurnsAsTheSpine(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.sh("printf 'one\ntwo\nthree\nfour\nfive\nsix\n' > f; git add f; git commit -qm base")
	turn := func(thread, agent, prompt, script string) {
		b.ok("turn", "start", "--thread", thread, "--agent", agent, "--prompt", prompt)
		b.sh(script)
		b.end(thread)
	}
	turn("A", "claude-code", "the first of A", "sed -i 's/two/A one/' f")
	turn("B", "codex", "the first of B", "sed -i 's/four/B one/' f; echo b > b.txt")
	b.sh("sed -i 's/six/mine/' f")
	turn("A", "claude-code", "the second of A", "sed -i 's/three/A two/' f")

	s := b.review(120, 30)
	s.wait("claude-code A", "2 R ready the second of A")
	s.press("L", "1 R ready", "the first of B", "codex B", "the second of A")
	s.press("<esc>V(", "Turns 1 to 2", "[1 R ready the first of A", "b.txt")
	s.press("V3j<enter>b", "  ·    1   1  one", "  1    2   2  A one", "  2        3 +A two", " '1    4   4  B one", "you    6   6  mine")
	s.press("O", "codex B  the first of B", "shown")
	s.press("<esc>", "turn 2, start")

	// What is taken back by hand is shown so.
	b.sh("sed -i 's/A two/three/' f")
	s.press("R", "already back")
	b.sh("sed -i 's/three/A two/' f")
	s.keys("R")
	s.until("the hunk is there again", func(screen string) bool { return !strings.Contains(screen, "already back") })

	b.ok("turn", "start", "--thread", "B", "--agent", "codex", "--prompt", "the second of B")
	s.press("XP", "1 path · 1 clean")
	s.press("P", "turn 2 of codex runs   w waits for its end")
	time.Sleep(2 * confirm.Grace)
	s.press("w", "at the end of turn 2 of codex, by this review")
	time.Sleep(2 * confirm.Grace)
	s.press("y", "waits for turn 2 of codex")
	if status := b.ok("status"); !strings.Contains(status, "waits for the end of turn 2 of codex: a review that is open carries it out then") {
		t.Errorf("status says\n%s", status)
	}
	b.reads("f", "one\nA one\nA two\nB one\nfive\nmine\n")
	b.end("B")
	s.wait("the turn ended · rolled back: 1 restored")
	b.reads("f", "one\nA one\nthree\nB one\nfive\nmine\n")
	s.quit()
}
