package diff

import (
	"slices"

	"overturn/ui/frame"
	"overturn/ui/view"
)

// emphasis finds the words that differ between a removed line and the added line
// across from it, for the lines that are drawn, and remembers the newest.
type emphasis struct {
	doc   *view.Document
	known map[[2]int]spans
	pairs map[[2]int][]int32 // mates by the first lines of their edit
}

type spans struct{ old, new [][2]int }

// Lines longer than plainLimit are compared by their common beginning and end;
// at most known pairs are remembered.
const (
	plainLimit = 4 << 10
	knownLimit = 2048
)

func newEmphasis(doc *view.Document) *emphasis {
	return &emphasis{doc, map[[2]int]spans{}, map[[2]int][]int32{}}
}

// of is the emphasis of a pair of lines; nothing where they have too little in
// common to be the same line edited.
func (m *emphasis) of(old, new int) spans {
	key := [2]int{old, new}
	if s, ok := m.known[key]; ok {
		return s
	}
	if len(m.known) >= knownLimit {
		clear(m.known)
	}
	a, b := m.doc.Old.Line(old), m.doc.New.Line(new)
	var s spans
	switch {
	case len(a) > plainLimit || len(b) > plainLimit:
		s = ends(a, b)
	case m.doc.Emphasis != nil:
		s.old, s.new = m.doc.Emphasis(a, b)
		if !alike(s.old, len(a)) || !alike(s.new, len(b)) {
			s = spans{}
		}
	}
	m.known[key] = s
	return s
}

// alike tells whether at least a third of n bytes is common.
func alike(differ [][2]int, n int) bool {
	changed := 0
	for _, d := range differ {
		changed += d[1] - d[0]
	}
	return changed*3 <= n*2
}

func ends(a, b []byte) spans {
	n := min(len(a), len(b))
	from := 0
	for from < n && a[from] == b[from] {
		from++
	}
	end := 0
	for end < n-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return spans{cut(from, len(a)-end), cut(from, len(b)-end)}
}

func cut(from, to int) [][2]int {
	if from >= to {
		return nil
	}
	return [][2]int{{from, to}}
}

// across finds the line that the one of row r became, or was: mates of an edit.
func (m *emphasis) across(l *layout, r row) (old, new int, ok bool) {
	seg, s := l.segs[r.seg], r.seg
	switch {
	case seg.kind == pair:
		return r.old, r.new, true
	case l.shape.split: // it stands alone
		return 0, 0, false
	case seg.kind == removed:
		if s++; s < len(l.segs) && l.segs[s].kind == note {
			s++
		}
		if s < len(l.segs) && l.segs[s].kind == added {
			k := m.became(seg, l.segs[s], r.index)
			return r.old, int(l.segs[s].new) + k, k >= 0
		}
	case seg.kind == added:
		if s--; s >= 0 && l.segs[s].kind == note {
			s--
		}
		if s >= 0 && l.segs[s].kind == removed {
			i := m.was(l.segs[s], seg, r.index)
			return int(l.segs[s].old) + i, r.new, i >= 0
		}
	}
	return 0, 0, false
}

// became is which of the added lines come the i-th of the removed lines gone became,
// -1 where it became none.
func (m *emphasis) became(gone, come segment, i int) int {
	switch list := m.mates(gone, come); {
	case list != nil:
		return int(list[i])
	case i < int(come.n):
		return i
	}
	return -1
}

// was is became the other way round.
func (m *emphasis) was(gone, come segment, k int) int {
	switch list := m.mates(gone, come); {
	case list != nil:
		return slices.Index(list, int32(k))
	case k < int(gone.n):
		return k
	}
	return -1
}

// mates of removed lines and the added lines that follow them.
func (m *emphasis) mates(gone, come segment) []int32 {
	key := [2]int{int(gone.old), int(come.new)}
	if list, ok := m.pairs[key]; ok {
		return list
	}
	if len(m.pairs) >= knownLimit {
		clear(m.pairs)
	}
	list := mates(m.doc, view.Edit{OldFrom: key[0], OldTo: key[0] + int(gone.n), NewFrom: key[1], NewTo: key[1] + int(come.n)})
	m.pairs[key] = list
	return list
}

// reveal scrolls sideways to the first words that differ in hunk h, when the
// window shows none of them: in a very long line they would never be found.
func (p *Pane) reveal(h int) {
	if p.wrap || p.lay.doc.Hunks[h].Edits == nil {
		return
	}
	e := p.lay.doc.Hunks[h].Edits[0]
	if e.OldTo == e.OldFrom || e.NewTo == e.NewFrom || len(p.lay.doc.New.Line(e.NewFrom)) < plainLimit {
		p.left = 0
		return
	}
	if s := p.marks.of(e.OldFrom, e.NewFrom); len(s.new)+len(s.old) > 0 {
		at := append(s.new, s.old...)[0][0] // the same in both: what comes before is common
		p.left = max(frame.Width(string(p.lay.doc.Old.Line(e.OldFrom)[:at]))-20, 0)
	}
}
