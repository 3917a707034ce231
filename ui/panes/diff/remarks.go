package diff

import (
	"slices"

	"overturn/model"
	"overturn/model/anchor"
	"overturn/ui/view"
)

// remarks are the comments on the file that is shown, by where they stand in the
// document.
type remarks struct {
	list  []view.Remark
	lines map[spot][]int
	hunks map[int][]int // by index in Document.Hunks
	file  []int         // on the file, and those whose place is gone
}

type spot struct {
	old  bool
	line int
}

// SetRemarks tells what was commented on in the file that is shown.
func (p *Pane) SetRemarks(list []view.Remark) {
	p.remarks = remarks{list: list}
	p.placeRemarks()
}

// placeRemarks finds the place of each comment in the document.
func (p *Pane) placeRemarks() {
	m := &p.remarks
	m.lines, m.hunks, m.file = nil, nil, nil
	if p.lay == nil || len(m.list) == 0 {
		return
	}
	m.lines, m.hunks = map[spot][]int{}, map[int][]int{}
	var hashes []string
	for i, c := range m.list {
		a := c.Anchor
		if a.Kind == model.AnchorHunk && a.Hunk != "" {
			for h := len(hashes); h < len(p.lay.doc.Hunks); h++ {
				hashes = append(hashes, p.hash(h))
			}
			if h := slices.Index(hashes, a.Hunk); h >= 0 {
				m.hunks[h] = append(m.hunks[h], i)
				continue
			}
		}
		at := anchor.Find(p.textOf(a.Old), a)
		if a.Kind == model.AnchorFile || at.State == anchor.Gone {
			m.file = append(m.file, i)
			continue
		}
		last := at.Line
		if at.State == anchor.There {
			last += max(a.To-a.From, 0)
		}
		for line := at.Line; line <= last; line++ {
			m.lines[spot{a.Old, line}] = append(m.lines[spot{a.Old, line}], i)
		}
	}
}

// of lists the comments on a row, by index.
func (m *remarks) of(r row) []int {
	if len(m.list) == 0 {
		return nil
	}
	switch r.kind {
	case head:
		return m.hunks[r.hunk]
	case header:
		return m.file
	case equal, removed, added, pair:
		return slices.Concat(m.lines[spot{false, r.new}], m.lines[spot{true, r.old}])
	}
	return nil
}

// Remarked are the comments on the row under the cursor.
func (p *Pane) Remarked() []view.Remark {
	var list []view.Remark
	for _, i := range p.remarks.of(p.row()) {
		list = append(list, p.remarks.list[i])
	}
	return list
}

// RemarkBeyond is the nearest comment below the cursor, or above it for -1.
func (p *Pane) RemarkBeyond(d int) (id model.ID, ok bool) {
	if p.lay == nil {
		return "", false
	}
	here, nearest := p.win.Cursor, -1
	consider := func(row int, on []int) {
		beyond := d > 0 && (row > here || row == here && row < p.lay.rows && p.lay.at(row).kind == gap) || d < 0 && row < here
		if len(on) > 0 && beyond && (nearest < 0 || (row-nearest)*d < 0) {
			nearest, id = row, p.remarks.list[on[0]].ID
		}
	}
	consider(0, p.remarks.file)
	for h, on := range p.remarks.hunks {
		consider(p.lay.heads[h], on)
	}
	first := map[int]spot{} // a comment on several lines is at the first of them
	for s, on := range p.remarks.lines {
		for _, i := range on {
			if at, ok := first[i]; !ok || s.line < at.line {
				first[i] = s
			}
		}
	}
	for i, s := range first {
		consider(p.lay.rowOf(s.line, s.old), []int{i})
	}
	return id, nearest >= 0
}

// GoToRemark puts the cursor on the place of a comment and tells whether it has one in
// this document; one on the file has its first row.
func (p *Pane) GoToRemark(id model.ID) bool {
	if p.lay == nil {
		return false
	}
	i := slices.IndexFunc(p.remarks.list, func(r view.Remark) bool { return r.ID == id })
	if i < 0 {
		return false
	}
	for h, on := range p.remarks.hunks {
		if slices.Contains(on, i) {
			p.toHunk(h)
			return true
		}
	}
	at := spot{line: -1}
	for s, on := range p.remarks.lines {
		if slices.Contains(on, i) && (at.line < 0 || s.line < at.line) {
			at = s
		}
	}
	if at.line < 0 {
		p.To(0)
		return p.remarks.list[i].Anchor.Kind == model.AnchorFile
	}
	p.GoTo(p.shownRow(at))
	return true
}

// shownRow is the row of a line; a gap that hides it is opened first.
func (p *Pane) shownRow(at spot) int {
	for range 64 {
		row := p.lay.rowOf(at.line, at.old)
		if row < 0 || p.lay.at(row).kind != gap {
			return max(row, 0)
		}
		p.To(row)
		p.Expand()
	}
	if p.shape.context != Whole {
		p.ToggleWhole()
	}
	return max(p.lay.rowOf(at.line, at.old), 0)
}
