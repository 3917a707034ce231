package diff

import "overturn/ui/view"

// change lays out an edit. Unified: removed lines, then added ones; split: each line
// beside the one that it became, the others beside each other in between.
func (b *builder) change(h int32, e view.Edit) {
	dels, adds := e.OldTo-e.OldFrom, e.NewTo-e.NewFrom
	oldEnd := dels > 0 && b.doc.OldNoNewline && e.OldTo == b.doc.Old.Lines()
	newEnd := adds > 0 && b.doc.NewNoNewline && e.NewTo == b.doc.New.Lines()
	if b.shape.split {
		b.beside(h, e)
	} else {
		b.add(removed, h, dels, e.OldFrom, e.NewFrom)
		if oldEnd {
			b.add(note, h, 1, e.OldTo-1, -1)
		}
		b.add(added, h, adds, e.OldFrom, e.NewFrom)
	}
	switch {
	case b.shape.split && (oldEnd || newEnd):
		old, now := -1, -1
		if oldEnd {
			old = e.OldTo - 1
		}
		if newEnd {
			now = e.NewTo - 1
		}
		b.add(note, h, 1, old, now)
	case newEnd:
		b.add(note, h, 1, -1, e.NewTo-1)
	}
	b.o, b.n = e.OldTo, e.NewTo
}

// beside lays out an edit in two halves.
func (b *builder) beside(h int32, e view.Edit) {
	var list []int32
	if cost := (e.OldTo - e.OldFrom) * (e.NewTo - e.NewFrom); cost <= b.left {
		b.left -= cost
		list = mates(b.doc, e)
	}
	old, now := e.OldFrom, e.NewFrom
	stretch := func(oldTo, newTo int) {
		both := min(oldTo-old, newTo-now)
		b.add(pair, h, both, old, now)
		b.add(removed, h, oldTo-old-both, old+both, now+both)
		b.add(added, h, newTo-now-both, old+both, now+both)
		old, now = oldTo, newTo
	}
	for i, k := range list {
		if k >= 0 {
			stretch(e.OldFrom+i, e.NewFrom+int(k))
			b.add(pair, h, 1, old, now)
			old, now = old+1, now+1
		}
	}
	stretch(e.OldTo, e.NewTo)
}

// hide lays out a hunk as its header alone, after what of the lines before it the
// edit before shows.
func (b *builder) hide(h int32, hunk view.Hunk, first bool) {
	n := hunk.Edits[0].OldFrom - b.o
	after := b.shape.shown[b.edit]
	if !first {
		after += b.shape.context
	}
	if after+1 >= n {
		after = n
	}
	b.equal(h-1, after)
	b.add(gap, h, n-after, b.o, b.n)
	last := hunk.Edits[len(hunk.Edits)-1]
	b.o, b.n = hunk.Edits[0].OldFrom, hunk.Edits[0].NewFrom
	b.header(h, true)
	b.o, b.n = last.OldTo, last.NewTo
	b.edit += int32(len(hunk.Edits))
}
