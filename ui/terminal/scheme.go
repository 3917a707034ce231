package terminal

import (
	"reflect"

	tea "github.com/charmbracelet/bubbletea"
)

// Scheme is the message that the terminal's colours are dark, or light. It comes
// once from terminals that know the question, and again when their colours change.
type Scheme struct{ Dark bool }

// The question (a device status report, answered by ?997;1n or ?997;2n) and the
// mode in which changes are told. Nothing waits for the answer, and one that comes
// late, or never, is no harm: it is a control sequence like any other on the
// input, no text. The question for the colours themselves (OSC 11) is not asked:
// its answer would be read as keys.
const (
	askScheme   = "\x1b[?2031h\x1b[?996n"
	leaveScheme = "\x1b[?2031l"
)

// scheme reads an answer. The loop hands on what it does not know as bytes, in a
// type of its own.
func scheme(msg tea.Msg) (s Scheme, ok bool) {
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() != reflect.Uint8 {
		return Scheme{}, false
	}
	switch string(v.Bytes()) {
	case "\x1b[?997;1n":
		return Scheme{Dark: true}, true
	case "\x1b[?997;2n":
		return Scheme{}, true
	}
	return Scheme{}, false
}
