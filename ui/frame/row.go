package frame

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Row draws a stretch of one screen row from left to right. It never writes
// beyond its end.
type Row struct {
	frame   *Frame
	y, from int // where the stretch begins on the screen
	col     int // the next cell, absolute
	limit   int // the first cell beyond the stretch, absolute
	buf     []byte
	sgr     string // the style in force
	wild    bool
	over    bool
	pieces  []piece
}

// Room is the cells that are left.
func (r *Row) Room() int { return r.limit - r.col }

// Col is the place of the next cell within the stretch.
func (r *Row) Col() int { return r.col - r.from }

func (r *Row) style(s string) {
	if s != r.sgr {
		r.buf = append(r.buf, s...)
		r.sgr = s
	}
}

func (r *Row) raw(s string, width int) {
	r.buf = append(r.buf, s...)
	r.col += width
}

// Glyph draws one of our own glyphs, one cell wide.
func (r *Row) Glyph(style, glyph string) *Row {
	if r.Room() > 0 {
		r.style(style)
		r.raw(glyph, 1)
	}
	return r
}

// column sets the terminal's cursor to where it must be by now.
func (r *Row) column() {
	r.wild = true
	r.buf = append(r.buf, "\x1b["...)
	r.buf = strconv.AppendInt(r.buf, int64(r.col+1), 10)
	r.buf = append(r.buf, 'G')
}

// Text draws s, made safe; what does not fit is cut with "…". It returns the
// row, so that calls chain.
func (r *Row) Text(style, s string) *Row {
	if plain(s) && len(s) <= r.Room() {
		r.style(style)
		r.raw(s, len(s))
		return r
	}
	r.Content(Content{Text: []byte(s), Width: r.Room(), Base: style, Mark: style, Over: style, OverRight: "…"})
	return r
}

// Number draws n at the right end of width cells; a negative one is blank.
func (r *Row) Number(style string, n, width int) *Row {
	if width > r.Room() {
		return r
	}
	r.style(style)
	at := len(r.buf)
	if n >= 0 {
		var digits [20]byte
		d := strconv.AppendInt(digits[:0], int64(n), 10)
		for range width - len(d) {
			r.buf = append(r.buf, ' ')
		}
		r.buf = append(r.buf, d...)
	}
	for len(r.buf)-at < width {
		r.buf = append(r.buf, ' ')
	}
	r.col += len(r.buf) - at
	return r
}

// Cut draws s in at most width cells.
func (r *Row) Cut(style, s string, width int) *Row {
	r.Content(Content{Text: []byte(s), Width: width, Base: style, Mark: style, Over: style, OverRight: "…"})
	return r
}

// CutLeft draws s in at most width cells and drops its beginning where it is
// longer: the end of a path says most.
func (r *Row) CutLeft(style, s string, width int) *Row {
	width = min(width, r.Room())
	if w := Width(s); w > width {
		r.Content(Content{Text: []byte(s), Left: w - width, Width: width, Base: style, Mark: style, Over: style, OverLeft: "…"})
		return r
	}
	return r.Text(style, s)
}

// Styled draws a text of our own that carries styles already, base where it
// carries none; it is cut to the room there is. Foreign text never goes this way.
func (r *Row) Styled(base, s string) *Row {
	w := ansi.StringWidth(s)
	if w > r.Room() {
		s, w = ansi.Truncate(s, r.Room(), ""), r.Room()
	}
	r.style(base)
	r.raw(strings.ReplaceAll(s, "\x1b[0m", base), w)
	r.sgr = ""
	return r
}

// To fills with blanks up to cell col of the stretch.
func (r *Row) To(style string, col int) *Row {
	if end := min(r.from+col, r.limit); r.col < end {
		r.style(style)
		for ; r.col < end; r.col++ {
			r.buf = append(r.buf, ' ')
		}
	}
	return r
}

// Right draws s at the right end of the stretch, when it fits with a blank
// before it.
func (r *Row) Right(style, s string) *Row {
	w := Width(s)
	if w == 0 || w+1 > r.Room() {
		return r
	}
	return r.To(style, r.limit-r.from-w).Text(style, s)
}

// erases tells whether erasing to the end of the row looks like blanks in that
// style: an erase fills with the background, never reversed or underlined. A
// colour may look like such an attribute; then blanks are drawn.
func erases(style string) bool {
	for i := 0; i+2 < len(style); i++ {
		if style[i] == ';' && (style[i+1] == '7' || style[i+1] == '4') && (style[i+2] == 'm' || style[i+2] == ';') {
			return false
		}
	}
	return true
}

// End fills the rest of the stretch and gives it to the frame.
func (r *Row) End(style string) {
	if r.limit == r.frame.W && r.Room() > 0 && !r.over && erases(style) {
		r.style(style)
		r.buf = append(r.buf, "\x1b[K"...)
		r.col = r.limit
	}
	r.To(style, r.limit-r.from)
	f := r.frame
	f.rows[r.y] = append(f.rows[r.y], Part{Col: r.from, End: r.limit, Text: f.keep(r.buf), Wild: r.wild, Over: r.over})
}
