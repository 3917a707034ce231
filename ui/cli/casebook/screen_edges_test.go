package casebook_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"overturn/ui/uitest/ptytest"
)

// TestScreenNeverByAccident: on a plan that y alone confirms, nothing but a y by
// itself, a moment after the dialog came, does.
func TestScreenNeverByAccident(t *testing.T) {
	t.Parallel()
	b := demoBook(t)
	before := b.world()
	s := b.review(100, 30)
	s.press("", "+orders a day: 500")
	s.press("<enter>x", "● 1 staged")
	for name, keys := range map[string]string{
		"a burst": "yy", "a word": "yes", "the key in a word": "my", "a paste": "\x1b[200~y\x1b[201~", "a long paste": "\x1b[200~Py\ny\x1b[201~",
		"Enter": "<enter>", "the key that opened it": "P", "y and Enter": "y<enter>", "many": strings.Repeat("y", 200), "Alt": "\x1by",
		"a click": "\x1b[<0;50;20M\x1b[<0;50;20m", "the wheel": "\x1b[<64;50;20M", "a capital": "Y", "a digit": "1", "space": " ",
	} {
		s.press("P", "Plan of what is staged", "1 path · 1 clean")
		s.press("P", "Roll back 1 path?")
		time.Sleep(300 * time.Millisecond)
		s.keys(keys)
		s.rest()
		b.same(before)
		if b.plan().verdicts() == "" {
			t.Errorf("%s: the staged set is empty", name)
		}
		for range 3 { // up to the review, wherever that led
			if !strings.Contains(s.Text(), "turn 4, start") || strings.Contains(s.Text(), "Plan of what") {
				s.keys("<esc>")
				s.rest()
			}
		}
	}
	// The whole way in one burst, and pasted: the y falls into the first moments of
	// the dialog, or before it.
	for range 5 {
		s.keys("PPy")
		s.rest()
		s.keys("\x1b[200~PPy\x1b[201~")
		s.rest()
		// what came while the plan was worked out is carried out, and opens the
		// dialog, only when the plan is there: each Esc waits for the screen
		for left := 100; left > 0 && (!strings.Contains(s.Text(), "turn 4, start") || strings.Contains(s.Text(), "Plan of what")); left-- {
			s.keys("<esc>")
			s.rest()
		}
		s.press("3", "turn 4, start")
	}
	b.same(before)
	s.Close()
	if h := b.ok("history"); h != "" {
		t.Errorf("history: %s", h)
	}
	b.same(before)
}

// TestScreenEmpty: where there is nothing to show, the review says what to do.
func TestScreenEmpty(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		b := openBook(t)
		s := b.review(size[0], size[1]) // no commit, no file, no turn
		s.wait("none recorded yet", "Nothing differs")
		s.press("3", "No turn is recorded here yet", "No agent was found", "overturn run")
		s.press("4", "No turn is recorded here yet")
		for _, keys := range []string{"x", "X", "P", "<esc>", "u", "i", "o", "<esc>", "/a<enter>", "e", "p", "<esc>", "("} {
			s.keys(keys)
			s.rest()
		}
		s.quit()

		b.sh("mkdir -p \"$HOME/.claude\"") // an agent, its hook not installed
		s = b.review(size[0], size[1])
		s.press("3", "No turn is recorded here yet", "overturn enable claude-code")
		s.quit()

		b.ok("enable", "claude-code")
		s = b.review(size[0], size[1])
		s.press("3", "The hooks of claude-code are in place")
		// The first turn comes by itself.
		b.turn("T", func() { b.Write("f", "made\n") })
		s.press("", "1 R ready", "+made")
		s.quit()
	}

	outside := openBook(t).At(t.TempDir())
	s := bookOf(t, outside).review(80, 24)
	if code, err := s.Exit(screenLimit); err != nil || code != 10 || !strings.Contains(s.Text(), "git init") || bytes.Contains(s.Bytes(), []byte("\x1b")) {
		t.Errorf("no repository: %d, %v, %q", code, err, s.Bytes())
	}
}

// verbsOnTerminals is one call of each verb, with its exit code; those that are
// asked in the middle of their work are not among them.
func verbsOnTerminals() map[string]struct {
	args string
	code int
} {
	return map[string]struct {
		args string
		code int
	}{
		"agents": {"agents", 0}, "comments": {"comments --prompt", 0}, "checkpoint": {"checkpoint list", 0}, "config": {"config list --origin", 0}, "completion": {"completion bash", 0}, "diff": {"diff 1", 0}, "doctor": {"doctor", 0},
		"disable": {"disable", 0}, "enable": {"enable claude-code", 0}, "help": {"help", 0}, "history": {"history", 0}, "man": {"man", 0},
		"plan": {"plan --patch", 0}, "recover": {"recover", 0}, "redo": {"redo", 2}, "revert": {"revert --to 2 --plan", 0}, "rollback": {"rollback", 2}, "run": {"run -- true", 0},
		"pager": {"pager --help", 0}, "show": {"show 1", 0}, "stage": {"stage nowhere", 2}, "status": {"status", 0}, "sync": {"sync status", 0}, "themes": {"themes", 0}, "threads": {"threads", 0},
		"trace": {"trace", 0}, "turn": {"turn touch --thread nobody f", 2}, "turns": {"turns", 0}, "undo": {"undo", 2},
		"unstage": {"unstage", 0}, "version": {"version", 0}, "hook": {"hook nobody", 0},
	}
}

// TestMuteTerminal: on a terminal that answers nothing every verb writes its own
// bytes, as into a pipe, and asks it nothing: libraries ask a terminal for its colours,
// and wait for an answer.
func TestMuteTerminal(t *testing.T) {
	t.Parallel()
	b := demoBook(t)
	calls := verbsOnTerminals()
	for _, line := range strings.Split(b.ok("--help"), "\n") {
		verb, _, _ := strings.Cut(strings.TrimPrefix(line, "  "), " ")
		if strings.HasPrefix(line, "  ") && len(line) > 14 && line[2] >= 'a' && line[13] == ' ' && line[14] != ' ' {
			if _, ok := calls[verb]; !ok && verb != "review" && verb != "demo" && verb != "overturn" {
				t.Errorf("%s is not tried", verb)
			}
		}
	}
	for verb, call := range calls {
		args := strings.Fields(call.args)
		piped := b.overturn(args...)
		s := b.onTerminal(ptytest.Options{Width: 80, Height: 24, Mute: true, Env: b.terminalEnv()}, args...)
		code, err := s.Exit(screenLimit)
		if err != nil || code != call.code {
			t.Errorf("%s: exit code %d, %v\n%s", verb, code, err, s.Text())
		}
		out := string(s.Bytes())
		if strings.Contains(out, "\x1b") {
			t.Errorf("%s writes escape sequences: %q", verb, out[strings.Index(out, "\x1b"):])
		}
		steady := map[string]bool{"run": true, "enable": true, "disable": true, "trace": true, "status": true, "turns": true, "threads": true, "agents": true, "doctor": true}
		if got := strings.ReplaceAll(out, "\r\n", "\n"); !steady[verb] && len(got) != len(piped.stdout)+len(piped.stderr) {
			t.Errorf("%s: %q on a terminal, %q and %q into pipes", verb, got, piped.stdout, piped.stderr)
		}
	}
}
