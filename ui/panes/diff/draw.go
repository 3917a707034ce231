package diff

import (
	"fmt"
	"strconv"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

// Tab is the cells between tab stops.
const Tab = 4

// canvas is what drawing a row needs.
type canvas struct {
	p      *Pane
	st     *style.Table
	focus  bool
	digits int // of line numbers
	text   int // cells of a line's text, in each half when split
	narrow bool
	split  bool
	single [2][1]line // for lines that are not wrapped: one for each half
	use    int
	layers [3][]frame.Span // of the row at hand: colours, emphasis, matches
	hits   [][2]int
}

// Draw draws the body of the pane: a row of the screen costs a row of the
// layout, whatever the document's size.
func (p *Pane) Draw(a frame.Area, st *style.Table, focus bool) {
	p.width = a.W
	p.fitShape(a.W)
	length := 0
	if p.lay != nil {
		length = p.lay.rows
	}
	p.win.Resize(length, a.H)
	p.rowsAt = p.rowsAt[:0]
	c := p.canvas(a.W, st, focus)
	if p.wrap {
		p.fitWrapped()
	}
	y := 0
	for i := p.win.Top; i < length && y < a.H; i++ {
		y += c.row(a, y, i)
	}
	a.Blank(y, st.Of(themes.Text))
}

// fewCells is a width below which one column of line numbers must do.
const fewCells = 64

func (p *Pane) canvas(width int, st *style.Table, focus bool) *canvas {
	c := &canvas{p: p, st: st, focus: focus, split: p.shape.split && width >= 40}
	if p.lay != nil {
		c.digits = max(len(strconv.Itoa(max(p.lay.doc.Old.Lines(), p.lay.doc.New.Lines()))), 3)
	}
	switch {
	case c.split:
		c.text = width/2 - c.digits - 3
	case width < fewCells:
		c.narrow = true
		c.text = width - c.digits - 3
	default:
		c.text = width - 2*c.digits - 4
	}
	c.text = max(c.text-p.wrote.cells(), 1)
	return c
}

func (c *canvas) ground(i int) style.Ground {
	p := c.p
	switch {
	case i == p.win.Cursor && c.focus:
		return style.OnCursor
	case p.anchor >= 0 && i >= min(p.anchor, p.win.Cursor) && i <= max(p.anchor, p.win.Cursor):
		return style.OnSelect
	case i == p.win.Cursor:
		return style.OnShadow
	}
	return style.Plain
}

// row draws row i from screen row y on and returns the screen rows it took.
func (c *canvas) row(a frame.Area, y, i int) int {
	r, g := c.p.lay.at(i), c.ground(i)
	switch {
	case r.kind == header, r.kind == fold, r.kind == gap, r.kind == head, r.kind == note && !c.split:
		c.p.rowsAt = append(c.p.rowsAt, i)
		c.plain(a.Row(y), r, g)
		return 1
	case c.split:
		return c.halves(a, y, i, r, g)
	}
	text, role := c.side(r, r.new < 0)
	lines := c.lines(text, a.H-y)
	for k, l := range lines {
		c.p.rowsAt = append(c.p.rowsAt, i)
		out := a.Row(y + k)
		c.gutter(out, r, g, role, k == 0)
		said, width := "", c.text
		if k == len(lines)-1 {
			said, width = c.said(r, l)
		}
		c.content(out, l, width, r, g, role)
		if said != "" {
			out.Cut(c.st.On(themes.Accent, g), said, out.Room())
		}
		out.End(c.st.On(role, g))
	}
	return len(lines)
}

// plain draws the rows that are not lines.
func (c *canvas) plain(out *frame.Row, r row, g style.Ground) {
	switch r.kind {
	case header:
		text, alarm := headerOf(c.p.lay.doc, r.index)
		if alarm {
			out.Text(c.st.On(themes.Bad, g), "! "+text).End(c.st.On(themes.Text, g))
			return
		}
		out.Text(c.st.On(themes.Strong, g), "  "+text).End(c.st.On(themes.Text, g))
	case gap:
		text := fmt.Sprintf("%*s %s", c.digits, "⋯", view.Count(int(c.p.lay.segs[r.seg].n), "line"))
		out.Text(c.st.On(themes.Gap, g), text).End(c.st.On(themes.Gap, g))
	case note:
		out.To(c.st.On(themes.Muted, g), c.digits+2).Text(c.st.On(themes.Muted, g), `\ No newline at end of file`).End(c.st.On(themes.Muted, g))
	case fold:
		c.fold(out, g)
	case head:
		c.head(out, r, g)
	}
}

// Ranges is the header of a hunk as git writes it, with three lines of context.
func Ranges(doc *view.Document, h view.Hunk) string {
	first, last := h.Edits[0], h.Edits[len(h.Edits)-1]
	lead := min(reach, first.OldFrom)
	tail := min(reach, doc.Old.Lines()-last.OldTo)
	olds, news := last.OldTo+tail-first.OldFrom+lead, last.NewTo+tail-first.NewFrom+lead
	side := func(from, n int) string {
		if n == 0 {
			return fmt.Sprintf("%d,0", from)
		}
		if n == 1 {
			return strconv.Itoa(from + 1)
		}
		return fmt.Sprintf("%d,%d", from+1, n)
	}
	return "@@ -" + side(first.OldFrom-lead, olds) + " +" + side(first.NewFrom-lead, news) + " @@"
}

// OwnerRole is the role that an owner is painted in.
func OwnerRole(o model.Owner) themes.Role {
	switch o {
	case model.OwnerAgent:
		return themes.Agent
	case model.OwnerUser:
		return themes.User
	case model.OwnerMixed:
		return themes.Mixed
	}
	return themes.Unknown
}

// side is the text and role of the line that a row shows on one side.
func (c *canvas) side(r row, old bool) ([]byte, themes.Role) {
	doc := c.p.lay.doc
	switch {
	case r.kind == removed || r.kind == pair && old:
		return doc.Old.Line(r.old), themes.Del
	case r.kind == added || r.kind == pair:
		return doc.New.Line(r.new), themes.Add
	case old && r.old >= 0:
		return doc.Old.Line(r.old), themes.Text
	}
	return doc.New.Line(r.new), themes.Text
}

// gutter draws the line numbers and the sign of a unified row.
func (c *canvas) gutter(out *frame.Row, r row, g style.Ground, role themes.Role, first bool) {
	num := c.st.On(themes.Number, g)
	c.writer(out, g, r, r.new < 0, first)
	mark := " "
	if (r.kind == removed || r.kind == added) && first && r.hunk >= 0 && (c.p.whole || c.p.staged[c.p.lay.doc.Hunks[r.hunk].Number]) {
		mark = "●"
	}
	c.mark(out, g, mark, first && len(c.p.remarks.of(r)) > 0)
	old, now := r.old, r.new
	if !first {
		old, now = -1, -1
	}
	if !c.narrow {
		out.Number(num, old+none(old), c.digits).Text(num, " ")
	} else if now < 0 {
		now = old
	}
	out.Number(num, now+none(now), c.digits)
	sign := " "
	switch {
	case !first:
	case r.kind == added:
		sign = "+"
	case r.kind == removed:
		sign = "-"
	}
	out.Text(num, " ").Text(c.st.On(role, g), sign)
}

// none makes a line, from 0, a number from 1; none stays none.
func none(line int) int {
	if line < 0 {
		return 0
	}
	return 1
}
