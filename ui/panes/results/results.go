// Package results is the pane of what a search over all files found: the matches of
// each file below its name, as they come.
//
// Invariants: the cursor stays on its match while more are found; drawing costs the
// rows of the window. A crash leaves nothing behind.
package results

import (
	"strconv"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/scroll"
	"overturn/ui/style"
	"overturn/ui/view"
)

// row is a match, or the name of a file.
type row struct {
	match int // -1 of a file
	file  int
}

// Pane lists matches. The zero value lists none.
type Pane struct {
	cmp  *view.Comparison
	list []view.Match
	rows []row
	win  scroll.Window
}

// Start forgets what was found, for a search in cmp.
func (p *Pane) Start(cmp *view.Comparison) {
	*p = Pane{cmp: cmp, win: scroll.Window{Height: p.win.Height}}
}

// Show takes the matches found so far: those shown already, and more.
func (p *Pane) Show(list []view.Match) {
	for i := len(p.list); i < len(list); i++ {
		if i == 0 || list[i].File != list[i-1].File {
			p.rows = append(p.rows, row{-1, list[i].File})
		}
		p.rows = append(p.rows, row{i, list[i].File})
	}
	first := len(p.list) == 0 && len(list) > 0
	p.list = list
	p.win.Resize(len(p.rows), p.win.Height)
	if first {
		p.win.To(1)
	}
}

// Matches are those that are listed.
func (p *Pane) Matches() []view.Match { return p.list }

// Files is how many files hold a match.
func (p *Pane) Files() int { return len(p.rows) - len(p.list) }

// Selected is the match under the cursor, or the first of the file; -1 where there is
// none.
func (p *Pane) Selected() int {
	for i := p.win.Cursor; i >= 0 && i < len(p.rows); i++ {
		if p.rows[i].match >= 0 {
			return p.rows[i].match
		}
	}
	return -1
}

// Select puts the cursor on a match.
func (p *Pane) Select(match int) {
	for i, r := range p.rows {
		if r.match == match {
			p.win.To(i)
			return
		}
	}
}

// Move moves the cursor by n rows.
func (p *Pane) Move(n int) { p.win.Move(n) }

// To moves the cursor to row i; a negative row counts from the end.
func (p *Pane) To(i int) {
	if i < 0 {
		i += len(p.rows)
	}
	p.win.To(i)
}

// Page moves by halves of the window.
func (p *Pane) Page(halves int) { p.win.Page(halves) }

// Scroll moves the window by n rows.
func (p *Pane) Scroll(n int) { p.win.Scroll(n) }

// Click puts the cursor on screen row y and tells whether a match is there.
func (p *Pane) Click(y int) bool {
	i := p.win.Top + y
	if y < 0 || y >= p.win.Height || i >= len(p.rows) {
		return false
	}
	p.win.Cursor = i
	return p.rows[i].match >= 0
}

// tab is the cells between tab stops.
const tab = 4

// Draw draws the list.
func (p *Pane) Draw(a frame.Area, st *style.Table) {
	p.win.Resize(len(p.rows), a.H)
	y := 0
	for ; y < a.H && p.win.Top+y < len(p.rows); y++ {
		i := p.win.Top + y
		g := style.Plain
		if i == p.win.Cursor {
			g = style.OnCursor
		}
		r := p.rows[i]
		if out := a.Row(y); r.match < 0 {
			out.Text(st.On(themes.Strong, g), " ").CutLeft(st.On(themes.Strong, g), string(p.cmp.Files[r.file].Path), out.Room()-1)
			out.End(st.On(themes.Text, g))
		} else {
			p.match(out, st, p.list[r.match], g)
		}
	}
	a.Blank(y, st.Of(themes.Text))
}

// numberWidth is the cells of a line's number; a longer one takes what it needs.
const numberWidth = 6

func (p *Pane) match(out *frame.Row, st *style.Table, m view.Match, g style.Ground) {
	role := map[byte]themes.Role{'+': themes.Add, '-': themes.Del}[m.Sign]
	base := st.On(role, g)
	out.Number(st.On(themes.Number, g), m.Line+1, max(numberWidth, len(strconv.Itoa(m.Line+1))))
	out.Text(base, " "+string(rune(m.Sign))+" ")
	// Of a long line the match must be in sight, with some of what stands before it.
	left := max(frame.Width(string(m.Text[:m.To]))-out.Room()*2/3, 0)
	out.Content(frame.Content{Text: m.Text, Left: left, Width: out.Room(), Tab: tab, Base: base,
		Mark: st.On(themes.Escape, g), Over: st.On(themes.Overflow, g),
		Spans: []frame.Span{{From: m.From, To: m.To, Style: st.On(themes.Found, g)}}})
	out.End(base)
}
