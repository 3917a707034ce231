package diff

import (
	"context"

	"overturn/ui/find"
)

// SetQuery sets what is searched for and marked; "" marks nothing.
func (p *Pane) SetQuery(s string) { p.query = find.New(s) }

// Query is what is searched for.
func (p *Pane) Query() string { return p.query.String() }

// Finder makes the search for the next row with a match, for a job: from the
// cursor on, forward (d = 1) or back (-1), round the end. It returns -1 when no
// row matches, and tells whether it came round the end.
func (p *Pane) Finder(d int, here bool) func(context.Context) (row int, round bool, err error) {
	lay, q, from := p.lay, p.query, p.win.Cursor
	return func(ctx context.Context) (int, bool, error) {
		if lay == nil || q.Len() == 0 {
			return -1, false, nil
		}
		first := 1
		if here {
			first = 0
		}
		for k := first; k <= lay.rows; k++ {
			if k%4096 == 0 && ctx.Err() != nil {
				return -1, false, ctx.Err()
			}
			i := ((from+d*k)%lay.rows + lay.rows) % lay.rows
			if matches(q, lay, lay.at(i)) {
				return i, d*(i-from) < first, nil
			}
		}
		return -1, false, nil
	}
}

func matches(q find.Query, l *layout, r row) bool {
	switch r.kind {
	case header:
		text, _ := headerOf(l.doc, r.index)
		return q.Index([]byte(text), 0) >= 0
	case equal:
		return q.Index(l.doc.New.Line(r.new), 0) >= 0
	case removed:
		return q.Index(l.doc.Old.Line(r.old), 0) >= 0
	case added:
		return q.Index(l.doc.New.Line(r.new), 0) >= 0
	case pair:
		return q.Index(l.doc.Old.Line(r.old), 0) >= 0 || q.Index(l.doc.New.Line(r.new), 0) >= 0
	}
	return false
}
