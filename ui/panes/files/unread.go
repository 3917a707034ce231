package files

import (
	"slices"

	"overturn/model"
)

// gone is a row that left the list with the cursor on it, and where the cursor went.
type gone struct {
	path model.Path // "" for none
	dir  bool
	to   row
}

// OnlyUnread lists the files that hold something unread alone, or all again. Those that
// are not counted yet stay until they are. The cursor stays on its row; where that goes
// it comes to the next file, and back with the row when it did not move in between.
func (p *Pane) OnlyUnread(on bool) {
	at, ok := p.selected()
	p.unread = on
	p.lay()
	back := p.gone
	p.gone = gone{}
	switch {
	case !ok:
	case !on && back.path != "" && back.to.path == at.path && back.to.folder == at.folder && p.find(back.path, back.dir):
	case !p.find(at.path, at.folder):
		p.win.To(min(p.win.Cursor, len(p.rows)-1))
		if r, ok := p.selected(); ok && r.folder && !p.NextFile(1) {
			p.NextFile(-1)
		}
		p.gone.path, p.gone.dir = at.path, at.folder
		p.gone.to, _ = p.selected()
	}
}

// Unread is the first file of the list that holds something unread, and the first of
// them after the cursor; -1 where there is none.
func (p *Pane) Unread() (first, next int) {
	first, next = -1, -1
	after := 0 // the files of the list up to the cursor
	if r, ok := p.selected(); ok && !r.folder && r.noted < 0 {
		after = slices.Index(p.order, r.file) + 1
	} else if ok && r.folder {
		after = r.from + r.count
	}
	for k, i := range p.order {
		if p.cmp.Files[i].Done() {
			continue
		}
		if first < 0 {
			first = i
		}
		if k >= after {
			return first, i
		}
	}
	return first, next
}

// Beyond is the nearest file of the list after the cursor, or before it for -1, that want
// tells; -1 where there is none.
func (p *Pane) Beyond(d int, want func(index int) bool) int {
	r, ok := p.selected()
	if !ok || r.noted >= 0 {
		return -1
	}
	k := r.from - 1 // of a folder: before its first file
	if d < 0 && r.folder {
		k = r.from
	}
	if !r.folder {
		k = slices.Index(p.order, r.file)
	}
	for k += d; k >= 0 && k < len(p.order); k += d {
		if want(p.order[k]) {
			return p.order[k]
		}
	}
	return -1
}

// Indexes is the files that the cursor is on: one, or all that are listed of a folder.
func (p *Pane) Indexes() []int {
	r, ok := p.selected()
	switch {
	case !ok || r.noted >= 0:
		return nil
	case r.folder:
		return p.order[r.from : r.from+r.count]
	}
	return []int{r.file}
}
