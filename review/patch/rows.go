package patch

import (
	"bytes"
	"fmt"
	"iter"
)

// Row is one line of a hunk. Old and New are line numbers counted from 1; the one
// that does not apply is 0.
type Row struct {
	Kind     byte // ' ', '-' or '+'
	Old, New int
}

// Len is the number of rows of the hunk.
func (h Hunk) Len() int {
	n := h.OldLines
	for _, e := range h.Edits {
		n += e.NewTo - e.NewFrom
	}
	return n
}

// first is the hunk's first line on each side, counted from 0.
func (h Hunk) first() (old, new int) {
	old, new = h.OldStart, h.NewStart
	if h.OldLines > 0 {
		old--
	}
	if h.NewLines > 0 {
		new--
	}
	return old, new
}

// Rows yields the rows of h in order: in each edit the old lines first.
func (d *Diff) Rows(h Hunk) iter.Seq[Row] { return d.RowsFrom(h, 0) }

// RowsFrom yields the rows of h without the first skip ones, whose cost is that of
// the edits they stand in, not of their lines.
func (d *Diff) RowsFrom(h Hunk, skip int) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		old, new := h.first()
		end := old + h.OldLines
		run := func(kind byte, n, stepOld, stepNew int) bool {
			pass := min(skip, n)
			skip, n = skip-pass, n-pass
			old, new = old+pass*stepOld, new+pass*stepNew
			for ; n > 0; n-- {
				old, new = old+stepOld, new+stepNew
				if !yield(Row{kind, old * stepOld, new * stepNew}) {
					return false
				}
			}
			return true
		}
		for _, e := range h.Edits {
			if !run(' ', e.OldFrom-old, 1, 1) || !run('-', e.OldTo-e.OldFrom, 1, 0) || !run('+', e.NewTo-e.NewFrom, 0, 1) {
				return
			}
		}
		run(' ', end-old, 1, 1)
	}
}

// Text is the content of a row without its newline; unchanged rows show the new
// side, as git does where white space is ignored.
func (d *Diff) Text(r Row) []byte {
	if r.New > 0 {
		return d.New.Line(r.New - 1)
	}
	return d.Old.Line(r.Old - 1)
}

// NoNewline tells whether the row is a last line without a newline.
func (d *Diff) NoNewline(r Row) bool {
	if r.New > 0 {
		return r.New == d.New.Lines() && d.New.NoFinalNewline()
	}
	return r.Old == d.Old.Lines() && d.Old.NoFinalNewline()
}

// Header is git's header line of h, without a newline.
func (d *Diff) Header(h Hunk) string {
	head := "@@ -" + lineRange(h.OldStart, h.OldLines) + " +" + lineRange(h.NewStart, h.NewLines) + " @@"
	if h.Section != "" {
		head += " " + h.Section
	}
	return head
}

func lineRange(start, lines int) string {
	if lines == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}

// maxSection is how much of a section line git shows.
const maxSection = 80

// sectionFinder finds git's default function context: the last line before a hunk
// that begins with a letter, '_' or '$'. Drivers of .gitattributes do not count:
// the result depends on the text alone. Hunks are asked for in order, so that each
// line is looked at once.
type sectionFinder struct {
	text Text
	seen int
	last string
}

func (s *sectionFinder) before(line int) string {
	for i := line - 1; i >= s.seen; i-- {
		if text := s.text.Line(i); opensSection(text) {
			text = text[:min(len(text), maxSection)]
			s.last = string(bytes.TrimRight(text, " \t\r\n"))
			break
		}
	}
	s.seen = max(s.seen, line)
	return s.last
}

func opensSection(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	c := line[0]
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
