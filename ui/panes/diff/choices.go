package diff

// Choices is what the user said about how documents are shown.
type Choices struct {
	Split   *bool // split or unified; nil while the width decides
	Wrap    bool
	Context *int // lines around edits; nil where nothing was said
}

// Choices tells them. The whole file is no choice for good: it is the context from
// before.
func (p *Pane) Choices() Choices {
	c := Choices{Wrap: p.wrap}
	if !p.auto {
		split := p.shape.split
		c.Split = &split
	}
	context := p.shape.context
	if context == Whole {
		context = p.before
	}
	if context != reach {
		c.Context = &context
	}
	return c
}

// Choose takes choices over, before anything is shown.
func (p *Pane) Choose(c Choices) {
	p.wrap = c.Wrap
	if c.Split != nil {
		p.auto, p.shape.split = false, *c.Split
	}
	if c.Context != nil {
		p.shape.context = *c.Context
	}
}

// Place is the line under the cursor, of the new side where it is there: what GoToLine
// takes. On the header of a hunk it is the first line that the hunk changed. Ok is
// false where no line is shown.
func (p *Pane) Place() (line int, old, head, ok bool) {
	if p.lay == nil || p.lay.rows == 0 {
		return 0, false, false, false
	}
	switch r := p.row(); {
	case p.onHead(r):
		s := changed(p.lay.doc.Hunks[r.hunk])
		return s.from, s.old, true, true
	case r.kind == header || r.kind == gap || r.kind == fold:
	case r.new >= 0:
		return r.new, false, false, true
	case r.old >= 0:
		return r.old, true, false, true
	}
	return 0, false, false, false
}

func (p *Pane) onHead(r row) bool { return r.kind == head && r.hunk >= 0 }
