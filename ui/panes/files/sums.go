package files

import (
	"strconv"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

// sums adds up what is known of the listed files, from the first to each: the sums of
// a folder are a difference of two, so that a row costs the same however much lies
// below it. Unsure counts files whose lines are not counted yet, unread those that hold
// something unread or are not counted, and read those in which all of something was.
type sums struct{ adds, dels, unsure, unread, read []int }

func sumUp(cmp *view.Comparison, order []int) sums {
	n := len(order) + 1
	s := sums{make([]int, n), make([]int, n), make([]int, n), make([]int, n), make([]int, n)}
	for k, i := range order {
		f := &cmp.Files[i]
		s.adds[k+1], s.dels[k+1], s.unsure[k+1] = s.adds[k], s.dels[k], s.unsure[k]
		s.unread[k+1], s.read[k+1] = s.unread[k], s.read[k]
		switch {
		case !f.Done():
			s.unread[k+1]++
		case f.Hunks > 0:
			s.read[k+1]++
		}
		switch {
		case f.Additions >= 0:
			s.adds[k+1] += f.Additions
			s.dels[k+1] += f.Deletions
		case !f.Binary:
			s.unsure[k+1]++
		}
	}
	return s
}

// Count takes in what became known of the files since the list was shown.
func (p *Pane) Count() {
	switch at, ok := p.selected(); {
	case p.cmp == nil:
	case p.only || p.unread: // files may prove to be somebody else's, or read
		p.lay()
		if ok {
			p.find(at.path, at.folder)
		}
	default:
		p.sums = sumUp(p.cmp, p.order)
	}
}

// Only lists the agent's files alone, or all again. Those whose owner is not known yet
// stay until it is.
func (p *Pane) Only(agent bool) {
	at, ok := p.selected()
	p.only = agent
	p.lay()
	if ok && !p.find(at.path, at.folder) {
		p.win.To(min(p.win.Cursor, len(p.rows)-1))
	}
}

// agents tells of a file that the agent had a part in, as far as that is known.
func agents(f view.File) bool {
	return f.Owner == model.OwnerAgent || f.Owner == model.OwnerMixed || f.Owner == ""
}

// Listed tells whether a file is in the list.
func (p *Pane) Listed(file int) bool {
	return p.cmp != nil && file >= 0 && file < len(p.cmp.Files) && p.listed(p.cmp.Files[file])
}

// listed tells whether a file is one that the list is narrowed to.
func (p *Pane) listed(f view.File) bool {
	return (!p.only || agents(f)) && (!p.unread || !f.Done())
}

// done tells whether all that is listed below a folder was read.
func (s *sums) done(r row) bool {
	to := r.from + r.count
	return s.unread[to] == s.unread[r.from] && s.read[to] > s.read[r.from]
}

// folder draws a folder: whether it is folded, its name, and at the right how many
// files lie below it, their sums, as far as there is room, and whether they were read.
func (p *Pane) folder(out *frame.Row, st *style.Table, r row, g style.Ground) {
	base, muted := st.On(themes.Text, g), st.On(themes.Muted, g)
	var tail []piece
	to := r.from + r.count
	if r.folded {
		tail = append(tail, piece{themes.Muted, " " + strconv.Itoa(r.count)})
	}
	unsure := p.sums.unsure[to] > p.sums.unsure[r.from]
	sum := counts(nil, p.sums.adds[to]-p.sums.adds[r.from], p.sums.dels[to]-p.sums.dels[r.from])
	if unsure {
		sum = append(sum, piece{themes.Muted, " …"})
	}
	last := piece{themes.Muted, "  "}
	if p.sums.done(r) {
		last = piece{themes.Good, " ✓"}
	}
	if sum = append(sum, last); out.Room()-widthOf(tail)-widthOf(sum) >= 10 {
		tail = append(tail, sum...)
	} else if last.role == themes.Good {
		tail = append(tail, last)
	}
	room := out.Room() - widthOf(tail)
	out.CutLeft(muted, r.name, room)
	out.To(base, out.Col()+out.Room()-widthOf(tail))
	for _, t := range tail {
		out.Text(st.On(t.role, g), t.text)
	}
	out.End(base)
}

func widthOf(list []piece) int {
	width := 0
	for _, t := range list {
		width += frame.Width(t.text)
	}
	return width
}

// counts adds lines that came and lines that went to what stands at the right.
func counts(list []piece, adds, dels int) []piece {
	if adds > 0 {
		list = append(list, piece{themes.Plus, " +" + short(adds)})
	}
	if dels > 0 {
		list = append(list, piece{themes.Minus, " −" + short(dels)})
	}
	return list
}
