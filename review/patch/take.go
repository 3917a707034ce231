package patch

import "bytes"

// Range is lines [From,To), counted from 0.
type Range struct{ From, To int }

// Selection is chosen changed lines: lines that the new side lost (Old) and lines
// that it gained (New). Unchanged lines in it mean nothing.
type Selection struct{ Old, New []Range }

// Empty tells whether nothing is chosen.
func (s Selection) Empty() bool { return len(s.Old) == 0 && len(s.New) == 0 }

// Join is both selections together.
func (s Selection) Join(t Selection) Selection {
	return Selection{joinRanges(s.Old, t.Old), joinRanges(s.New, t.New)}
}

// SelectHunks chooses the hunks of the exact comparison with the given numbers;
// missing is the first number that is not there, or 0.
func (d *Diff) SelectHunks(numbers []int) (sel Selection, missing int) {
	for _, n := range numbers {
		if n < 1 || n > len(d.exact) {
			return Selection{}, n
		}
		for _, e := range d.exact[n-1].Edits {
			sel = sel.Join(Selection{nonEmpty(e.OldFrom, e.OldTo), nonEmpty(e.NewFrom, e.NewTo)})
		}
	}
	return sel, 0
}

// SelectLines keeps of lines those that the exact comparison calls changed.
func (d *Diff) SelectLines(lines Selection) Selection {
	var sel Selection
	for _, h := range d.exact {
		for _, e := range h.Edits {
			sel.Old = append(sel.Old, overlaps(lines.Old, e.OldFrom, e.OldTo)...)
			sel.New = append(sel.New, overlaps(lines.New, e.NewFrom, e.NewTo)...)
		}
	}
	return Selection{joinRanges(sel.Old, nil), joinRanges(sel.New, nil)}
}

// HunksOf is the numbers of the exact hunks that hold a line of sel.
func (d *Diff) HunksOf(sel Selection) []int {
	var numbers []int
	for _, h := range d.exact {
		for _, e := range h.Edits {
			if len(overlaps(sel.Old, e.OldFrom, e.OldTo))+len(overlaps(sel.New, e.NewFrom, e.NewTo)) > 0 {
				numbers = append(numbers, h.Number)
				break
			}
		}
	}
	return numbers
}

// Take is the old text with the chosen lines of the exact comparison: chosen old
// lines are gone, chosen new lines are there.
func Take(d *Diff, sel Selection) []byte {
	return d.build(func(line int) bool { return !contains(sel.Old, line) }, func(line int) bool { return contains(sel.New, line) })
}

// Without is the new text with the chosen lines taken back: chosen new lines are
// gone, chosen old lines are there again.
func Without(d *Diff, sel Selection) []byte {
	return d.build(func(line int) bool { return contains(sel.Old, line) }, func(line int) bool { return !contains(sel.New, line) })
}

// build joins the unchanged lines with the changed ones that are kept. Where an
// edit replaces n lines by n, line stands beside line; elsewhere the old ones come
// first.
func (d *Diff) build(keepOld, keepNew func(line int) bool) []byte {
	out := joiner{buf: make([]byte, 0, max(len(d.Old.Bytes), len(d.New.Bytes)))}
	at := 0
	for _, h := range d.exact {
		for _, e := range h.Edits {
			out.add(d.Old.span(at, e.OldFrom))
			paired := e.OldTo-e.OldFrom == e.NewTo-e.NewFrom
			for i := e.OldFrom; i < e.OldTo; i++ {
				if keepOld(i) {
					out.add(d.Old.raw(i))
				}
				if n := e.NewFrom + i - e.OldFrom; paired && keepNew(n) {
					out.add(d.New.raw(n))
				}
			}
			for n := e.NewFrom; n < e.NewTo && !paired; n++ {
				if keepNew(n) {
					out.add(d.New.raw(n))
				}
			}
			at = e.OldTo
		}
	}
	out.add(d.Old.span(at, d.Old.Lines()))
	return out.buf
}

// joiner appends lines. A line without a newline can only be the last one of its
// text; when more follows it gets the newline that the line before it has.
type joiner struct{ buf []byte }

func (j *joiner) add(lines []byte) {
	if len(lines) == 0 {
		return
	}
	if n := len(j.buf); n > 0 && j.buf[n-1] != '\n' {
		j.buf = append(j.buf, j.newline()...)
	}
	j.buf = append(j.buf, lines...)
}

func (j *joiner) newline() string {
	if i := bytes.LastIndexByte(j.buf, '\n'); i > 0 && j.buf[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
