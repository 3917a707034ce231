//go:build linux || darwin

package screentest_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
	"overturn/ui/uitest/ptytest"
)

// limit is how long a screen may take on a busy machine.
const limit = 60 * time.Second

// desk is a repository and the program that works in it.
type desk struct {
	*gittest.Repo
	t *testing.T
}

func (d *desk) environ(entries ...string) []string {
	env := slices.DeleteFunc(slices.Clone(d.Env.Environ), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains([]string{"TERM", "COLORTERM", "COLORFGBG", "NO_COLOR", "CI", "LC_ALL", "TMUX", "TERM_PROGRAM"}, name)
	})
	return append(append(env, "TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8"), entries...)
}

// overturn runs a verb, which must succeed.
func (d *desk) overturn(args ...string) string {
	d.t.Helper()
	cmd := exec.Command(clitest.Bin(), args...)
	cmd.Dir, cmd.Env = d.Root, d.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("overturn %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// turn records what do does as one turn.
func (d *desk) turn(prompt string, do func()) {
	d.t.Helper()
	d.overturn("turn", "start", "--thread", "T", "--agent", "generic", "--prompt", prompt)
	do()
	d.overturn("turn", "end", "--thread", "T")
}

// screen is the review on a terminal.
type screen struct {
	*ptytest.Session
	t *testing.T
}

func (d *desk) review(w, h int, entries ...string) *screen {
	d.t.Helper()
	s, err := ptytest.Start(ptytest.Options{Dir: d.Root, Env: d.environ(entries...), Width: w, Height: h}, clitest.Bin(), "review")
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(s.Close)
	return &screen{s, d.t}
}

// press types keys and waits for all texts to be on the screen at once.
func (s *screen) press(keys string, wants ...string) {
	s.t.Helper()
	if err := s.Send(keys); err != nil {
		s.t.Fatal(err)
	}
	err := s.WaitFor(limit, strings.Join(wants, " · ")+" after "+keys, func(screen string) bool {
		return !slices.ContainsFunc(wants, func(text string) bool { return !strings.Contains(screen, text) })
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// rest waits until the screen does not change any more.
func (s *screen) rest() {
	last, since := s.Text(), time.Now()
	for time.Since(since) < 60*time.Millisecond {
		time.Sleep(5 * time.Millisecond)
		if now := s.Text(); now != last {
			last, since = now, time.Now()
		}
	}
}

// quit ends the review, which must have told the terminal nothing but cells.
func (s *screen) quit() {
	s.t.Helper()
	if err := s.Send("q"); err != nil {
		s.t.Fatal(err)
	}
	if code, err := s.Exit(limit); err != nil || code != 0 {
		s.t.Fatalf("the review ended with %d (%v)\n%s", code, err, s.Text())
	}
	for what, n := range s.Notable() {
		s.t.Errorf("the terminal was told %q %d times", what, n)
	}
}
