// Package clipboard decides how a text gets to the user's clipboard, and writes the
// sequence that asks the terminal for it (OSC 52, xterm's control sequences), also
// through tmux and GNU screen. It runs nothing and writes nowhere: programs are named
// for who may run them.
//
// Invariants: what a terminal is sent holds the text in base64 alone; a text that is
// too long for a terminal is never sent in part. A crash leaves nothing behind.
package clipboard

import (
	"encoding/base64"
	"strings"
)

// Limit is the longest text in bytes that terminals are sent: xterm and those that
// follow it take 100,000 bytes of sequence, of which base64 makes three quarters.
const Limit = 74_000

// Ways says which way is wanted.
type Ways string

// The ways: Auto asks the terminal where it is known to listen, and runs a program
// where it is not or the text is too long for it.
const (
	Auto     Ways = "auto"
	Terminal Ways = "terminal" // OSC 52 alone
	Program  Ways = "program"  // a program alone
	Off      Ways = "off"
)

// Tool is a program that takes a text on its stdin.
type Tool struct {
	Name string
	Args []string
}

// Plan is how a text is to be copied: Raw for the terminal (nil: not that way), and
// the programs to try in order until one works.
type Plan struct {
	Raw     []byte
	Tools   []Tool
	TooLong bool // the terminal would have been asked, were the text shorter
}

// For plans how to copy text. Getenv is the environment of the review, look tells
// whether a program is there, system is runtime.GOOS.
func For(text string, want Ways, getenv func(string) string, look func(string) bool, system string) Plan {
	var p Plan
	if want == Off {
		return p
	}
	heard := listens(getenv)
	p.TooLong = want != Program && len(text) > Limit
	if want != Program && !p.TooLong {
		p.Raw = Sequence(text, getenv)
	}
	if want == Program || want != Terminal && (!heard || p.TooLong) {
		for _, t := range tools(getenv, system) {
			if look(t.Name) {
				p.Tools = append(p.Tools, t)
			}
		}
	}
	if len(p.Tools) > 0 && !heard && getenv("TMUX") == "" {
		p.Raw = nil // a terminal that does not listen might show it
	}
	return p
}

// listens tells whether the terminal is known to take OSC 52. Tmux as it comes does
// not pass it on: it is asked by its own program too.
func listens(getenv func(string) string) bool {
	switch term := getenv("TERM"); {
	case term == "linux", term == "dumb", term == "", strings.HasPrefix(term, "vt"):
		return false
	case getenv("TMUX") != "", getenv("TERM_PROGRAM") == "Apple_Terminal", getenv("VTE_VERSION") != "":
		return false
	}
	return true
}

// tools are the programs that may reach the clipboard from here, the nearest first.
func tools(getenv func(string) string, system string) []Tool {
	var list []Tool
	if getenv("TMUX") != "" {
		list = append(list, Tool{"tmux", []string{"load-buffer", "-w", "-"}})
	}
	if getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		return list // another clipboard than the user's
	}
	if system == "darwin" {
		return append(list, Tool{Name: "pbcopy"})
	}
	if getenv("WAYLAND_DISPLAY") != "" {
		list = append(list, Tool{Name: "wl-copy"})
	}
	if getenv("DISPLAY") != "" {
		list = append(list, Tool{"xclip", []string{"-selection", "clipboard"}}, Tool{"xsel", []string{"--clipboard", "--input"}})
	}
	if getenv("WSL_DISTRO_NAME") != "" {
		list = append(list, Tool{Name: "clip.exe"})
	}
	return list
}

// screenChunk is what GNU screen passes on at once, in bytes.
const screenChunk = 700

// Sequence asks the terminal to put text on the clipboard. In tmux it is sent both
// plain, which tmux obeys with set-clipboard on, and wrapped, which it passes on with
// allow-passthrough on.
func Sequence(text string, getenv func(string) string) []byte {
	plain := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
	switch {
	case getenv("TMUX") != "":
		return []byte(plain + "\x1bPtmux;" + strings.ReplaceAll(plain, "\x1b", "\x1b\x1b") + "\x1b\\")
	case strings.HasPrefix(getenv("TERM"), "screen") || getenv("STY") != "":
		var b strings.Builder
		for len(plain) > 0 {
			n := min(len(plain), screenChunk)
			b.WriteString("\x1bP" + plain[:n] + "\x1b\\")
			plain = plain[n:]
		}
		return []byte(b.String())
	}
	return []byte(plain)
}
