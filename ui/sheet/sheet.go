// Package sheet is a scrolled list of rows made of styled words, with a patch
// below it where there is one. Plans, cards, history and help are sheets.
//
// Invariants: words are foreign text as much as any and are made safe when drawn;
// a patch is never copied or laid out as a whole, only indexed; a line of a patch
// is coloured by the counts of its hunk, so no content can pose as a header. A
// crash leaves nothing behind.
package sheet

import (
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/scroll"
	"overturn/ui/style"
)

// Word is a stretch of a line in one style.
type Word struct {
	Role themes.Role
	Text string
}

// Line is a row. Tag names what it stands for; 0 is nothing.
type Line struct {
	Words []Word
	Tag   int
}

// Build makes lines for a width in cells.
type Build func(width int) []Line

// L makes a line without a tag.
func L(words ...Word) Line { return Line{Words: words} }

// W makes a word.
func W(role themes.Role, text string) Word { return Word{role, text} }

// Sheet is lines, then a patch, then lines again.
type Sheet struct {
	build Build
	lines []Line
	patch *Patch
	foot  Build
	feet  []Line
	width int
	win   scroll.Window
	left  int
	goal  int  // the tag to go to once the lines are made
	still bool // drawn without a cursor: keys scroll
}

// Set replaces what the sheet shows; each part may be nil. The cursor stays on
// its row.
func (s *Sheet) Set(build Build, patch *Patch, foot Build) {
	s.build, s.patch, s.foot, s.width = build, patch, foot, -1
	s.lines, s.feet = nil, nil
}

// Reset puts the cursor on the first row.
func (s *Sheet) Reset() { s.win.Top, s.win.Cursor, s.left = 0, 0, 0 }

// Draw draws the sheet. With cursor, the row under it is marked.
func (s *Sheet) Draw(a frame.Area, st *style.Table, cursor bool) {
	s.make(a.W)
	s.still = !cursor
	total, mid := len(s.lines)+len(s.feet), len(s.lines)
	if s.patch != nil {
		total, mid = total+s.patch.Len(), mid+s.patch.Len()
	}
	s.win.Resize(total, a.H)
	s.arrive()
	for y := range a.H {
		i := s.win.Top + y
		if i >= total {
			a.Blank(y, st.Of(themes.Text))
			return
		}
		g := style.Plain
		if cursor && i == s.win.Cursor {
			g = style.OnCursor
		}
		switch out := a.Row(y); {
		case i < len(s.lines):
			s.lines[i].draw(out, st, g)
		case i < mid:
			s.patch.draw(out, st, i-len(s.lines), g, s.left)
		default:
			s.feet[i-mid].draw(out, st, g)
		}
	}
}

func (s *Sheet) make(width int) {
	if s.width == width {
		return
	}
	s.width = width
	if s.build != nil {
		s.lines = s.build(width)
	}
	if s.foot != nil {
		s.feet = s.foot(width)
	}
}

func (l Line) draw(out *frame.Row, st *style.Table, g style.Ground) {
	for _, w := range l.Words {
		out.Text(st.On(w.Role, g), w.Text)
	}
	out.End(st.On(themes.Text, g))
}

// Tag is the tag of the row under the cursor.
func (s *Sheet) Tag() int {
	if s.win.Cursor < len(s.lines) {
		return s.lines[s.win.Cursor].Tag
	}
	return 0
}

// GoTag puts the cursor on the first row with a tag when the sheet is drawn
// next.
func (s *Sheet) GoTag(tag int) { s.goal = tag }

func (s *Sheet) arrive() {
	for i, l := range s.lines {
		if s.goal != 0 && l.Tag == s.goal {
			s.win.To(i)
			break
		}
	}
	s.goal = 0
}

// Move moves the cursor by n rows, or the window where there is no cursor.
func (s *Sheet) Move(n int) {
	if s.still {
		s.win.Scroll(n)
		return
	}
	s.win.Move(n)
}

// To moves to row i; a negative row counts from the end.
func (s *Sheet) To(i int) {
	if i < 0 {
		i += s.win.Len
	}
	if s.still {
		s.win.Scroll(i - s.win.Top)
		return
	}
	s.win.To(i)
}

// Page moves by halves of the window.
func (s *Sheet) Page(halves int) {
	if s.still {
		s.win.Scroll(halves * max(s.win.Height/2, 1))
		return
	}
	s.win.Page(halves)
}

// Scroll moves the window by n rows.
func (s *Sheet) Scroll(n int) { s.win.Scroll(n) }

// Sideways scrolls the patch by n cells.
func (s *Sheet) Sideways(n int) { s.left = max(s.left+n, 0) }

// Click puts the cursor on screen row y.
func (s *Sheet) Click(y int) {
	if i := s.win.Top + y; y >= 0 && i < s.win.Len {
		s.win.Cursor = i
	}
}

// Top is the first row that a window of height rows over length rows shows, for
// those who draw the rows themselves.
func (s *Sheet) Top(length, height int) int {
	s.still = true
	s.win.Resize(length, height)
	return s.win.Top
}
