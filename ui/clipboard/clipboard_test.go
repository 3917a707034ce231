package clipboard_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"overturn/ui/clipboard"
)

func env(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(k string) string { return m[k] }
}

func TestFor(t *testing.T) {
	long := strings.Repeat("x", clipboard.Limit+1)
	for _, c := range []struct {
		name   string
		text   string
		want   clipboard.Ways
		env    func(string) string
		system string
		raw    bool
		tools  string
	}{
		{"a terminal that listens", "t", clipboard.Auto, env("TERM", "xterm-kitty", "DISPLAY", ":0"), "linux", true, ""},
		{"over ssh", "t", clipboard.Auto, env("TERM", "xterm-256color", "SSH_TTY", "/dev/pts/1", "DISPLAY", "localhost:10"), "linux", true, ""},
		{"one that does not", "t", clipboard.Auto, env("TERM", "xterm-256color", "VTE_VERSION", "7600", "WAYLAND_DISPLAY", "w", "DISPLAY", ":0"), "linux", false, "wl-copy xclip xsel"},
		{"one that does not, without programs", "t", clipboard.Auto, env("TERM", "xterm-256color", "VTE_VERSION", "7600"), "linux", true, ""},
		{"macOS", "t", clipboard.Auto, env("TERM", "xterm-256color", "TERM_PROGRAM", "Apple_Terminal"), "darwin", false, "pbcopy"},
		{"tmux", "t", clipboard.Auto, env("TERM", "tmux-256color", "TMUX", "/tmp/t,1,0"), "linux", true, "tmux"},
		{"tmux over ssh", "t", clipboard.Auto, env("TERM", "screen", "TMUX", "/tmp/t,1,0", "SSH_CONNECTION", "a", "DISPLAY", ":0"), "linux", true, "tmux"},
		{"too long for a terminal", long, clipboard.Auto, env("TERM", "xterm-kitty", "DISPLAY", ":0"), "linux", false, "xclip xsel"},
		{"too long over ssh", long, clipboard.Auto, env("TERM", "xterm-kitty", "SSH_TTY", "x"), "linux", false, ""},
		{"a program is wanted", "t", clipboard.Program, env("TERM", "xterm-kitty", "WSL_DISTRO_NAME", "d"), "linux", false, "clip.exe"},
		{"the terminal is wanted", "t", clipboard.Terminal, env("TERM", "xterm-256color", "VTE_VERSION", "1", "DISPLAY", ":0"), "linux", true, ""},
		{"nothing is wanted", "t", clipboard.Off, env("TERM", "xterm-kitty", "DISPLAY", ":0"), "linux", false, ""},
	} {
		p := clipboard.For(c.text, c.want, c.env, func(string) bool { return true }, c.system)
		var names []string
		for _, tool := range p.Tools {
			names = append(names, tool.Name)
		}
		if (p.Raw != nil) != c.raw || strings.Join(names, " ") != c.tools || p.TooLong != (len(c.text) > clipboard.Limit && c.want != clipboard.Program) {
			t.Errorf("%s: terminal %v, programs %q, too long %v", c.name, p.Raw != nil, names, p.TooLong)
		}
	}
	if p := clipboard.For("t", clipboard.Auto, env("TERM", "linux", "DISPLAY", ":0"), func(n string) bool { return n == "xsel" }, "linux"); len(p.Tools) != 1 || p.Tools[0].Name != "xsel" {
		t.Errorf("programs that are not there: %+v", p.Tools)
	}
}

// Whatever the text, the terminal gets it in base64, whole, and nothing else.
func TestSequence(t *testing.T) {
	text := strings.Repeat("\x1b]0;evil\a\x1b\\ übel\n", 200)
	code := base64.StdEncoding.EncodeToString([]byte(text))
	plain := "\x1b]52;c;" + code + "\a"
	if got := string(clipboard.Sequence(text, env("TERM", "xterm"))); got != plain {
		t.Errorf("plain: %.60q", got)
	}
	tmux := string(clipboard.Sequence(text, env("TERM", "screen", "TMUX", "x")))
	if tmux != plain+"\x1bPtmux;\x1b"+plain+"\x1b\\" {
		t.Errorf("tmux: %.60q", tmux)
	}
	screen := string(clipboard.Sequence(text, env("TERM", "screen.xterm")))
	joined := strings.ReplaceAll(strings.ReplaceAll(screen, "\x1b\\", ""), "\x1bP", "")
	if joined != plain || !strings.HasPrefix(screen, "\x1bP\x1b]52;") || strings.Count(screen, "\x1bP") < 3 {
		t.Errorf("screen: %.60q", screen)
	}
}
