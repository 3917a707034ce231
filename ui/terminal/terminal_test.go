//go:build unix

package terminal_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui"
	"overturn/ui/quiet"
	"overturn/ui/terminal"
	"overturn/ui/uitest"
	"overturn/ui/uitest/ptytest"
)

// TestMain is also the child on the terminal: the review, or a model that
// panics.
func TestMain(m *testing.M) {
	switch os.Getenv("OVERTURN_TEST_CHILD") {
	case "review":
		quiet.Restore()
		began := time.Now()
		clock := func() time.Time { return uitest.Now().Add(time.Since(began)) }
		err := ui.Run(context.Background(), ui.Options{Engine: uitest.Shop(), Clock: clock, In: os.Stdin, Out: os.Stdout, Getenv: os.Getenv,
			NoMouse: os.Getenv("OVERTURN_TEST_NO_MOUSE") != ""})
		fmt.Printf("ended: %v %s\n", err, model.CodeOf(err))
		os.Exit(0)
	case "hang", "panic in a frame":
		quiet.Restore()
		t, err := terminal.Open(terminal.Options{In: os.Stdin, Out: os.Stdout})
		if err == nil {
			err = terminal.Run(context.Background(), t, stuck{t, os.Getenv("OVERTURN_TEST_CHILD")}, nil)
		}
		fmt.Println("not reached", err)
		os.Exit(0)
	case "panic":
		quiet.Restore()
		t, err := terminal.Open(terminal.Options{In: os.Stdin, Out: os.Stdout})
		if err == nil {
			err = terminal.Run(context.Background(), t, bomb{}, nil)
		}
		fmt.Println("not reached", err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type bomb struct{}

func (bomb) Init() tea.Cmd { return nil }
func (b bomb) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyMsg); ok {
		panic("the sky is falling")
	}
	return b, nil
}
func (bomb) View() string { return "" }

func start(t *testing.T, child string) *ptytest.Session {
	t.Helper()
	s, err := ptytest.Start(ptytest.Options{Width: 100, Height: 30, Mute: true,
		Env: []string{"OVERTURN_TEST_CHILD=" + child, "TERM=xterm-256color", "COLORTERM=truecolor", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}}, os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

const limit = 20 * time.Second

func wait(t *testing.T, s *ptytest.Session, text string) {
	t.Helper()
	if err := s.Wait(text, limit); err != nil {
		t.Fatal(err)
	}
}

// restored tells whether what was sent gives everything back that it took.
func restored(t *testing.T, out []byte) {
	t.Helper()
	for _, mode := range []string{"1049", "1002", "1006", "1004", "2004"} {
		on, off := bytes.LastIndex(out, []byte("\x1b[?"+mode+"h")), bytes.LastIndex(out, []byte("\x1b[?"+mode+"l"))
		if on < 0 || off < on {
			t.Errorf("mode %s is left on", mode)
		}
	}
	if on, off := bytes.LastIndex(out, []byte("\x1b[?2031h")), bytes.LastIndex(out, []byte("\x1b[?2031l")); off < on {
		t.Errorf("changes of colours are still told")
	}
	for _, mode := range []string{"7", "25"} {
		on, off := bytes.LastIndex(out, []byte("\x1b[?"+mode+"h")), bytes.LastIndex(out, []byte("\x1b[?"+mode+"l"))
		if on < off {
			t.Errorf("mode %s is left off", mode)
		}
	}
	if bytes.Contains(out, []byte("\x1b]")) || bytes.Contains(out, []byte("\x1b[6n")) || bytes.Contains(out, []byte("\x1b[c")) {
		t.Errorf("the terminal was asked something")
	}
}

func TestReviewOnARealTerminal(t *testing.T) {
	s := start(t, "review")
	wait(t, s, "README.md")
	if err := s.Send("jjj<enter>]"); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "hunk 2/6")
	if err := s.Resize(60, 20); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "hunk 2/6")
	if err := s.WaitFor(limit, "a frame of the new size", func(screen string) bool {
		rows := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
		return len(rows) == 20 && strings.Contains(rows[2], "client.go") && strings.Contains(rows[19], "start of turn 7")
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Send("q"); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "ended: <nil>")
	if _, err := s.Exit(limit); err != nil {
		t.Fatal(err)
	}
	restored(t, s.Bytes())
}

// D-05 on a real terminal: neither a paste, nor a run of characters, nor the
// mouse confirms; y alone does.
func TestWhatConfirmsOnARealTerminal(t *testing.T) {
	s := start(t, "review")
	wait(t, s, "README.md")
	open := func() {
		t.Helper()
		if err := s.Write("P"); err != nil {
			t.Fatal(err)
		}
		wait(t, s, "Roll back 1 path?")
		time.Sleep(400 * time.Millisecond)
	}
	for _, keys := range []string{"j", "j", "j", "X", "P"} {
		if err := s.Send(keys); err != nil {
			t.Fatal(err)
		}
	}
	wait(t, s, "1 path · 1 clean")
	for raw, why := range map[string]string{
		"\x1b[200~y\x1b[201~": "pasted text never confirms; nothing was written",
		"yes":                 "keys came too fast; nothing was written",
		"\r":                  "cancelled; nothing was written",
	} {
		open()
		if err := s.Write("\x1b[<0;40;14M\x1b[<0;40;14m"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
		if err := s.Write(raw); err != nil {
			t.Fatal(err)
		}
		wait(t, s, why)
	}
	open()
	if err := s.Write("y"); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "rolled back: 1 restored")
}

// At rest nothing is written and no time is used.
func TestIdleOnARealTerminal(t *testing.T) {
	s := start(t, "review")
	wait(t, s, "+37 −13")
	time.Sleep(200 * time.Millisecond)
	before := len(s.Bytes())
	time.Sleep(500 * time.Millisecond)
	if after := len(s.Bytes()); after != before {
		t.Errorf("%d bytes were written at rest", after-before)
	}
}

func TestSignalsGiveTheTerminalBack(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		s := start(t, "review")
		wait(t, s, "README.md")
		if err := syscall.Kill(s.PID(), sig); err != nil {
			t.Fatal(err)
		}
		wait(t, s, "ended: the review was ended from outside cancelled")
		if _, err := s.Exit(limit); err != nil {
			t.Fatal(err)
		}
		restored(t, s.Bytes())
	}
}

func TestAPanicGivesTheTerminalBack(t *testing.T) {
	s := start(t, "panic")
	if err := s.WaitFor(limit, "the screen", func(string) bool { return bytes.Contains(s.Bytes(), []byte("\x1b[?1049h")) }); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	if err := s.Send("x"); err != nil {
		t.Fatal(err)
	}
	code, err := s.Exit(limit)
	if err != nil || code == 0 {
		t.Fatalf("exit %d, %v", code, err)
	}
	out := s.Bytes()
	restored(t, out)
	if at := bytes.Index(out, []byte("the sky is falling")); at < bytes.LastIndex(out, []byte("\x1b[?1049l")) {
		t.Errorf("the trace was printed before the terminal was given back")
	}
}

func TestNotATerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := terminal.Open(terminal.Options{In: r, Out: w}); model.CodeOf(err) != model.CodeUsage {
		t.Errorf("a pipe was taken for a terminal: %v", err)
	}
}
