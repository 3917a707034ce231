package uitest

import (
	"bytes"
	"strings"

	"overturn/ui/view"
)

// Text is a text by its lines.
type Text struct {
	lines     [][]byte
	NoNewline bool
}

// NewText splits b.
func NewText(b []byte) *Text {
	t := &Text{NoNewline: len(b) > 0 && b[len(b)-1] != '\n'}
	if len(b) > 0 {
		t.lines = bytes.Split(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
	}
	return t
}

// Lines is how many there are.
func (t *Text) Lines() int { return len(t.lines) }

// Line is line i.
func (t *Text) Line(i int) []byte { return t.lines[i] }

// compare finds edits by the longest common subsequence of lines.
func compare(a, b *Text, ignoreSpace bool) []view.Edit {
	norm := func(t *Text) []string {
		out := make([]string, len(t.lines))
		for i, l := range t.lines {
			out[i] = string(l)
			if ignoreSpace {
				out[i] = strings.Join(strings.Fields(out[i]), " ")
			}
		}
		return out
	}
	as, bs := norm(a), norm(b)
	same := func(i, j int) bool { return as[i] == bs[j] }
	n, m := len(a.lines), len(b.lines)
	best := make([][]int, n+1)
	for i := range best {
		best[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if same(i, j) {
				best[i][j] = best[i+1][j+1] + 1
			} else {
				best[i][j] = max(best[i+1][j], best[i][j+1])
			}
		}
	}
	var edits []view.Edit
	for i, j := 0, 0; i < n || j < m; {
		if i < n && j < m && same(i, j) {
			i, j = i+1, j+1
			continue
		}
		e := view.Edit{OldFrom: i, NewFrom: j}
		for i < n || j < m {
			if i < n && j < m && same(i, j) {
				break
			}
			if j >= m || i < n && best[i+1][j] >= best[i][j+1] {
				i++
			} else {
				j++
			}
		}
		e.OldTo, e.NewTo = i, j
		edits = append(edits, e)
	}
	return edits
}

// NewDocument compares the two contents of c.
func NewDocument(f view.File, c Change, ignoreSpace bool) *view.Document {
	a, b := NewText(c.Old), NewText(c.New)
	d := &view.Document{File: f, Old: a, New: b, OldNoNewline: a.NoNewline, NewNoNewline: b.NoNewline, Header: c.Header, Alarms: c.Alarms, Folded: c.Folded, Binary: c.Binary, Emphasis: words}
	if c.Binary {
		d.Old, d.New, d.OldNoNewline, d.NewNoNewline = &Text{}, &Text{}, false, false
		return d
	}
	exact := group(compare(a, b, false), c)
	if !ignoreSpace {
		d.Hunks = exact
		return d
	}
	seen := compare(a, b, true)
	for _, h := range exact {
		last := h.Edits[len(h.Edits)-1]
		h.Edits = nil
		for _, e := range seen {
			if e.OldFrom <= last.OldTo && e.NewFrom <= last.NewTo {
				h.Edits, seen = append(h.Edits, e), seen[1:]
			}
		}
		if len(h.Edits) == 0 {
			d.HiddenSpace++
			continue
		}
		d.Hunks = append(d.Hunks, h)
	}
	return d
}

func group(edits []view.Edit, c Change) []view.Hunk {
	var hunks []view.Hunk
	last := -100
	for _, e := range edits {
		if e.OldFrom-last > 6 {
			hunks = append(hunks, view.Hunk{Number: len(hunks) + 1, Owner: c.Owner, Turns: []int{7}, In: "7f3c"})
		}
		h := &hunks[len(hunks)-1]
		h.Edits = append(h.Edits, e)
		last = e.OldTo
	}
	return hunks
}

// words trims what two lines begin and end with.
func words(a, b []byte) (old, now [][2]int) {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	j := 0
	for j < n-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	if i < len(a)-j {
		old = [][2]int{{i, len(a) - j}}
	}
	if i < len(b)-j {
		now = [][2]int{{i, len(b) - j}}
	}
	return old, now
}
