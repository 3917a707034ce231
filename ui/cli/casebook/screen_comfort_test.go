//go:build linux || darwin

package casebook_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/ui/uitest/ptytest"
)

// TestScreenEditorAndBack: e opens the editor at the line under the cursor, on a
// terminal that echoes and reads lines; back in the review the screen, the mouse and
// what was saved are there.
func TestScreenEditorAndBack(t *testing.T) {
	t.Parallel()
	b := demoBook(t)
	dir := t.TempDir()
	editor, log := filepath.Join(dir, "vim"), filepath.Join(dir, "log")
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" >> '" + log + "'\nstty -a >> '" + log + "'\necho 'in the editor'\nread word\nprintf '%s\\n' \"saved $word\" >> \"$2\"\n"
	if err := os.WriteFile(editor, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	b.Git("config", "core.editor", "touch '"+log+".trap'; false") // as it may come with a repository
	s := b.review(100, 30, "VISUAL="+editor)
	s.press("1", "HEAD ")
	s.press("p", "file:")
	s.press("limits<enter>", "+orders a day: 500")
	s.press("<tab>jjj", "hunk 1/")
	s.press("e", "in the editor")
	if out := s.Bytes(); bytes.LastIndex(out, []byte("\x1b[?1049l")) < bytes.LastIndex(out, []byte("\x1b[?1049h")) {
		t.Error("the editor was started on the review's screen")
	}
	s.press("words\n", "saved words")
	if out := s.Bytes(); bytes.LastIndex(out, []byte("\x1b[?1002h")) < bytes.LastIndex(out, []byte("\x1b[?1002l")) {
		t.Error("the mouse is dead after the editor")
	}
	if _, err := os.Stat(log + ".trap"); err == nil {
		t.Error("the editor that the repository names was run")
	}
	text, err := os.ReadFile(log)
	lines := strings.Split(string(text), "\n")
	if err != nil || len(lines) < 3 || lines[0] != "+2" || !filepath.IsAbs(lines[1]) {
		t.Errorf("the editor was called with %q, %v", lines[:min(2, len(lines))], err)
	}
	if !strings.Contains(string(text), " icanon") || !strings.Contains(string(text), " echo ") {
		t.Errorf("the editor found the terminal so:\n%s", text)
	}
	s.press("?", "Esc closes")
	s.press("<esc>", "hunk ")
	s.quit()
}

// TestScreenSettings: the review obeys the user's settings, not the repository's, and
// says what of them does not hold.
func TestScreenSettings(t *testing.T) {
	t.Parallel()
	b := demoBook(t)
	b.ok("config", "set", "keys.plan", "ctrl+p", "ж")
	b.ok("config", "set", "review.mouse", "false")
	b.ok("config", "set", "review.sync", "off")
	b.ok("config", "set", "keys.view.wrap", "p")
	b.Write(".overturn/settings.json", `{"keys": {"quit": "j"}, "review": {"mouse": true}}`)
	s := b.review(120, 30)
	s.wait("settings: keys.file.pick: it has no key any more: p is view.wrap")
	s.press("<esc>j", "ctrl+p ж plan") // the repository's own keys would have quit
	s.press("ж", "Nothing is staged")
	s.press("<esc>p", "wrapped")
	s.press("?", "Esc closes")
	s.press("G", "Settings that do not hold")
	s.quit()
	out := s.Bytes()
	if bytes.Contains(out, []byte("\x1b[?1002h")) || bytes.Contains(out, []byte("\x1b[?2026h")) {
		t.Error("the mouse was taken, or output synchronised, against the settings")
	}
	b.ok("config", "unset", "review.mouse")
	for _, c := range []struct {
		args  []string
		mouse bool
	}{{[]string{"review"}, true}, {[]string{"review", "--no-mouse"}, false}} {
		s := b.onTerminal(ptytest.Options{Width: 120, Height: 30, Env: b.terminalEnv()}, c.args...)
		s.wait("settings:")
		s.keys("<esc>")
		s.quit()
		if got := bytes.Contains(s.Bytes(), []byte("\x1b[?1002h")); got != c.mouse {
			t.Errorf("%v: the mouse was taken: %v", c.args, got)
		}
	}
}
