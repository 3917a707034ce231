package diff

import (
	"strings"

	"overturn/model"
	"overturn/model/anchor"
	"overturn/model/legible"
	"overturn/ui/view"
)

// stretch is lines of one side, from 0, half open.
type stretch struct {
	old      bool
	from, to int
}

// Anchor is the place that a comment made now is about: the visual range, the hunk
// whose header the cursor is on, the line under it, else the file.
func (p *Pane) Anchor() model.Anchor {
	kind, s := p.spot()
	if kind == model.AnchorFile {
		return model.Anchor{Kind: kind}
	}
	a := anchor.Of(p.textOf(s.old), s.from, s.to, kind, s.old)
	if h := p.hunk(); kind == model.AnchorHunk && h >= 0 {
		a.Hunk = p.hash(h)
	}
	return a
}

// HunkTurns lists the turns that wrote the hunk under the cursor.
func (p *Pane) HunkTurns() []int {
	h, _ := p.Hunk()
	return h.Turns
}

func (p *Pane) spot() (model.AnchorKind, stretch) {
	if p.lay == nil || p.lay.rows == 0 {
		return model.AnchorFile, stretch{}
	}
	if p.anchor >= 0 {
		if s, ok := p.ranged(); ok {
			return model.AnchorLines, s
		}
		return model.AnchorFile, stretch{}
	}
	switch r := p.row(); {
	case r.kind == head && r.hunk >= 0:
		return model.AnchorHunk, changed(p.lay.doc.Hunks[r.hunk])
	case r.kind == header || r.kind == gap || r.kind == fold:
	case r.new >= 0:
		return model.AnchorLines, stretch{false, r.new, r.new + 1}
	case r.old >= 0:
		return model.AnchorLines, stretch{true, r.old, r.old + 1}
	}
	return model.AnchorFile, stretch{}
}

// changed is the lines that a hunk changed: of the new side, or of the old one where
// it only took lines out.
func changed(h view.Hunk) stretch {
	s := stretch{old: true}
	for _, e := range h.Edits {
		s.old = s.old && e.NewFrom == e.NewTo
	}
	first, last := h.Edits[0], h.Edits[len(h.Edits)-1]
	if s.old {
		s.from, s.to = first.OldFrom, last.OldTo
	} else {
		s.from, s.to = first.NewFrom, last.NewTo
	}
	return s
}

// ranged is the lines within the visual range: those of the new side, or, where there
// are none, those of the old one.
func (p *Pane) ranged() (stretch, bool) {
	olds, news := stretch{old: true, from: -1}, stretch{from: -1}
	for i := min(p.anchor, p.win.Cursor); i <= max(p.anchor, p.win.Cursor) && i < p.lay.rows; i++ {
		r := p.lay.at(i)
		if r.kind != equal && r.kind != removed && r.kind != added && r.kind != pair {
			continue
		}
		olds.take(r.old)
		news.take(r.new)
	}
	if news.from >= 0 {
		return news, true
	}
	return olds, olds.from >= 0
}

func (s *stretch) take(line int) {
	if line < 0 {
		return
	}
	if s.from < 0 {
		s.from = line
	}
	s.to = line + 1
}

func (p *Pane) textOf(old bool) view.Lines {
	if old {
		return p.lay.doc.Old
	}
	return p.lay.doc.New
}

func (p *Pane) hash(h int) string {
	doc := p.lay.doc
	edits := make([]anchor.Edit, len(doc.Hunks[h].Edits))
	for i, e := range doc.Hunks[h].Edits {
		edits[i] = anchor.Edit(e)
	}
	return anchor.Hash(doc.Old, doc.New, edits)
}

// Source is what y copies: the lines of the visual range, else of the hunk under the
// cursor, as they stand in the file, without gutter or signs. What would drive a
// terminal that it is pasted into is written out.
func (p *Pane) Source() (text string, lines int) {
	if p.lay == nil {
		return "", 0
	}
	s, ok := stretch{}, false
	if p.anchor >= 0 {
		s, ok = p.ranged()
	} else if h, there := p.Hunk(); there {
		s, ok = changed(h), true
	}
	if !ok {
		return "", 0
	}
	var b strings.Builder
	for i := s.from; i < s.to; i++ {
		b.WriteString(legible.Block(strings.TrimSuffix(string(p.textOf(s.old).Line(i)), "\r")))
		b.WriteByte('\n')
	}
	return b.String(), s.to - s.from
}
