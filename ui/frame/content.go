package frame

// Span draws bytes From to To of a text in a style of its own.
type Span struct {
	From, To int
	Style    string
}

// Content is one line of foreign text in a window of cells.
type Content struct {
	Text  []byte
	Left  int // cells skipped at the left
	Width int // cells of the window
	Tab   int // cells between tab stops; 0 draws a tab as one blank

	Base  string // style of the text
	Mark  string // style of what is shown instead of obeyed
	Over  string // style of the marks that tell of more to the left or right
	Spans []Span // ascending, not overlapping

	OverLeft, OverRight string // the marks, one cell each; "‹" and "›" when empty
}

// piece is a glyph with its place, or a run of plain ASCII.
type piece struct {
	glyph
	pos, cell int
	run       bool
}

// Content draws the window of c at the row's place and tells whether text
// remains to the right of it. It writes at most c.Width cells, and reads the
// text no further than it draws.
func (r *Row) Content(c Content) (more bool) {
	c.Width = min(c.Width, r.Room())
	if c.Width <= 0 {
		return len(c.Text) > 0
	}
	more = r.collect(&c)
	lo, hi := c.Left, c.Left+c.Width
	if c.Left > 0 && len(c.Text) > 0 {
		r.style(c.Over)
		r.raw(orDefault(c.OverLeft, "‹"), 1)
		lo++
	}
	if more {
		hi = max(hi-1, lo)
	}
	span := 0
	for i := range r.pieces {
		p := &r.pieces[i]
		for span < len(c.Spans) && c.Spans[span].To <= p.pos {
			span++
		}
		if p.run {
			r.run(&c, p, span, lo, hi)
			continue
		}
		style := c.Base
		if span < len(c.Spans) && c.Spans[span].From <= p.pos {
			style = c.Spans[span].Style
		}
		r.piece(&c, p, style, lo, hi)
	}
	if more && r.Room() > 0 && c.Left+c.Width > lo {
		r.style(c.Over)
		r.raw(orDefault(c.OverRight, "›"), 1)
	}
	return more
}

// collect fills r.pieces with what touches the window.
func (r *Row) collect(c *Content) (more bool) {
	r.pieces = r.pieces[:0]
	pos, cell, end := 0, 0, c.Left+c.Width
	for pos < len(c.Text) && cell < end {
		if n := plainRun(c.Text[pos:], end-cell); n > 0 {
			if cell+n > c.Left {
				r.pieces = append(r.pieces, piece{glyph{n: n, width: n}, pos, cell, true})
			}
			pos, cell = pos+n, cell+n
			continue
		}
		g := glyphAt(c.Text[pos:], c.Tab, cell)
		if cell+g.width > c.Left {
			r.pieces = append(r.pieces, piece{g, pos, cell, false})
		}
		pos += g.n
		cell += g.width
	}
	return cell > end || pos < len(c.Text)
}

// plainRun counts the printable ASCII bytes that b begins with, at most limit of
// them; one that a combining mark may follow is not counted.
func plainRun(b []byte, limit int) int {
	n := min(len(b), limit)
	i := 0
	for i < n && b[i]-0x20 < 0x5f {
		i++
	}
	if i > 0 && i < len(b) && b[i] >= 0x80 {
		i--
	}
	return i
}

// run draws what of a run lies in cells lo to hi.
func (r *Row) run(c *Content, p *piece, span, lo, hi int) {
	from, to := max(p.cell, lo), min(p.cell+p.width, hi)
	if from >= to {
		return
	}
	at, end := p.pos+from-p.cell, p.pos+to-p.cell
	r.col += to - from
	for at < end {
		for span < len(c.Spans) && c.Spans[span].To <= at {
			span++
		}
		style, next := c.Base, end
		switch {
		case span == len(c.Spans):
		case c.Spans[span].From <= at:
			style, next = c.Spans[span].Style, min(end, c.Spans[span].To)
		default:
			next = min(end, c.Spans[span].From)
		}
		r.style(style)
		r.buf = append(r.buf, c.Text[at:next]...)
		at = next
	}
}

// glyphAt reads any glyph, a tab by the cell at which it stands.
func glyphAt(b []byte, tab, cell int) glyph {
	switch {
	case b[0] == '\t' && tab <= 0:
		return glyph{n: 1, width: 1}
	case b[0] == '\t':
		return glyph{n: 1, width: tab - cell%tab}
	}
	return next(b)
}

// piece draws what of p lies in cells lo to hi; what is cut in two leaves
// blanks, or the part of its word.
func (r *Row) piece(c *Content, p *piece, style string, lo, hi int) {
	from, to := max(p.cell, lo), min(p.cell+p.width, hi)
	if from >= to {
		return
	}
	switch {
	case p.shown != "" && (len(p.shown) == p.width || to-from < p.width):
		r.style(c.Mark)
		for i := from - p.cell; i < to-p.cell && len(p.shown) == p.width; i++ {
			r.buf = append(r.buf, p.shown[i])
		}
		r.col += to - from
	case p.shown != "":
		r.style(c.Mark)
		r.raw(p.shown, p.width)
	case c.Text[p.pos] == '\t' || to-from < p.width:
		r.style(style)
		for range to - from {
			r.buf = append(r.buf, ' ')
		}
		r.col += to - from
	case p.odd: // blank its cells first: a terminal may draw it narrower
		r.style(style)
		for range p.width {
			r.buf = append(r.buf, ' ')
		}
		r.column()
		r.raw(string(c.Text[p.pos:p.pos+p.n]), p.width)
		r.column()
	default:
		r.style(style)
		r.buf = append(r.buf, c.Text[p.pos:p.pos+p.n]...)
		r.col += p.width
	}
}

func orDefault(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Breaks cuts a text into visual lines of width cells and returns the byte at
// which each begins, at most limit of them; more tells that text remains.
func Breaks(text []byte, width, tab, limit int) (starts []int, more bool) {
	starts = append(starts, 0)
	if width <= 0 {
		return starts, len(text) > 0
	}
	pos, cell := 0, 0
	for pos < len(text) {
		g := glyphAt(text[pos:], tab, cell)
		if cell+g.width > width && cell > 0 {
			if len(starts) == limit {
				return starts, true
			}
			starts = append(starts, pos)
			cell = 0
			continue
		}
		pos += g.n
		cell += g.width
	}
	return starts, false
}
