package casebook_test

import (
	"testing"

	"overturn/ui/uitest/ptytest"
)

// TestReviewOfANamedThread: --thread names the thread of the whole review, with a
// scope and without, however new the turns of another one are.
func TestReviewOfANamedThread(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	for _, thread := range []string{"older", "newer"} {
		b.ok("turn", "start", "--thread", thread, "--prompt", "work of the "+thread)
		b.sh("echo " + thread + " > " + thread + ".txt")
		b.end(thread)
	}
	for _, args := range [][]string{{"review", "--thread", "older"}, {"review", "1", "--thread", "older"}} {
		s := b.onTerminal(ptytest.Options{Width: 100, Height: 30, Env: b.terminalEnv()}, args...)
		s.wait("work of the older", "older.txt")
		s.lacks("newer")
		s.quit()
	}
}
