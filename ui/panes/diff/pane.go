package diff

import (
	"overturn/model"
	"overturn/ui/find"
	"overturn/ui/scroll"
	"overturn/ui/view"
)

// Whole is a context that hides nothing.
const Whole = 1 << 30

// Pane is the diff of one file. The zero value is not usable; New is.
type Pane struct {
	lay    *layout // nil: no document
	shape  shape
	auto   bool                // split or unified by the width, until the user says which
	before int                 // the context that Whole came from
	opened map[model.Path]bool // folded documents that the user opened

	win    scroll.Window
	left   int // cells scrolled sideways
	wrap   bool
	anchor int // first row of the visual range, -1 when there is none
	query  find.Query
	marks  *emphasis
	moves  map[place]view.Move // by the first line of each

	colours view.Colours
	wrote   writers
	back    map[int]bool // exact numbers of hunks that are not on disk any more
	remarks remarks      // comments on the file

	staged map[int]bool   // exact numbers of staged hunks
	whole  bool           // the whole file is staged
	thread model.ThreadID // whose turns need no name
	rowsAt []int          // the row that each screen row showed last
	width  int            // of the body, when it was drawn last
}

// New makes an empty pane.
func New() *Pane {
	return &Pane{shape: shape{context: reach, shown: map[int32]int{}}, anchor: -1, auto: true, opened: map[model.Path]bool{}}
}

// Document is what is shown, or nil.
func (p *Pane) Document() *view.Document {
	if p.lay == nil {
		return nil
	}
	return p.lay.doc
}

// Clear shows nothing.
func (p *Pane) Clear() {
	p.lay, p.anchor, p.colours, p.back, p.wrote.of = nil, -1, view.Colours{}, nil, nil
}

// Show opens a document at its first hunk.
func (p *Pane) Show(doc *view.Document) {
	p.shape.shown, p.shape.hidden = map[int32]int{}, nil
	p.left, p.anchor = 0, -1
	p.back, p.wrote.of = nil, nil
	p.set(doc)
	p.win.Top, p.win.Cursor = 0, 0
	p.win.Len = p.lay.rows
	if p.shape.folded {
		p.win.Cursor = p.lay.rows - 1
		return
	}
	// A pane that was never drawn has no height yet: it opens on the first hunk too.
	drawn := p.win.Height > 0
	if len(p.lay.heads) > 0 && (!drawn || p.lay.heads[0] < max(p.win.Height-scroll.Margin, 1)) {
		p.win.Cursor = p.lay.heads[0]
		p.reveal(0)
	}
}

// Replace shows a newer document of the same file and keeps the line under the
// cursor where it is on the screen: the same text, nearest to where it was.
func (p *Pane) Replace(doc *view.Document) {
	if p.lay == nil {
		p.Show(doc)
		return
	}
	old, at, y := p.lay, p.row(), p.win.Cursor-p.win.Top
	p.anchor = -1
	colours := p.colours
	p.set(doc)
	p.colours.Old = carry(colours.Old, old.doc.Old, p.lay.doc.Old)
	p.colours.New = carry(colours.New, old.doc.New, p.lay.doc.New)
	p.place(old.doc, at, y)
}

// set lays doc out.
func (p *Pane) set(doc *view.Document) {
	if doc.Old == nil || doc.New == nil { // a side that is not there is a text without lines
		whole := *doc
		whole.Old, whole.New = orNone(doc.Old), orNone(doc.New)
		doc = &whole
	}
	if o := p.wrote.of; o != nil && len(o.New) != doc.New.Lines() { // else they hold until there are new ones
		p.wrote.of = nil
	}
	p.marks, p.colours, p.moves = newEmphasis(doc), view.Colours{}, nil
	p.shape.folded = doc.Folded != "" && !p.opened[doc.File.Path]
	p.lay = build(doc, p.shape)
	p.win.Resize(p.lay.rows, p.win.Height)
	p.placeRemarks()
}

type noLines struct{}

func (noLines) Lines() int      { return 0 }
func (noLines) Line(int) []byte { return nil }

func orNone(l view.Lines) view.Lines {
	if l == nil {
		return noLines{}
	}
	return l
}

// reshape lays the document out again in the present shape; the cursor stays on
// its line.
func (p *Pane) reshape() {
	if p.lay == nil {
		return
	}
	at, y := p.row(), p.win.Cursor-p.win.Top
	p.lay = build(p.lay.doc, p.shape)
	p.anchor = -1
	p.win.Resize(p.lay.rows, p.win.Height)
	p.place(p.lay.doc, at, y)
}

// row is the row under the cursor.
func (p *Pane) row() row {
	if p.lay == nil || p.lay.rows == 0 {
		return row{kind: header, hunk: -1, old: -1, new: -1}
	}
	return p.lay.at(p.win.Cursor)
}

// near is how far a line is looked for from where it was.
const near = 2000

// place puts the cursor on the line that at showed in the document before.
func (p *Pane) place(before *view.Document, at row, y int) {
	to := -1
	switch {
	case at.kind == head && at.hunk >= 0 && at.hunk < len(p.lay.heads) && before == p.lay.doc:
		to = p.lay.heads[at.hunk]
	case at.new >= 0:
		if line := nearest(before.New, at.new, p.lay.doc.New); line >= 0 {
			to = p.lay.rowOf(line, false)
		}
	case at.old >= 0:
		if line := nearest(before.Old, at.old, p.lay.doc.Old); line >= 0 {
			to = p.lay.rowOf(line, true)
		}
	}
	if to < 0 && at.hunk >= 0 && at.hunk < len(p.lay.heads) && before == p.lay.doc {
		to = p.lay.heads[at.hunk] // its lines are hidden now
	}
	if to < 0 {
		to = p.win.Cursor
	} else if at.kind == head && to > 0 && p.lay.at(to-1).kind == head {
		to--
	}
	p.win.Place(to, y)
}

// nearest looks for line i of a in b, nearest to i first.
func nearest(a view.Lines, i int, b view.Lines) int {
	if i >= a.Lines() {
		return -1
	}
	want := string(a.Line(i))
	for d := range near {
		for _, k := range [2]int{i - d, i + d} {
			if k >= 0 && k < b.Lines() && string(b.Line(k)) == want {
				return k
			}
		}
	}
	return -1
}

// SetStaged tells what of the file is staged: the whole of it, or hunks.
func (p *Pane) SetStaged(whole bool, hunks []int) {
	p.whole, p.staged = whole, map[int]bool{}
	for _, n := range hunks {
		p.staged[n] = true
	}
}

// SetThread tells which thread the review is about: hunks of others say whose
// they are.
func (p *Pane) SetThread(id model.ThreadID) { p.thread = id }

// Position is the hunk under the cursor and how many there are; 0 where there
// is none.
func (p *Pane) Position() (at, of int) {
	if p.lay == nil {
		return 0, 0
	}
	return p.hunk() + 1, len(p.lay.heads)
}

func (p *Pane) hunk() int {
	if p.lay == nil || p.lay.rows == 0 {
		return -1
	}
	if r := p.row(); r.kind != gap && r.kind != header {
		return r.hunk
	}
	return max(p.lay.hunkAt(p.win.Cursor), min(0, len(p.lay.heads)-1))
}

// Hunk is the hunk under the cursor.
func (p *Pane) Hunk() (view.Hunk, bool) {
	h := p.hunk()
	if h < 0 {
		return view.Hunk{}, false
	}
	return p.lay.doc.Hunks[h], true
}

// Line is the line of the new side at the cursor, from 1: where an editor opens.
func (p *Pane) Line() int {
	if p.lay == nil {
		return 1
	}
	for i := p.win.Cursor; i < p.lay.rows; i++ {
		if r := p.lay.at(i); r.new >= 0 && r.kind != header {
			return min(r.new+1, max(p.lay.doc.New.Lines(), 1))
		}
	}
	return max(p.lay.doc.New.Lines(), 1)
}

// Ranged tells whether a visual range is open.
func (p *Pane) Ranged() bool { return p.anchor >= 0 }

// Lines are the changed lines within the visual range.
func (p *Pane) Lines() []view.LineRange {
	if p.anchor < 0 || p.lay == nil {
		return nil
	}
	var olds, news []view.LineRange
	from, to := min(p.anchor, p.win.Cursor), max(p.anchor, p.win.Cursor)
	for i := from; i <= to && i < p.lay.rows; i++ {
		r := p.lay.at(i)
		if r.kind == removed || r.kind == pair {
			olds = grow(olds, true, r.old+1)
		}
		if r.kind == added || r.kind == pair {
			news = grow(news, false, r.new+1)
		}
	}
	return append(olds, news...)
}

func grow(list []view.LineRange, old bool, line int) []view.LineRange {
	if n := len(list); n > 0 && list[n-1].To == line-1 {
		list[n-1].To = line
		return list
	}
	return append(list, view.LineRange{Old: old, From: line, To: line})
}

// Owner is the owner of the hunk under the cursor.
func (p *Pane) Owner() model.Owner {
	h, _ := p.Hunk()
	return h.Owner
}
