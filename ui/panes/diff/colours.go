package diff

import (
	"bytes"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

// SetColours gives the document that is shown its colours, as far as they are
// known.
func (p *Pane) SetColours(c view.Colours) { p.colours = c }

// runs are the colours of the text of a row: those of the side that has it. An
// equal line has them on the new side, where that has the very same text. Marks of
// a conflict are no source: they have a colour of their own.
func (p *Pane) runs(text []byte, r row, role themes.Role) []view.Run {
	switch doc := p.lay.doc; {
	case role == themes.Del:
		return p.colours.Old.Line(r.old)
	case doc.Marker != nil && doc.Marker(text):
		return nil
	case role == themes.Add:
		return p.colours.New.Line(r.new)
	case role != themes.Text || r.kind != equal:
		return nil
	case bytes.Equal(text, doc.New.Line(r.new)):
		return p.colours.New.Line(r.new)
	}
	return p.colours.Old.Line(r.old)
}

// source lists the colours of the part of a line that the window may show: a cell
// is seldom more than four bytes.
func (c *canvas) source(spans []frame.Span, l line, cells int, r row, under style.Ground, role themes.Role) []frame.Span {
	end := min(len(l.text), cells*4)
	for _, run := range c.p.runs(l.full, r, role) {
		from, to := max(int(run.From)-l.from, 0), min(int(run.To)-l.from, len(l.text))
		if from >= end {
			break
		}
		if from < to {
			spans = append(spans, frame.Span{From: from, To: to, Style: c.st.On(themes.Role(run.Role), under)})
		}
	}
	return spans
}

// carry is what is known of the colours of a text when b takes the place of a: the
// lines that both begin and end with keep theirs until there are new ones.
func carry(c view.Coloured, a, b view.Lines) view.Coloured {
	if len(c.Ends) == 0 {
		return view.Coloured{}
	}
	n := min(a.Lines(), b.Lines())
	head, tail := 0, 0
	for head < n && bytes.Equal(a.Line(head), b.Line(head)) {
		head++
	}
	for tail < n-head && bytes.Equal(a.Line(a.Lines()-1-tail), b.Line(b.Lines()-1-tail)) {
		tail++
	}
	var out view.Coloured
	shift := a.Lines() - b.Lines()
	for i := range b.Lines() {
		switch {
		case i < head:
			out.Runs = append(out.Runs, c.Line(i)...)
		case i >= b.Lines()-tail:
			out.Runs = append(out.Runs, c.Line(i+shift)...)
		}
		out.Ends = append(out.Ends, uint32(len(out.Runs)))
	}
	return out
}
