// Package confirm is the dialog that stands before every write in the work tree.
//
// Invariants: Cancel is the default and what Enter and Esc do; only the one key,
// or the number on the screen typed, confirms, and then only when it came alone:
// keys in the first Grace are ignored, but for Esc, which cancels at once, characters that come together or within
// Burst of each other close the dialog, pasted text closes it, the mouse does
// nothing but scroll. A confirmation counts after Hold without another key, so
// that the first letter of a word typed in the wrong window never does. A crash
// leaves nothing behind.
package confirm

import (
	"strconv"
	"time"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui/keymap"
	"overturn/ui/sheet"
)

// The times of the rules above.
const (
	Grace = 250 * time.Millisecond
	Burst = 30 * time.Millisecond
	Hold  = 40 * time.Millisecond
)

// Ask is a question.
type Ask struct {
	Title  string
	Lines  func(width int) []sheet.Line // every path, and every warning
	Number int                          // what must be typed; 0: the key y
	Verb   string                       // what is done: "roll back"
	Wait   func() string                // what runs at this moment, so that it may wait for its end ("turn 7"), or ""; nil where it cannot wait
	Other  *Other                       // another question that may be asked instead, nil: none
}

// Other is a question that a key asks instead of this one: it opens anew, and confirms
// nothing.
type Other struct {
	Key, Words string
	Ask        func() tea.Cmd
}

// Verdict is what a key did.
type Verdict int

// The verdicts.
const (
	Waits  Verdict = iota
	Closed         // cancelled
	Armed          // confirmed, if no other key comes within Hold
	Asks           // the other question is asked instead
)

// Dialog asks one question.
type Dialog struct {
	ask    Ask
	list   sheet.Sheet
	input  textinput.Model
	opened time.Time
	last   time.Time
	armed  bool
	waits  bool   // it is to wait for the end of what runs
	latin  bool   // a letter was typed on the key of y
	why    string // why it was closed without being asked to, or ""
}

// Open asks.
func Open(ask Ask, now time.Time) *Dialog {
	d := &Dialog{ask: ask, opened: now, input: textinput.New()}
	d.list.Set(ask.Lines, nil, nil)
	d.input.CharLimit = len(strconv.Itoa(ask.Number))
	d.input.Focus()
	return d
}

// Why says why the dialog closed itself, or "".
func (d *Dialog) Why() string { return d.why }

// Waits tells whether what is confirmed is to wait for the end of what runs: what
// ended while the question stood is waited for no more.
func (d *Dialog) Waits() bool { return d.waits && d.running() != "" }

// running is what may be waited for, or "": a turn can start, and end, while the
// question stands.
func (d *Dialog) running() string {
	if d.ask.Wait == nil {
		return ""
	}
	return d.ask.Wait()
}

// Scroll moves the list of paths.
func (d *Dialog) Scroll(n int) { d.list.Scroll(n) }

// Key takes a key that came at now.
func (d *Dialog) Key(k tea.KeyMsg, now time.Time) Verdict {
	since := now.Sub(d.last)
	first := d.last.IsZero()
	d.last = now
	switch {
	case k.Paste:
		return d.close("pasted text never confirms")
	case len(k.Runes) > 1, d.armed:
		return d.close("keys came too fast")
	case k.Type == tea.KeyEsc:
		return d.close("") // at once: it may have been held since before the question came
	case now.Sub(d.opened) < Grace:
		return Waits
	case !first && since < Burst && k.Type == tea.KeyRunes:
		return d.close("keys came too fast")
	}
	key := k.String()
	if l := keymap.Latin(key); l == "y" {
		d.latin = true // the answer is typed as it is written
		return Waits
	} else if l != "" {
		key = l
	}
	switch key {
	case "esc", "enter", "q", "n":
		return d.close("")
	case "j", "down":
		d.list.Scroll(1)
	case "k", "up":
		d.list.Scroll(-1)
	case "pgdown", "ctrl+d":
		d.list.Page(1)
	case "pgup", "ctrl+u":
		d.list.Page(-1)
	case "y":
		if d.ask.Number == 0 {
			d.armed = true
			return Armed
		}
	case "w":
		d.waits = !d.Waits() && d.running() != ""
	default:
		if d.ask.Other != nil && key == d.ask.Other.Key {
			return Asks
		}
		return d.digit(k)
	}
	return Waits
}

// Other is the question that is asked instead, where Key said so.
func (d *Dialog) Other() *Other { return d.ask.Other }

func (d *Dialog) digit(k tea.KeyMsg) Verdict {
	isDigit := k.Type == tea.KeyRunes && len(k.Runes) == 1 && k.Runes[0] >= '0' && k.Runes[0] <= '9' && !k.Alt
	if d.ask.Number == 0 || !isDigit && k.Type != tea.KeyBackspace {
		return Waits
	}
	d.input, _ = d.input.Update(k)
	if d.input.Value() == strconv.Itoa(d.ask.Number) {
		d.armed = true
		return Armed
	}
	return Waits
}

func (d *Dialog) close(why string) Verdict {
	d.why = why
	return Closed
}

// Held tells, Hold after Armed, whether the confirmation stands.
func (d *Dialog) Held() bool { return d.armed }
