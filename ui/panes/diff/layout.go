package diff

import (
	"sort"

	"overturn/ui/view"
)

// kind is what a row shows.
type kind uint8

const (
	header  kind = iota // what is not lines: mode, rename, sizes
	gap                 // hidden equal lines
	head                // a hunk's header
	equal               // a line of both sides
	removed             // a line of the old side
	added               // a line of the new side
	pair                // split: a removed line beside an added one
	note                // no line feed at the end of the side above
	fold                // instead of hunks: why the document is folded, that only whitespace differs
)

// segment is a run of rows of one kind. Old and new are 0-based lines of its
// first row; a gap is one row for n lines.
type segment struct {
	kind     kind
	hunk     int32 // index in Document.Hunks, -1 outside
	edit     int32 // of a gap: the edit that it lies before, counted through
	row      int32
	n        int32
	old, new int32
}

func (s segment) rows() int32 {
	if s.kind == gap {
		return 1
	}
	return s.n
}

// shape is everything that a layout depends on beside the document.
type shape struct {
	split   bool
	folded  bool           // the document is one row that says why
	context int            // equal lines around an edit
	shown   map[int32]int  // more of them at each side of the gap before an edit
	hidden  map[int]string // hunks, by number, that are a row which says why
}

// layout is the rows of a document in a shape.
type layout struct {
	doc   *view.Document
	shape shape
	segs  []segment
	rows  int
	heads []int // row of each hunk's header
}

// reach is the context that git counts into a hunk, and the most that stands
// between a hunk's header and its first edit.
const reach = 3

type builder struct {
	layout
	o, n int // the next lines not laid out yet
	edit int32
	left int // comparisons of lines that a split layout may still make
}

func build(doc *view.Document, sh shape) *layout {
	b := &builder{layout: layout{doc: doc, shape: sh}, left: matesInLayout}
	edits := 0
	for _, h := range doc.Hunks {
		edits += len(h.Edits)
	}
	b.segs = make([]segment, 0, min(4*edits+len(doc.Hunks)+4, 6*edits+8))
	if n := len(doc.Header) + len(doc.Alarms); n > 0 {
		b.add(header, -1, n, 0, 0)
	}
	if sh.folded {
		b.add(fold, -1, 1, 0, 0)
		return &b.layout
	}
	if len(doc.Hunks) == 0 && doc.HiddenSpace > 0 && b.rows > 0 {
		b.add(fold, -1, 1, 0, 0)
	}
	first := true // no context of an edit before
	for h, hunk := range doc.Hunks {
		if _, hide := sh.hidden[hunk.Number]; hide {
			b.hide(int32(h), hunk, first)
			first = true
			continue
		}
		for i, e := range hunk.Edits {
			b.between(int32(h), e.OldFrom-b.o, first, i == 0)
			b.change(int32(h), e)
			first = false
			b.edit++
		}
	}
	if len(doc.Hunks) > 0 {
		b.tail(int32(len(doc.Hunks)-1), first)
	}
	return &b.layout
}

// add appends n rows of a kind; old and new are the lines of the first.
func (b *builder) add(k kind, hunk int32, n, old, new int) {
	if n <= 0 {
		return
	}
	s := segment{kind: k, hunk: hunk, n: int32(n), old: int32(old), new: int32(new), row: int32(b.rows)}
	if k == gap {
		s.edit = b.edit
	}
	b.segs = append(b.segs, s)
	b.rows += int(s.rows())
}

// between lays out the n equal lines before an edit: context of the edit
// before, a gap, the header where a hunk begins, context of the edit.
func (b *builder) between(h int32, n int, first, starts bool) {
	more := b.shape.shown[b.edit]
	after, before := b.shape.context+more, b.shape.context+more
	if first {
		after = 0
	}
	if after+before+1 >= n { // a gap of one line is not worth its row
		before = min(n, reach)
		b.equal(h-1, n-before)
		b.header(h, starts)
		b.equal(h, before)
		return
	}
	b.equal(h-1, after)
	hidden := n - after - before
	b.add(gap, h, hidden, b.o, b.n)
	b.o, b.n = b.o+hidden, b.n+hidden
	if !starts {
		b.equal(h, before)
		return
	}
	lead := max(before-reach, 0)
	b.equal(h, lead)
	b.header(h, true)
	b.equal(h, before-lead)
}

func (b *builder) header(h int32, starts bool) {
	if starts {
		b.heads = append(b.heads, b.rows)
		b.add(head, h, 1, b.o, b.n)
	}
}

func (b *builder) equal(h int32, n int) {
	b.add(equal, max(h, 0), n, b.o, b.n)
	b.o, b.n = b.o+max(n, 0), b.n+max(n, 0)
	if n > 0 && b.doc.NewNoNewline && b.n == b.doc.New.Lines() {
		b.add(note, max(h, 0), 1, b.o-1, b.n-1)
	}
}

func (b *builder) tail(h int32, first bool) {
	n := b.doc.New.Lines() - b.n
	after := b.shape.shown[b.edit]
	if !first {
		after += b.shape.context
	}
	if after+1 >= n {
		b.equal(h, n)
		return
	}
	b.equal(h, after)
	b.add(gap, h, n-after, b.o, b.n)
}

// row is one row: its kind and its lines, -1 where a side has none.
type row struct {
	kind     kind
	hunk     int
	old, new int
	seg      int
	index    int // within the segment
}

// at finds row i, which must be one of the layout's.
func (l *layout) at(i int) row {
	s := sort.Search(len(l.segs), func(k int) bool { return int(l.segs[k].row) > i }) - 1
	return l.in(s, i)
}

// in is row i, known to lie in segment s.
func (l *layout) in(s, i int) row {
	seg := l.segs[s]
	k := i - int(seg.row)
	r := row{kind: seg.kind, hunk: int(seg.hunk), old: int(seg.old) + k, new: int(seg.new) + k, seg: s, index: k}
	switch seg.kind {
	case removed:
		r.new = -1
	case added:
		r.old = -1
	case note:
		r.old, r.new = int(seg.old), int(seg.new)
	}
	return r
}

// rowOf is the row that shows a line of the new side, or of the old one, or the
// gap that hides it; -1 when there is none.
func (l *layout) rowOf(line int, old bool) int {
	for _, s := range l.segs {
		from := int(s.new)
		if old {
			from = int(s.old)
		}
		shows := s.kind == equal || s.kind == pair || s.kind == gap || s.kind == removed && old || s.kind == added && !old
		if shows && line >= from && line < from+int(s.n) {
			if s.kind == gap {
				return int(s.row)
			}
			return int(s.row) + line - from
		}
	}
	return -1
}

// hunkAt is the index of the hunk at or before row i, -1 before the first.
func (l *layout) hunkAt(i int) int {
	return sort.SearchInts(l.heads, i+1) - 1
}
