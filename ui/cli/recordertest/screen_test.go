//go:build linux || darwin

package recordertest

import (
	"os"
	"strings"
	"testing"
	"time"

	"overturn/ui/cli/clitest"
	"overturn/ui/uitest/ptytest"
)

// limit is how long a screen may take on a busy machine.
const limit = 60 * time.Second

// TestReviewOfOthers: a turn of T3 Code's opens in the review, stands in the list of all
// turns and among the threads, and nothing is offered for repair on its card.
func TestReviewOfOthers(t *testing.T) {
	h := lived(t)
	h.run(0, "turn", "start", "--thread", "ours", "--agent", "generic", "--prompt", "our own")
	h.run(0, "turn", "end", "--thread", "ours")
	env := append(clitest.Hermetic(h.Home), "PATH="+os.Getenv("PATH"), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	s, err := ptytest.Start(ptytest.Options{Dir: h.Root, Env: env, Width: 120, Height: 40}, clitest.Bin(), "review", "--thread", "t3:talk")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	wait := func(words ...string) {
		t.Helper()
		for _, w := range words {
			if err := s.Wait(w, limit); err != nil {
				t.Fatalf("%q: %v", w, err)
			}
		}
	}
	press := func(keys string) {
		t.Helper()
		if err := s.Send(keys); err != nil {
			t.Fatal(err)
		}
	}
	wait("t3-code t3:talk", "deep/", "a.txt")
	press("i")
	wait("kept in", "T3 Code", "refs/t3/checkpoints/")
	if text := s.Text(); strings.Contains(text, "overturn doctor") {
		t.Errorf("a repair is offered:\n%s", text)
	}
	press("<esc>L")
	wait("our own", "t3:v2:", "codex entire:plain")
	press("<esc>O")
	wait("T3 Code", "the Entire CLI")
	press("<esc>q")
	if code, err := s.Exit(limit); err != nil || code != 0 {
		t.Errorf("exit code %d, %v", code, err)
	}
}
