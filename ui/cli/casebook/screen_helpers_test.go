package casebook_test

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"overturn/ui/cli/clitest"
	"overturn/ui/uitest/ptytest"
	"overturn/ui/uitest/vt"
)

// screenLimit is how long a screen may take; it comes within a blink where the
// machine has nothing else to do.
const screenLimit = 30 * time.Second

// onScreen is the real binary on a terminal.
type onScreen struct {
	*ptytest.Session
	b *book
}

// terminalEnv is the environment of the book with a terminal of all colours;
// further entries go over it.
func (b *book) terminalEnv(entries ...string) []string {
	var env []string
	for _, e := range b.env {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "TERM", "COLORTERM", "COLORFGBG", "NO_COLOR", "CI", "TERM_PROGRAM", "TMUX", "LC_ALL":
		default:
			env = append(env, e)
		}
	}
	return append(append(env, "TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8"), entries...)
}

// review opens the review on a terminal of w×h.
func (b *book) review(w, h int, entries ...string) *onScreen {
	b.t.Helper()
	return b.onTerminal(ptytest.Options{Width: w, Height: h, Env: b.terminalEnv(entries...)}, "review")
}

func (b *book) onTerminal(o ptytest.Options, args ...string) *onScreen {
	b.t.Helper()
	o.Dir, o.Attr = b.dir, b.attr
	s, err := ptytest.Start(o, clitest.Bin(), args...)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(s.Close)
	return &onScreen{s, b}
}

// wait waits until all texts are on the screen at once.
func (s *onScreen) wait(texts ...string) {
	s.b.t.Helper()
	s.until(strings.Join(texts, " · "), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// until waits for a screen as wanted.
func (s *onScreen) until(what string, wanted func(screen string) bool) {
	s.b.t.Helper()
	if err := s.WaitFor(screenLimit, what, wanted); err != nil {
		s.b.t.Fatal(err)
	}
}

// lacks holds that no text is on the screen.
func (s *onScreen) lacks(texts ...string) {
	s.b.t.Helper()
	screen := s.Text()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			s.b.t.Errorf("%q is on the screen:\n%s", text, screen)
		}
	}
}

// keys types.
func (s *onScreen) keys(keys string) {
	s.b.t.Helper()
	if err := s.Send(keys); err != nil {
		s.b.t.Fatal(err)
	}
}

// press types keys and waits for texts.
func (s *onScreen) press(keys string, texts ...string) {
	s.b.t.Helper()
	s.keys(keys)
	s.wait(texts...)
}

// quit leaves the review, which must have told the terminal nothing beyond cells.
func (s *onScreen) quit() {
	s.b.t.Helper()
	s.keys("q")
	if code, err := s.Exit(screenLimit); err != nil || code != 0 {
		s.b.t.Fatalf("the review ended with %d (%v); the screen is\n%s", code, err, s.Text())
	}
	for what, n := range s.Notable() {
		s.b.t.Errorf("the terminal was told %q %d times", what, n)
	}
}

// rest waits until the screen does not change any more.
func (s *onScreen) rest() string {
	last, since := s.Text(), time.Now()
	for time.Since(since) < 100*time.Millisecond {
		time.Sleep(10 * time.Millisecond)
		if now := s.Text(); now != last {
			last, since = now, time.Now()
		}
	}
	return last
}

// seeEach goes through the pane with the focus until every text was on the screen.
func (s *onScreen) seeEach(texts []string) {
	s.b.t.Helper()
	s.keys("g")
	missing := slices.Clone(texts)
	for range 20 {
		screen := s.rest()
		missing = slices.DeleteFunc(missing, func(text string) bool { return strings.Contains(screen, text) })
		if len(missing) == 0 {
			return
		}
		s.keys("<c-d>")
	}
	s.b.t.Errorf("%q never came; the last screen is\n%s", missing, s.Text())
}

// find is the cell where a text of plain letters begins.
func (s *onScreen) find(text string) (vt.Cell, bool) {
	for _, row := range s.Cells() {
		for x := 0; x+len(text) <= len(row); x++ {
			if at(row[x:], text) {
				return row[x], true
			}
		}
	}
	return vt.Cell{}, false
}

func at(row []vt.Cell, text string) bool {
	for i, r := range []rune(text) {
		if i >= len(row) || row[i].R != r {
			return false
		}
	}
	return true
}

// forgetLook lets the next review begin as the first one did.
func (b *book) forgetLook() {
	b.t.Helper()
	if err := os.Remove(b.Path(".git/overturn/review.json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.t.Fatal(err)
	}
}
