package casebook_test

import (
	"os"
	"testing"
	"time"

	"overturn/ui/cli/clitest"
	"overturn/ui/uitest/ptytest"
)

// screen opens the real review on a terminal of 100 by 30; it is closed with the
// test. Without args it is "overturn" alone.
func (b *book) screen(args ...string) *ptytest.Session {
	b.t.Helper()
	env := append(append([]string(nil), b.env...), "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=", "PATH="+os.Getenv("PATH"))
	s, err := ptytest.Start(ptytest.Options{Dir: b.dir, Env: env, Width: 100, Height: 30}, clitest.Bin(), args...)
	if err != nil {
		b.t.Fatal(err)
	}
	if t, ok := b.t.(*testing.T); ok {
		t.Cleanup(s.Close)
	}
	return s
}

// leave ends the review by its key; it must exit 0.
func (b *book) leave(s *ptytest.Session) {
	b.t.Helper()
	if err := s.Send("q"); err != nil {
		b.t.Fatal(err)
	}
	if code, err := s.Exit(20 * time.Second); err != nil || code != 0 {
		b.t.Fatalf("the review ended with %d, %v\n%s", code, err, s.Text())
	}
}
