//go:build unix

package terminal_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/style"
	"overturn/ui/uitest/ptytest"
	"overturn/ui/uitest/vt"
)

// ground is what a theme's bar stands on.
func ground(theme themes.Theme) uint32 {
	term := vt.New(1, 1)
	term.Feed([]byte(style.New(theme, termenv.TrueColor).On(themes.Bar, style.OnBar) + "x"))
	return term.Cells()[0][0].Style.BG
}

// The theme follows the terminal: a light one is asked once, and told of changes;
// one that never answers has the review all the same; a theme that was chosen stays.
func TestTheThemeFollowsTheTerminal(t *testing.T) {
	s, err := ptytest.Start(ptytest.Options{Width: 100, Height: 30, Light: true,
		Env: []string{"OVERTURN_TEST_CHILD=review", "TERM=xterm-256color", "COLORTERM=truecolor", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}}, os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	painted := func(theme themes.Theme) {
		t.Helper()
		if err := s.WaitFor(limit, "the theme "+theme.Name, func(string) bool { return s.Cells()[0][90].Style.BG == ground(theme) }); err != nil {
			t.Fatal(err)
		}
	}
	wait(t, s, "README.md")
	painted(themes.Paper())
	for _, told := range []struct {
		n    int
		want themes.Theme
	}{{1, themes.Dusk()}, {2, themes.Paper()}} {
		if err := s.Write(fmt.Sprintf("\x1b[?997;%dn", told.n)); err != nil {
			t.Fatal(err)
		}
		painted(told.want)
	}
	if err := s.Write("T"); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "theme contrast")
	if err := s.Write("\x1b[?997;1n\x1b[?997;2n?"); err != nil {
		t.Fatal(err)
	}
	wait(t, s, "Help")
	painted(themes.Contrast())
	for _, k := range []string{"?", "q"} {
		if err := s.Send(k); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Exit(limit); err != nil {
		t.Fatal(err)
	}
	restored(t, s.Bytes())
	if n := bytes.Count(s.Bytes(), []byte("\x1b[?996n")); n != 1 {
		t.Errorf("the terminal was asked %d times", n)
	}
}

// Where a theme is named, or where there is but one that fits, nothing is asked.
func TestNothingIsAskedInVain(t *testing.T) {
	for _, env := range []string{"TERM=xterm", "NO_COLOR=1", "COLORFGBG=15;0"} {
		s, err := ptytest.Start(ptytest.Options{Width: 100, Height: 30, Light: true,
			Env: []string{"TERM=xterm-256color", "OVERTURN_TEST_CHILD=review", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), env}}, os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		wait(t, s, "README.md")
		time.Sleep(50 * time.Millisecond)
		if bytes.Contains(s.Bytes(), []byte("996")) || bytes.Contains(s.Bytes(), []byte("2031h")) {
			t.Errorf("%s: the terminal was asked", env)
		}
	}
}
