package prompt

import (
	"slices"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// edited is the text of a line with its cursor. The keys are those of a shell's line.
// It is our own because the one of bubbles looks through PATH for clipboard programs
// before main runs, which every hook would pay for.
type edited struct {
	text []rune
	at   int // the cursor, before this rune
}

func newEdited(text string) edited {
	var e edited
	e.insert([]rune(text))
	return e
}

func (e *edited) value() string { return string(e.text) }

// key takes a key; one that means nothing here is passed over.
func (e *edited) key(k tea.KeyMsg) {
	if k.Paste {
		e.insert(k.Runes)
		return
	}
	switch k.String() {
	case "left", "ctrl+b":
		e.at = max(e.at-1, 0)
	case "right", "ctrl+f":
		e.at = min(e.at+1, len(e.text))
	case "alt+left", "ctrl+left", "alt+b":
		e.at = e.wordStart()
	case "alt+right", "ctrl+right", "alt+f":
		e.at = e.wordEnd()
	case "home", "ctrl+a":
		e.at = 0
	case "end", "ctrl+e":
		e.at = len(e.text)
	case "backspace", "ctrl+h":
		e.cut(max(e.at-1, 0), e.at)
	case "delete", "ctrl+d":
		e.cut(e.at, min(e.at+1, len(e.text)))
	case "alt+backspace", "ctrl+w":
		e.cut(e.wordStart(), e.at)
	case "alt+delete", "alt+d":
		e.cut(e.at, e.wordEnd())
	case "ctrl+u":
		e.cut(0, e.at)
	default:
		if k.Type == tea.KeyRunes || k.Type == tea.KeySpace {
			e.insert(k.Runes)
		}
	}
}

// insert puts text before the cursor, as one line: a tab and the end of a line become
// blanks, and other control characters, and bytes that are no text, stay out.
func (e *edited) insert(text []rune) {
	line := make([]rune, 0, len(text))
	for _, r := range text {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			line = append(line, ' ')
		case r == utf8.RuneError || unicode.IsControl(r):
		default:
			line = append(line, r)
		}
	}
	e.text = slices.Insert(e.text, e.at, line...)
	e.at += len(line)
}

func (e *edited) cut(from, to int) { e.text, e.at = slices.Delete(e.text, from, to), from }

func (e *edited) wordStart() int {
	at := e.at
	for at > 0 && unicode.IsSpace(e.text[at-1]) {
		at--
	}
	for at > 0 && !unicode.IsSpace(e.text[at-1]) {
		at--
	}
	return at
}

func (e *edited) wordEnd() int {
	at := e.at
	for at < len(e.text) && unicode.IsSpace(e.text[at]) {
		at++
	}
	for at < len(e.text) && !unicode.IsSpace(e.text[at]) {
		at++
	}
	return at
}
