package diff

import (
	"fmt"
	"maps"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

// SetHidden hides hunks, by their number, behind a row that says why; nil shows all.
// The cursor stays on its line, or goes to the header of the hunk that holds it.
func (p *Pane) SetHidden(why map[int]string) {
	if maps.Equal(p.shape.hidden, why) {
		return
	}
	p.shape.hidden = why
	p.reshape()
}

// hiddenAt tells whether hunk h, by its index, is hidden.
func (p *Pane) hiddenAt(h int) bool {
	_, ok := p.shape.hidden[p.lay.doc.Hunks[h].Number]
	return ok
}

// Folded tells whether the document is one row that says why.
func (p *Pane) Folded() bool { return p.lay != nil && p.lay.shape.folded }

// Unfold opens what Enter opens at the cursor: a folded document, a hidden hunk, a
// gap. It tells whether there was such a thing.
func (p *Pane) Unfold() bool {
	switch {
	case p.lay == nil:
		return false
	case p.row().kind == fold && p.lay.shape.folded:
		p.open()
		return true
	case p.OnGap():
		return p.Expand()
	case p.row().kind == head && p.hiddenAt(p.row().hunk):
		rest := maps.Clone(p.shape.hidden)
		delete(rest, p.lay.doc.Hunks[p.row().hunk].Number)
		p.SetHidden(rest)
		return true
	}
	return false
}

// open opens a folded document, for as long as the review lasts.
func (p *Pane) open() {
	p.opened[p.lay.doc.File.Path] = true
	p.Show(p.lay.doc)
}

// splitFrom is the width from which two halves hold lines of code: some seventy cells
// each beside their numbers.
const splitFrom = 150

// fitShape takes the shape that the width asks for, unless the user chose one. A file
// that was added or deleted has nothing to stand in the other half.
func (p *Pane) fitShape(width int) {
	if p.lay == nil || !p.auto {
		return
	}
	doc := p.lay.doc
	if split := width >= splitFrom && doc.Old.Lines() > 0 && doc.New.Lines() > 0; split != p.shape.split {
		p.shape.split = split
		p.reshape()
	}
}

// headerOf is row i of what is not lines; what could deceive the reader comes last.
func headerOf(doc *view.Document, i int) (text string, alarm bool) {
	if n := len(doc.Header); i >= n {
		return doc.Alarms[i-n], true
	}
	return doc.Header[i], false
}

// fold draws the row that stands for hunks which are not shown.
func (c *canvas) fold(out *frame.Row, g style.Ground) {
	doc := c.p.lay.doc
	if !c.p.lay.shape.folded {
		text := "  only whitespace differs, in " + view.Count(doc.HiddenSpace, "hunk") + " — W shows it"
		out.Text(c.st.On(themes.Gap, g), text).End(c.st.On(themes.Gap, g))
		return
	}
	adds, dels := 0, 0
	for _, h := range doc.Hunks {
		for _, e := range h.Edits {
			adds, dels = adds+e.NewTo-e.NewFrom, dels+e.OldTo-e.OldFrom
		}
	}
	muted := c.st.On(themes.Gap, g)
	out.Glyph(muted, "▸").Text(muted, fmt.Sprintf(" folded: %s · %s  ", doc.Folded, view.Count(len(doc.Hunks), "hunk")))
	out.Text(c.st.On(themes.Plus, g), fmt.Sprintf("+%d", adds)).Text(c.st.On(themes.Minus, g), fmt.Sprintf(" −%d", dels))
	out.Text(muted, " — Enter opens").End(muted)
}
