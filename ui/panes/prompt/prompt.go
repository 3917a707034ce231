// Package prompt is a line to type in, alone (search) or above a list that it
// narrows (palette, file picker).
//
// Invariants: pasted text goes into the line and nowhere else; the list is
// narrowed by the fuzzy order of its titles and costs the rows shown. A crash
// leaves nothing behind.
package prompt

import (
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/scroll"
	"overturn/ui/style"
)

// Item is a row of the list.
type Item struct {
	Title string // what is searched
	Note  string // shown at the right
	ID    int
}

type items []Item

func (l items) String(i int) string { return l[i].Title }
func (l items) Len() int            { return len(l) }

// Prompt is one line to type in.
type Prompt struct {
	Label string
	input textinput.Model
	list  items // nil: a line alone
	ends  bool  // of titles that are cut, the end is shown
	shown []int // indexes in list
	win   scroll.Window
	box   frame.Area // where the list was drawn
}

// Line asks for a text, with one to begin with.
func Line(label, text string) *Prompt {
	p := &Prompt{Label: label, input: textinput.New()}
	p.input.SetValue(text)
	p.input.CursorEnd()
	p.input.Focus()
	return p
}

// List asks for one of a list of words.
func List(label string, list []Item) *Prompt {
	p := Line(label, "")
	p.list = list
	p.narrow()
	return p
}

// Paths asks for one of a list of paths, whose end is what is shown where they are long.
func Paths(label string, list []Item) *Prompt {
	p := List(label, list)
	p.ends = true
	return p
}

func (p *Prompt) narrow() {
	p.shown = p.shown[:0]
	if p.input.Value() == "" {
		for i := range p.list {
			p.shown = append(p.shown, i)
		}
	} else {
		for _, m := range fuzzy.FindFrom(p.input.Value(), p.list) {
			p.shown = append(p.shown, m.Index)
		}
	}
	p.win.Top, p.win.Cursor = 0, 0
}

// Verdict is what a key did.
type Verdict int

// The verdicts.
const (
	Waits Verdict = iota
	Closed
	Chosen
)

// Key takes a key.
func (p *Prompt) Key(k tea.KeyMsg) Verdict {
	if !k.Paste {
		switch k.String() {
		case "esc", "ctrl+g":
			return Closed
		case "enter":
			return Chosen
		case "down", "ctrl+n", "ctrl+j":
			p.win.Move(1)
			return Waits
		case "up", "ctrl+p", "ctrl+k":
			p.win.Move(-1)
			return Waits
		}
	}
	before := p.input.Value()
	if key.Matches(k, p.input.KeyMap.DeleteWordForward) && p.input.Position() == utf8.RuneCountInString(before)-1 {
		k = tea.KeyMsg{Type: tea.KeyDelete} // the same, where textinput v1.0.0 reads one rune past the end
	}
	p.input, _ = p.input.Update(k) // the cursor's blinking is left out: no timers
	if p.list != nil && p.input.Value() != before {
		p.narrow()
	}
	return Waits
}

// Scroll moves the cursor of the list by n rows.
func (p *Prompt) Scroll(n int) { p.win.Move(n) }

// Click puts the cursor on the row of the list at a cell of the screen, and tells
// whether there is one.
func (p *Prompt) Click(x, y int) bool {
	i := p.win.Top + y - p.box.Y
	if !p.box.Contains(x, y) || i >= len(p.shown) {
		return false
	}
	p.win.Cursor = i
	return true
}

// Text is what was typed.
func (p *Prompt) Text() string { return p.input.Value() }

// Choice is the id of the chosen item, false where none is like what was typed.
func (p *Prompt) Choice() (int, bool) {
	if p.win.Cursor < len(p.shown) {
		return p.list[p.shown[p.win.Cursor]].ID, true
	}
	return 0, false
}

// Draw draws the line at the bottom of a, and the list above it.
func (p *Prompt) Draw(a frame.Area, st *style.Table) {
	y := a.H - 1
	r := a.Sub(0, y, a.W, 1).Overlay().Row(0)
	text := st.On(themes.Text, style.OnBar)
	r.Text(st.On(themes.Accent, style.OnBar), p.Label)
	value := []rune(p.input.Value())
	at := min(p.input.Position(), len(value))
	room := max(r.Room()-1, 1)
	x := frame.Width(string(value[:at]))
	left := max(x-room+1, 0)
	begin := r.Col()
	r.Content(frame.Content{Text: []byte(string(value)), Left: left, Width: r.Room(), Base: text, Mark: text, Over: text})
	r.End(text)
	a.Cursor(min(begin+x-left, a.W-1), y)
	if p.list == nil {
		return
	}
	h := min(len(p.shown), max(min(a.H-2, 16), 0))
	p.win.Resize(len(p.shown), h)
	box := a.Sub(0, y-h, min(a.W, 92), h).Overlay()
	p.box = box
	for k := range h {
		i := p.win.Top + k
		g := style.OnBox
		if i == p.win.Cursor {
			g = style.OnCursor
		}
		item := p.list[p.shown[i]]
		row := box.Row(k)
		cut := row.Text(st.On(themes.Text, g), " ").Cut
		if p.ends {
			cut = row.CutLeft
		}
		cut(st.On(themes.Text, g), item.Title, row.Room()-frame.Width(item.Note)-3)
		row.Right(st.On(themes.Muted, g), item.Note+" ").End(st.On(themes.Text, g))
	}
}
