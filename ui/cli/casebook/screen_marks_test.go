package casebook_test

import (
	"strings"
	"testing"

	"overturn/ui/uitest/ptytest"
)

// TestWhatWasReadIsRemembered: a mark holds in the next review, in another comparison,
// on shifted lines and after a commit; it goes with the first byte that changes, which says so.
func TestWhatWasReadIsRemembered(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.sh("seq 1 90 > long.txt; git add . && git commit -qm long")
	b.ok("turn", "start", "--thread", "t")
	b.sh("sed -i 's/^10$/ten/; s/^50$/fifty/; s/^80$/eighty/' long.txt; chmod +x long.txt; head -c 3000 /dev/zero > zero.bin")
	b.end("t")
	open := func(args ...string) *onScreen {
		return b.onTerminal(ptytest.Options{Width: 120, Height: 40, Env: b.terminalEnv()}, args...)
	}
	s := open("review")
	s.wait("long.txt", "zero.bin", "hunk 1/3")
	s.keys("\t")
	s.press(" ", "3 of 4 left")
	s.press(" ", "2 of 4 left", "✓ read")
	s.quit()

	b.sh("sed -i '1i first' long.txt")
	s = open("review", "working")
	s.wait("3 of 5 left", "✓ read", "first")
	s.quit()
	b.sh("sed -i 's/^fifty$/fifty-one/' long.txt")
	s = open("review", "working")
	s.wait("changed since you read it", "4 of 5 left")
	s.keys("\t]]")
	s.wait("hunk 3/4")
	s.press("D", "Since you read it", "no more  +fifty", "now      +fifty-one")
	s.keys("\x1b")
	s.wait("hunk 3/4")
	s.quit()
	b.sh("git add . && git commit -qm all")
	s = open("review", "1")
	s.wait("2 of 4 left")
	s.press("F", "eighty", "hidden: read")
	s.quit()
	if out := b.ok("status"); strings.Contains(out, "marks") {
		t.Error(out)
	}
}
