package diff

import (
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
)

// line is what of a text one screen row shows.
type line struct {
	text []byte
	from int // byte of the text at which it begins
	full []byte
	more bool // wrapped, and cut at the end of the window
}

// lines are the screen rows of a text: one, or with wrapping as many as it
// takes, at most limit.
func (c *canvas) lines(text []byte, limit int) []line {
	if !c.p.wrap {
		l := &c.single[c.use]
		c.use = 1 - c.use
		l[0] = line{text: text, full: text}
		return l[:]
	}
	starts, more := frame.Breaks(text, c.text, Tab, max(limit, 1))
	out := make([]line, len(starts))
	for k, s := range starts {
		end := len(text)
		if k+1 < len(starts) {
			end = starts[k+1]
		}
		out[k] = line{text: text[s:end], from: s, full: text, more: more && k+1 == len(starts)}
	}
	return out
}

// content draws one screen row of a line's text, with the words that differ and
// the matches of the search marked.
func (c *canvas) content(out *frame.Row, l line, width int, r row, g style.Ground, role themes.Role) {
	left := c.p.left
	if c.p.wrap {
		left = 0
	}
	text := l.text
	if role == themes.Text && len(text) > 0 && text[len(text)-1] == '\r' && l.from+len(text) == len(l.full) {
		text = text[:len(text)-1] // CRLF is worth a word only where a line changed
	}
	under := g
	if g == style.Plain {
		switch role {
		case themes.Add:
			under = style.OnAdd
		case themes.Del:
			under = style.OnDel
		}
	}
	hint := c.hint(l, r, role, width)
	width -= frame.Width(hint)
	col := out.Col() + width
	base := c.st.On(role, g)
	if marks := c.p.lay.doc.Marker; marks != nil && marks(l.full) && role != themes.Del {
		base = c.st.On(themes.Bad, under)
	}
	if l.more {
		width--
	}
	out.Content(frame.Content{Text: text, Left: left, Width: width, Tab: Tab,
		Base: base, Mark: c.st.On(themes.Escape, under), Over: c.st.On(themes.Overflow, under),
		Spans: c.spans(l, left+width, r, g, under, role)})
	if l.more {
		out.Glyph(c.st.On(themes.Overflow, under), "›")
	}
	c.hinted(out, hint, base, under, col)
}

// spans merges colours, emphasis and matches, each upon the one before, as far as
// the window may show them.
func (c *canvas) spans(l line, cells int, r row, g, under style.Ground, role themes.Role) []frame.Span {
	var differ [][2]int
	markRole := themes.AddMark
	if role != themes.Text {
		if old, now, ok := c.p.marks.across(c.p.lay, r); ok {
			s := c.p.marks.of(old, now)
			differ = s.new
			if role == themes.Del {
				differ, markRole = s.old, themes.DelMark
			}
		}
	}
	c.layers[0] = c.source(c.layers[0][:0], l, cells, r, under, role)
	hits := c.hits[:0]
	for _, d := range differ {
		if from, to := max(d[0]-l.from, 0), min(d[1]-l.from, len(l.text)); from < to {
			hits = append(hits, [2]int{from, to})
		}
	}
	c.hits = hits
	c.layers[1] = overlay(c.layers[1][:0], c.layers[0], hits, c.st.On(markRole, g))
	if c.p.query.Len() == 0 {
		return c.layers[1]
	}
	c.layers[2] = overlay(c.layers[2][:0], c.layers[1], c.found(l, cells), c.st.On(themes.Found, g))
	return c.layers[2]
}

// found lists the matches in the part of a text that the window may show; a
// cell is seldom more than four bytes.
func (c *canvas) found(l line, cells int) [][2]int {
	end := min(len(l.text), cells*4+c.p.query.Len())
	var hits [][2]int
	for at := 0; ; {
		i := c.p.query.Index(l.text[:end], at)
		if i < 0 {
			return hits
		}
		at = i + c.p.query.Len()
		hits = append(hits, [2]int{i, at})
	}
}

// overlay appends spans to out, with hits laid over them. It cuts spans as it
// goes.
func overlay(out, spans []frame.Span, hits [][2]int, found string) []frame.Span {
	rest := spans
	for _, h := range hits {
		for len(rest) > 0 && rest[0].From < h[0] {
			s := rest[0]
			if s.To <= h[0] {
				out, rest = append(out, s), rest[1:]
				continue
			}
			out = append(out, frame.Span{From: s.From, To: h[0], Style: s.Style})
			rest[0].From = h[0]
		}
		out = append(out, frame.Span{From: h[0], To: h[1], Style: found})
		for len(rest) > 0 && rest[0].From < h[1] {
			if rest[0].To > h[1] {
				rest[0].From = h[1]
				break
			}
			rest = rest[1:]
		}
	}
	return append(out, rest...)
}

// halves draws row i of the split shape.
func (c *canvas) halves(a frame.Area, y, i int, r row, g style.Ground) int {
	half := (a.W - 1) / 2
	left, lrole, lok := c.half(r, true)
	right, rrole, rok := c.half(r, false)
	ll, rl := c.lines(left, a.H-y), c.lines(right, a.H-y)
	n := max(len(ll), len(rl))
	for k := range n {
		c.p.rowsAt = append(c.p.rowsAt, i)
		out := a.Row(y + k)
		c.halfRow(out, at(ll, k), r, g, lrole, lok, r.old, k == 0)
		out.To(c.st.On(lrole, g), half)
		out.Glyph(c.st.On(themes.Rule, g), "│")
		c.halfRow(out, at(rl, k), r, g, rrole, rok, r.new, k == 0)
		out.End(c.st.On(rrole, g))
	}
	return n
}

func at(lines []line, k int) *line {
	if k < len(lines) {
		return &lines[k]
	}
	return nil
}

// half is what a row shows on one side, and whether it shows anything.
func (c *canvas) half(r row, old bool) ([]byte, themes.Role, bool) {
	switch {
	case r.kind == note:
		if old && r.old < 0 || !old && r.new < 0 {
			return nil, themes.Text, false
		}
		return []byte(`\ No newline at end of file`), themes.Muted, true
	case old && r.old < 0 || !old && r.new < 0:
		return nil, themes.Text, false
	}
	text, role := c.side(r, old)
	return text, role, true
}

func (c *canvas) halfRow(out *frame.Row, l *line, r row, g style.Ground, role themes.Role, ok bool, number int, first bool) {
	if !ok || l == nil {
		return
	}
	mark, sign := " ", " "
	if role == themes.Add {
		sign = "+"
	}
	if role == themes.Del {
		sign = "-"
	}
	if sign != " " && first && (c.p.whole || c.p.staged[c.p.lay.doc.Hunks[r.hunk].Number]) {
		mark = "●"
	}
	if r.kind == note {
		number = -1
	}
	if !first {
		number = -1
	}
	c.writer(out, g, r, role == themes.Del, first && r.kind != note)
	c.mark(out, g, mark, c.p.remarks.onHalf(r, role == themes.Del, number))
	out.Number(c.st.On(themes.Number, g), number+none(number), c.digits).Text(c.st.On(themes.Number, g), " ")
	if !first {
		sign = " "
	}
	out.Text(c.st.On(role, g), sign)
	c.content(out, *l, min(c.text, out.Room()), r, g, role)
}

// fitWrapped moves the window down until the row under the cursor is whole in
// it, when long lines are wrapped: rows take several screen rows then.
func (p *Pane) fitWrapped() {
	if !p.wrap || p.lay == nil || p.lay.rows == 0 || p.win.Height == 0 || p.width == 0 {
		return
	}
	c := p.canvas(p.width, nil, false)
	used := 0
	for i := p.win.Cursor; i >= p.win.Top; i-- {
		used += c.height(i)
		if used > p.win.Height && i < p.win.Cursor {
			p.win.Top = i + 1
			return
		}
	}
}

// height is the screen rows that row i takes, at most those of the window.
func (c *canvas) height(i int) int {
	r := c.p.lay.at(i)
	switch r.kind {
	case header, fold, gap, head, note:
		return 1
	}
	n := 1
	for _, old := range []bool{true, false} {
		if text, _, ok := c.half(r, old); ok && (c.split || old == (r.new < 0)) {
			n = max(n, len(c.lines(text, c.p.win.Height)))
		}
	}
	return n
}
