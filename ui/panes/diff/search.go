package diff

import (
	"bytes"
	"context"
	"strings"
)

// query is what is searched for: letters match in either case unless the query
// has a capital or is not ASCII.
type query struct {
	text []byte
	fold bool
}

func newQuery(s string) query {
	fold := s == strings.ToLower(s)
	for i := 0; i < len(s); i++ {
		fold = fold && s[i] < 0x80
	}
	return query{[]byte(s), fold}
}

// index finds the first match at or after from, -1 when there is none.
func (q query) index(text []byte, from int) int {
	if len(q.text) == 0 || from > len(text) {
		return -1
	}
	if !q.fold {
		if i := bytes.Index(text[from:], q.text); i >= 0 {
			return from + i
		}
		return -1
	}
	lower := q.text[0]
	upper := lower
	if lower >= 'a' && lower <= 'z' {
		upper -= 'a' - 'A'
	}
	for i := from; i+len(q.text) <= len(text); i++ {
		if (text[i] == lower || text[i] == upper) && bytes.EqualFold(text[i:i+len(q.text)], q.text) {
			return i
		}
	}
	return -1
}

// SetQuery sets what is searched for and marked; "" marks nothing.
func (p *Pane) SetQuery(s string) { p.query = newQuery(s) }

// Query is what is searched for.
func (p *Pane) Query() string { return string(p.query.text) }

// Finder makes the search for the next row with a match, for a job: from the
// cursor on, forward (d = 1) or back (-1), round the end. It returns -1 when no
// row matches.
func (p *Pane) Finder(d int, here bool) func(context.Context) (int, error) {
	lay, q, from := p.lay, p.query, p.win.Cursor
	return func(ctx context.Context) (int, error) {
		if lay == nil || len(q.text) == 0 {
			return -1, nil
		}
		first := 1
		if here {
			first = 0
		}
		for k := first; k <= lay.rows; k++ {
			if k%4096 == 0 && ctx.Err() != nil {
				return -1, ctx.Err()
			}
			i := ((from+d*k)%lay.rows + lay.rows) % lay.rows
			if q.matches(lay, lay.at(i)) {
				return i, nil
			}
		}
		return -1, nil
	}
}

func (q query) matches(l *layout, r row) bool {
	switch r.kind {
	case header:
		return q.index([]byte(l.doc.Header[r.index]), 0) >= 0
	case equal:
		return q.index(l.doc.New.Line(r.new), 0) >= 0
	case removed:
		return q.index(l.doc.Old.Line(r.old), 0) >= 0
	case added:
		return q.index(l.doc.New.Line(r.new), 0) >= 0
	case pair:
		return q.index(l.doc.Old.Line(r.old), 0) >= 0 || q.index(l.doc.New.Line(r.new), 0) >= 0
	}
	return false
}
