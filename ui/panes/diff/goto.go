package diff

import "maps"

// GoToLine shows a line of the new side, or of the old one, whatever hides it: a fold,
// a hidden hunk, a gap.
func (p *Pane) GoToLine(line int, old bool) {
	if p.lay == nil {
		return
	}
	if p.lay.shape.folded {
		p.open()
	}
	at := p.lay.rowOf(line, old)
	if at < 0 && p.showHunk(line, old) {
		at = p.lay.rowOf(line, old)
	}
	if at >= 0 && p.lay.at(at).kind == gap {
		p.widenTo(p.lay.segs[p.lay.at(at).seg], line, old)
		at = p.lay.rowOf(line, old)
	}
	if at >= 0 {
		p.GoTo(at)
	}
}

// showHunk shows the hidden hunk that holds a line.
func (p *Pane) showHunk(line int, old bool) bool {
	for _, h := range p.lay.doc.Hunks {
		first, last := h.Edits[0], h.Edits[len(h.Edits)-1]
		within := line >= first.NewFrom && line < last.NewTo
		if old {
			within = line >= first.OldFrom && line < last.OldTo
		}
		if _, hide := p.shape.hidden[h.Number]; hide && within {
			rest := maps.Clone(p.shape.hidden)
			delete(rest, h.Number)
			p.SetHidden(rest)
			return true
		}
	}
	return false
}

// widenTo shows as much of a gap as brings a line of it into sight, with some lines
// around.
func (p *Pane) widenTo(s segment, line int, old bool) {
	from := int(s.new)
	if old {
		from = int(s.old)
	}
	above, below := line-from+1, from+int(s.n)-line
	before := p.shape.shown[s.edit]
	for _, n := range []int{min(above, below), max(above, below)} { // a gap may open at one end alone
		shown := maps.Clone(p.shape.shown)
		shown[s.edit] = before + n + reach
		p.shape.shown = shown
		p.reshape()
		if at := p.lay.rowOf(line, old); at >= 0 && p.lay.at(at).kind != gap {
			return
		}
	}
}
