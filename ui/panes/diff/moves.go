package diff

import (
	"fmt"
	"path"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

// place is a line of one side.
type place struct {
	old  bool
	line int
}

// SetMoves tells what lines of the document stand elsewhere on the other side: the
// first of each block says where. Nothing is laid out anew.
func (p *Pane) SetMoves(list []view.Move) {
	p.moves = make(map[place]view.Move, len(list))
	for _, m := range list {
		p.moves[place{m.Old, m.From}] = m
	}
}

// What a hint takes at most: cells, and the share of a text that needs the room itself.
const (
	hintLimit = 44
	hintShare = 2
	hintText  = 512 // bytes of a line that may leave room beside it
)

// hint is what stands at the right end of the first line of a block that moved; ""
// elsewhere, and where there is no room for it.
func (c *canvas) hint(l line, r row, role themes.Role, width int) string {
	if l.from > 0 || role != themes.Add && role != themes.Del || len(c.p.moves) == 0 {
		return ""
	}
	at := place{role == themes.Del, r.new}
	if at.old {
		at.line = r.old
	}
	m, ok := c.p.moves[at]
	if !ok {
		return ""
	}
	word := "← moved from"
	if m.Old {
		word = "→ moved to"
	}
	where := fmt.Sprintf("line %d", m.Line)
	if m.Path != c.p.lay.doc.File.Path {
		where = fmt.Sprintf("%s:%d", path.Base(string(m.Path)), m.Line)
	}
	s := fmt.Sprintf(" %s %s, %d lines ", word, where, m.To-m.From)
	w := frame.Width(s)
	beside := !l.more && len(l.full) <= hintText && frame.Width(string(l.full)) <= width-w
	if w > hintLimit || !beside && (c.p.wrap || w*hintShare > width) {
		return ""
	}
	return s
}

// hinted draws a hint in the cells that were kept for it.
func (c *canvas) hinted(out *frame.Row, s, base string, under style.Ground, col int) {
	if s != "" {
		out.To(base, col).Text(c.st.On(themes.Muted, under), s)
	}
}
