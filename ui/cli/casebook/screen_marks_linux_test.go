package casebook_test

import (
	"testing"

	"overturn/ui/uitest/ptytest"
)

// TestMarksOfTwoReviews: what one review marks as read shows in another
// that is open beside it, and neither loses a mark of the other.
func TestMarksOfTwoReviews(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.sh("seq 1 90 > long.txt; git add . && git commit -qm long")
	b.ok("turn", "start", "--thread", "t")
	b.sh("sed -i 's/^10$/ten/; s/^50$/fifty/; s/^80$/eighty/' long.txt")
	b.end("t")
	open := func(texts ...string) *onScreen {
		s := b.onTerminal(ptytest.Options{Width: 120, Height: 40, Env: b.terminalEnv()}, "review")
		s.wait(texts...)
		return s
	}
	one, other := open("long.txt", "hunk 1/3"), open("long.txt", "hunk 1/3")
	one.keys("\t")
	one.press(" ", "2 of 3 left", "hunk 2/3")
	other.wait("2 of 3 left", "✓ read")
	other.keys("\t]]")
	other.wait("hunk 3/3")
	other.press(" ", "1 of 3 left")
	one.wait("1 of 3 left")
	one.quit()
	other.quit()
	last := open("1 of 3 left") // it goes on where they ended
	last.quit()
}
