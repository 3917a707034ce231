package patch

import (
	"bytes"
	"context"
)

// Conflict is a stretch that two texts changed differently, as line ranges of the
// base and of both texts, counted from 0. Where the texts are not compared by
// lines, all ranges are empty.
type Conflict struct{ Base, Ours, Theirs Range }

// Merge brings the change from base to theirs into ours and keeps what ours
// changed, by lines, with the rules of `git merge-file`: changes that touch or
// overlap conflict unless both sides are equal. With conflicts merged is nil.
// Binary content is never merged: unless one side is unchanged or both are equal
// it is one conflict.
func Merge(base, ours, theirs []byte) (merged []byte, conflicts []Conflict) {
	switch {
	case bytes.Equal(base, theirs) || bytes.Equal(ours, theirs):
		return ours, nil
	case bytes.Equal(base, ours):
		return theirs, nil
	case IsBinary(base) || IsBinary(ours) || IsBinary(theirs):
		return nil, []Conflict{{}}
	}
	m := merger{base: NewText(base), ours: NewText(ours), theirs: NewText(theirs)}
	w := watching(context.Background())
	m.left, m.right = alignment{}.edits(w, m.base, m.ours), alignment{}.edits(w, m.base, m.theirs)
	m.run()
	if len(m.conflicts) > 0 {
		return nil, m.conflicts
	}
	return m.out, nil
}

type merger struct {
	base, ours, theirs Text
	left, right        []Edit // base → ours, base → theirs; those not yet merged
	out                []byte
	conflicts          []Conflict
}

func (m *merger) run() {
	at := Conflict{} // the lines behind the last stretch, on each side
	for len(m.left)+len(m.right) > 0 {
		left, right := m.cluster()
		c := stretch(at, left, right)
		m.out = append(m.out, m.base.span(at.Base.To, c.Base.From)...)
		m.settle(c, len(left) > 0, len(right) > 0)
		at = c
	}
	m.out = append(m.out, m.base.span(at.Base.To, m.base.Lines())...)
}

// cluster takes the next edits that touch or overlap one another.
func (m *merger) cluster() (left, right []Edit) {
	end := -1
	for {
		switch {
		case m.next(m.left, m.right, end):
			end = max(end, m.left[0].OldTo)
			left, m.left = append(left, m.left[0]), m.left[1:]
		case m.next(m.right, m.left, end):
			end = max(end, m.right[0].OldTo)
			right, m.right = append(right, m.right[0]), m.right[1:]
		default:
			return left, right
		}
	}
}

// next tells whether the first of edits belongs to the cluster that reaches to
// end; a new one, end -1, begins with the first edit of either side.
func (m *merger) next(edits, others []Edit, end int) bool {
	if len(edits) == 0 {
		return false
	}
	if end < 0 {
		return len(others) == 0 || edits[0].OldFrom <= others[0].OldFrom
	}
	return edits[0].OldFrom <= end
}

// stretch is the lines that a cluster covers on each side, where at is what came
// before.
func stretch(at Conflict, left, right []Edit) Conflict {
	from, to := -1, -1
	for _, e := range append(append([]Edit(nil), left...), right...) {
		if from < 0 || e.OldFrom < from {
			from = e.OldFrom
		}
		to = max(to, e.OldTo)
	}
	return Conflict{Base: Range{from, to}, Ours: follow(at.Base.To, at.Ours.To, from, to, left), Theirs: follow(at.Base.To, at.Theirs.To, from, to, right)}
}

// follow maps base lines [from,to) to the side that edits made, where base line
// base is the side's line side.
func follow(base, side, from, to int, edits []Edit) Range {
	start := side + from - base
	end := start + to - from
	for _, e := range edits {
		end += (e.NewTo - e.NewFrom) - (e.OldTo - e.OldFrom)
	}
	return Range{start, end}
}

func (m *merger) settle(c Conflict, left, right bool) {
	ours := m.ours.span(c.Ours.From, c.Ours.To)
	theirs := m.theirs.span(c.Theirs.From, c.Theirs.To)
	switch {
	case !right || left && bytes.Equal(ours, theirs):
		m.out = append(m.out, ours...)
	case !left:
		m.out = append(m.out, theirs...)
	default:
		m.conflicts = append(m.conflicts, c)
	}
}
