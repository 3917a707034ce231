//go:build unix

package terminal_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui/frame"
	"overturn/ui/terminal"
	"overturn/ui/uitest/ptytest"
)

// stuck hangs at the first key, or shows a frame that the painter fails on.
type stuck struct {
	t   *terminal.Terminal
	how string
}

func (stuck) Init() tea.Cmd { return nil }
func (s stuck) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyMsg); !ok {
		return s, nil
	}
	if s.how == "hang" {
		fmt.Print("it hangs")
		select {}
	}
	s.t.Show(&frame.Frame{W: 10, H: 10}) // without rows
	return s, nil
}
func (stuck) View() string { return "" }

// script runs a shell script on a terminal, with this test's program as $0.
func script(t *testing.T, text string, more ...string) *ptytest.Session {
	t.Helper()
	s, err := ptytest.Start(ptytest.Options{Width: 100, Height: 30, Mute: true, Dir: t.TempDir(),
		Env: append([]string{"OVERTURN_TEST_CHILD=review", "TERM=xterm-256color", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, more...)}, "sh", "-c", text, os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// cooked tells whether the terminal, as stty -a shows it, echoes and reads lines.
func cooked(t *testing.T, s *ptytest.Session) {
	t.Helper()
	words := strings.Fields(s.Text())
	for _, bit := range []string{"icanon", "echo", "isig", "icrnl", "opost"} {
		found := false
		for _, w := range words {
			found = found || strings.Trim(w, ";") == bit
			if w == "-"+bit {
				t.Errorf("the terminal is left with %s", w)
			}
		}
		if !found {
			t.Errorf("stty does not show %s:\n%s", bit, s.Text())
		}
	}
}

// Ctrl+Z gives the terminal to the shell as it was, and fg brings the review back.
func TestSuspendAndResume(t *testing.T) {
	s := script(t, `set -m; "$0"; stty -a; echo "stopped here"; read line; echo "was $line"; fg; echo "came back: $?"`)
	wait(t, s, "README.md")
	if err := s.Send("<c-z>"); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "stopped here")
	restored(t, s.Bytes())
	cooked(t, s)
	if err := s.Write("typed\n"); err != nil { // the shell reads lines again
		t.Fatal(err)
	}
	wait(t, s, "README.md")
	if err := s.Resize(70, 20); err != nil {
		t.Fatal(err)
	}
	if err := s.Send("j?"); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "Esc closes")
	if err := s.Send("q"); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "came back: 0")
	if !strings.Contains(s.Text(), "was typed") {
		t.Errorf("the screen of the shell is not as it was:\n%s", s.Text())
	}
	restored(t, s.Bytes())
}

// Where no shell would go on with it the review is not stopped, and says so.
func TestNotSuspendedWithoutAShell(t *testing.T) {
	s := start(t, "review")
	wait(t, s, "README.md")
	if err := s.Send("<c-z>"); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "no shell waits")
}

// After SIGKILL nothing is given back; the next review on that terminal does it when it
// ends.
func TestTheNextReviewMendsWhatAKilledOneLeft(t *testing.T) {
	s := script(t, `sh -c 'echo $$ > pid; exec "$0"' "$0"; echo "killed"; OVERTURN_TEST_NO_MOUSE=1 "$0"; stty -a; echo "second ended"`)
	wait(t, s, "README.md")
	text, err := os.ReadFile(filepath.Join(s.Dir(), "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := s.WaitFor(limit, "the second review", func(screen string) bool {
		return bytes.Count(s.Bytes(), []byte("\x1b[?1049h")) == 2 && strings.Contains(screen, "README.md")
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Send("q"); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "second ended")
	cooked(t, s)
	restored(t, s.Bytes())
}

// A loop that hangs does not keep the terminal from SIGTERM; SIGQUIT gives it back too.
func TestAHangingLoopGivesTheTerminalBack(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGQUIT} {
		s := start(t, "hang")
		if err := s.WaitFor(limit, "the screen", func(string) bool { return bytes.Contains(s.Bytes(), []byte("\x1b[?1049h")) }); err != nil {
			t.Fatal(err)
		}
		if err := s.Send("x"); err != nil {
			t.Fatal(err)
		}
		wait(t, s, "it hangs")
		if err := syscall.Kill(s.PID(), sig); err != nil {
			t.Fatal(err)
		}
		if code, err := s.Exit(limit); err != nil || code == 0 {
			t.Fatalf("exit %d, %v", code, err)
		}
		restored(t, s.Bytes())
	}
}

func TestAPanicWhilePaintingGivesTheTerminalBack(t *testing.T) {
	s := start(t, "panic in a frame")
	if err := s.WaitFor(limit, "the screen", func(string) bool { return bytes.Contains(s.Bytes(), []byte("\x1b[?1049h")) }); err != nil {
		t.Fatal(err)
	}
	if err := s.Send("x"); err != nil {
		t.Fatal(err)
	}
	if code, err := s.Exit(limit); err != nil || code == 0 {
		t.Fatalf("exit %d, %v", code, err)
	}
	out := s.Bytes()
	restored(t, out)
	if at := bytes.Index(out, []byte("painter")); at < bytes.LastIndex(out, []byte("\x1b[?1049l")) {
		t.Errorf("the trace was printed before the terminal was given back")
	}
}

// Whatever sizes come, in whatever order, the last one is what is drawn, whole.
func TestResizeStorm(t *testing.T) {
	s := start(t, "review")
	wait(t, s, "README.md")
	rng := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		if err := s.Resize(rng.IntN(200)+1, rng.IntN(60)+1); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Send("j"); err != nil {
		t.Fatal(err)
	}
	if err := s.Resize(90, 25); err != nil {
		t.Fatal(err)
	}
	if err := s.WaitFor(limit, "a frame of the last size", func(screen string) bool {
		rows := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
		return len(rows) == 25 && strings.Contains(rows[0], "overturn") && strings.Contains(rows[24], "start of turn 7")
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Send("q"); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "ended: <nil>")
}

// M leaves the mouse to the terminal at once, and an editor or a resume does not take
// it again; the setting does so from the start.
func TestTheMouseIsLeft(t *testing.T) {
	s := script(t, `"$0"`, "OVERTURN_TEST_NO_MOUSE=1")
	wait(t, s, "README.md")
	if bytes.Contains(s.Bytes(), []byte("\x1b[?1002h")) {
		t.Error("the mouse was taken")
	}
	last := func(on bool) func(string) bool {
		return func(string) bool {
			out := s.Bytes()
			return bytes.LastIndex(out, []byte("\x1b[?1002h")) > bytes.LastIndex(out, []byte("\x1b[?1002l")) == on
		}
	}
	for i, on := range []bool{true, false, true} {
		if err := s.Send("M"); err != nil {
			t.Fatal(err)
		}
		if err := s.WaitFor(limit, fmt.Sprintf("the mouse, time %d", i), last(on)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Send("M<c-l>"); err != nil { // the whole screen again
		t.Fatal(err)
	}
	if err := s.WaitFor(limit, "the mouse is left", last(false)); err != nil {
		t.Fatal(err)
	}
}

func TestSynchronises(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"TERM": "xterm-256color"}, true}, {map[string]string{"TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"}, true},
		{map[string]string{"TERM": "screen", "STY": "1.pts"}, false}, {map[string]string{"TERM": "screen", "STY": "1", "TMUX": "x"}, true},
		{map[string]string{"TERM": "linux"}, false}, {map[string]string{"TERM": "dumb"}, false}, {nil, false}, {map[string]string{"TERM": "vt100"}, false},
		{map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, false},
	} {
		if got := terminal.Synchronises(func(n string) string { return c.env[n] }); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}
