// Package remark is the box that a comment is written in: a few lines at the foot of
// the screen.
//
// Invariants: pasted text goes into the box and nowhere else; Enter keeps the comment
// and Esc leaves it, and the box itself keeps nothing. A crash loses what was being
// typed.
package remark

import (
	"slices"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
)

// Verdict is what a key did.
type Verdict int

// The verdicts.
const (
	Waits Verdict = iota
	Left          // without keeping it
	Kept
)

// Box is a text that is being written.
type Box struct {
	title string
	text  []rune
	at    int // the cursor, before this rune
}

// Open begins to write with a text to begin with; title says what about.
func Open(title, text string) *Box {
	b := &Box{title: title, text: []rune(text)}
	b.at = len(b.text)
	return b
}

// Text is what was written.
func (b *Box) Text() string { return strings.TrimSpace(string(b.text)) }

// Key takes a key.
func (b *Box) Key(k tea.KeyMsg) Verdict {
	if k.Paste {
		b.insert([]rune(strings.ReplaceAll(strings.ReplaceAll(string(k.Runes), "\r\n", "\n"), "\r", "\n")))
		return Waits
	}
	switch k.String() {
	case "esc", "ctrl+g":
		return Left
	case "enter", "ctrl+s":
		return Kept
	case "alt+enter", "ctrl+j":
		b.insert([]rune{'\n'})
	case "left", "ctrl+b":
		b.at = max(b.at-1, 0)
	case "right", "ctrl+f":
		b.at = min(b.at+1, len(b.text))
	case "home", "ctrl+a":
		b.at = b.lineStart(b.at)
	case "end", "ctrl+e":
		b.at = b.lineEnd(b.at)
	case "up", "ctrl+p":
		b.vertical(-1)
	case "down", "ctrl+n":
		b.vertical(1)
	case "backspace", "ctrl+h":
		b.cut(max(b.at-1, 0), b.at)
	case "delete", "ctrl+d":
		b.cut(b.at, min(b.at+1, len(b.text)))
	case "ctrl+w", "alt+backspace":
		b.cut(b.wordStart(), b.at)
	case "ctrl+u":
		b.cut(b.lineStart(b.at), b.at)
	case "ctrl+k":
		b.cut(b.at, b.lineEnd(b.at))
	default:
		if (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && !k.Alt {
			b.insert(k.Runes)
		}
	}
	return Waits
}

func (b *Box) insert(r []rune) {
	b.text = slices.Insert(b.text, b.at, r...)
	b.at += len(r)
}

func (b *Box) cut(from, to int) { b.text, b.at = slices.Delete(b.text, from, to), from }

func (b *Box) lineStart(at int) int {
	for at > 0 && b.text[at-1] != '\n' {
		at--
	}
	return at
}

func (b *Box) lineEnd(at int) int {
	for at < len(b.text) && b.text[at] != '\n' {
		at++
	}
	return at
}

func (b *Box) wordStart() int {
	at := b.at
	for at > 0 && unicode.IsSpace(b.text[at-1]) {
		at--
	}
	for at > 0 && !unicode.IsSpace(b.text[at-1]) {
		at--
	}
	return at
}

// vertical moves to the line above or below, to the same column as far as it goes.
func (b *Box) vertical(d int) {
	column := b.at - b.lineStart(b.at)
	if d < 0 {
		if start := b.lineStart(b.at); start > 0 {
			above := b.lineStart(start - 1)
			b.at = min(above+column, start-1)
		}
		return
	}
	if end := b.lineEnd(b.at); end < len(b.text) {
		b.at = min(end+1+column, b.lineEnd(end+1))
	}
}

// Rows that the text takes at most, and its widest line in cells.
const (
	tallest = 8
	widest  = 100
)

// Draw draws the box at the foot of a: a title, the text, and the keys where there is
// room for more than the text.
func (b *Box) Draw(a frame.Area, st *style.Table) {
	w, frill := a.W, 0
	if a.H >= 4 {
		frill = 1
	}
	lines, x, y := b.lay(min(max(w-3, 1), widest))
	h := min(len(lines), tallest, max(a.H-2*frill-1, 1))
	top := max(y-h+1, 0)
	rows := h + 2*frill
	box := a.Sub(0, a.H-rows, w, rows).Overlay()
	text, muted := st.On(themes.Text, style.OnBox), st.On(themes.Muted, style.OnBox)
	if frill > 0 {
		bar := st.Of(themes.TitleOn)
		box.Row(0).CutLeft(bar, " "+b.title, w).End(bar)
		box.Row(rows-1).Text(muted, "  Enter keeps it, alt+Enter a new line, Esc leaves").End(muted)
	}
	for k := range h {
		row := box.Row(frill + k)
		row.Text(st.On(themes.Accent, style.OnBox), "▏ ")
		row.Content(frame.Content{Text: lines[top+k], Width: row.Room(), Tab: 4, Base: text, Mark: st.On(themes.Escape, style.OnBox), Over: text})
		row.End(text)
	}
	a.Cursor(min(2+x, w-1), a.H-rows+frill+y-top)
}

// lay breaks the text into rows of width cells and finds the cursor among them.
func (b *Box) lay(width int) (lines [][]byte, x, y int) {
	before := len(string(b.text[:b.at]))
	from := 0
	for _, line := range strings.Split(string(b.text), "\n") {
		starts, _ := frame.Breaks([]byte(line), width, 4, 1<<12)
		if len(starts) == 0 {
			starts = []int{0}
		}
		for i, s := range starts {
			end := len(line)
			if i+1 < len(starts) {
				end = starts[i+1]
			}
			if at := before - from; at >= s && at <= end {
				x, y = frame.Width(line[s:at]), len(lines)
			}
			lines = append(lines, []byte(line[s:end]))
		}
		from += len(line) + 1
	}
	return lines, x, y
}
