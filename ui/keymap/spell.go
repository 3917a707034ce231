package keymap

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// Spell reads a key as people write it ("ctrl+d", "PgDn", "space", "alt+up", "G") and
// returns it as Bubble Tea spells it. What a terminal sends for another key is that
// one: Ctrl+M is Enter, Ctrl+I is Tab, Ctrl+[ is Esc.
func Spell(s string) (string, error) {
	rest := strings.TrimSpace(s)
	var ctrl, alt, shift bool
	for {
		head, tail, ok := strings.Cut(rest, "+")
		if !ok || tail == "" {
			break
		}
		switch strings.ToLower(head) {
		case "ctrl":
			ctrl = true
		case "alt":
			alt = true
		case "shift":
			shift = true
		default:
			return "", fmt.Errorf("%q is no key", s)
		}
		rest = tail
	}
	key, ok := plainKey(rest, ctrl, shift)
	if !ok {
		return "", fmt.Errorf("%q is no key that a terminal tells apart", s)
	}
	if alt {
		key = "alt+" + key
	}
	return key, nil
}

// plainKey spells a key with Ctrl and Shift.
func plainKey(name string, ctrl, shift bool) (string, bool) {
	if r, size := utf8.DecodeRuneInString(name); size > 0 && size == len(name) && unicode.IsPrint(r) && r != ' ' {
		switch {
		case ctrl:
			return control(unicode.ToLower(r), shift)
		case shift && !unicode.IsLetter(r):
			return "", false
		case shift:
			return string(unicode.ToUpper(r)), true
		}
		return name, true
	}
	name = strings.ToLower(name)
	for as, is := range map[string]string{"return": "enter", "escape": "esc", "backtab": "shift+tab", "pgdn": "pgdown", "pagedown": "pgdown",
		"pageup": "pgup", "del": "delete", "ins": "insert", "space": " "} {
		if name == as {
			name = is
		}
	}
	if name == " " {
		return map[bool]string{false: " ", true: "ctrl+@"}[ctrl], !shift
	}
	if shift {
		name = "shift+" + name
	}
	if ctrl {
		name = "ctrl+" + name
	}
	return name, slices.Contains(namedKeys(), name)
}

// control is Ctrl with a letter, or one of the signs that have a control character.
func control(r rune, shift bool) (string, bool) {
	switch {
	case shift:
		return "", false
	case r == 'm':
		return "enter", true
	case r == 'i':
		return "tab", true
	case r == '[':
		return "esc", true
	}
	key := "ctrl+" + string(r)
	return key, slices.Contains(namedKeys(), key)
}

// namedKeys are the keys that Bubble Tea has a name for; its types run from the control
// characters up and from -1 down.
func namedKeys() []string {
	var list []string
	for i := tea.KeyType(-100); i < 128; i++ {
		if name := i.String(); name != "" && name != " " && i != tea.KeyRunes {
			list = append(list, name)
		}
	}
	return list
}

// Shown is how people read a key of Bubble Tea's.
func Shown(key string) string {
	if rest, ok := strings.CutPrefix(key, "alt+"); ok {
		return "alt+" + Shown(rest)
	}
	if name, ok := map[string]string{" ": "Space", "enter": "Enter", "tab": "Tab", "shift+tab": "shift+Tab", "esc": "Esc", "up": "↑", "down": "↓",
		"left": "←", "right": "→", "pgdown": "PgDn", "pgup": "PgUp", "home": "Home", "end": "End", "backspace": "Backspace", "delete": "Del",
		"insert": "Ins", "ctrl+@": "ctrl+Space"}[key]; ok {
		return name
	}
	if len(key) > 1 && key[0] == 'f' && key[1] >= '0' && key[1] <= '9' {
		return "F" + key[1:]
	}
	return key
}
