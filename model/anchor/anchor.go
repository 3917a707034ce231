package anchor

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"unicode"

	"overturn/model"
)

// What is kept of a place, and how far from where it was it is looked for, in lines.
const (
	QuoteLines  = 40
	ContextSize = 3
	LineBytes   = 2000 // of a longer line the beginning is kept
	Reach       = 20_000
)

// Lines is a text with random access to its lines, from 0, without line feeds.
type Lines interface {
	Lines() int
	Line(i int) []byte
}

// Edit replaces lines [OldFrom,OldTo) of the old side by [NewFrom,NewTo) of the new.
type Edit struct{ OldFrom, OldTo, NewFrom, NewTo int }

// Of makes the anchor of the lines [from,to) of a text, counted from 0.
func Of(text Lines, from, to int, kind model.AnchorKind, old bool) model.Anchor {
	from = min(max(from, 0), text.Lines())
	to = min(max(to, from), text.Lines())
	return model.Anchor{Kind: kind, Old: old, From: from + 1, To: to,
		Quote:  join(text, from, min(to, from+QuoteLines)),
		Before: join(text, max(from-ContextSize, 0), from),
		After:  join(text, to, min(to+ContextSize, text.Lines()))}
}

// Hash is the SHA-256 of the changed lines of a hunk: it stays as long as the hunk
// does the same, wherever it moves.
func Hash(old, now Lines, edits []Edit) string {
	sum := sha256.New()
	put := func(sign string, text Lines, from, to int) {
		for i := from; i < to; i++ {
			io.WriteString(sum, sign)
			sum.Write(text.Line(i))
			io.WriteString(sum, "\n")
		}
	}
	for _, e := range edits {
		put("-", old, e.OldFrom, e.OldTo)
		put("+", now, e.NewFrom, e.NewTo)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func join(text Lines, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if i > from {
			b.WriteByte('\n')
		}
		b.Write(cut(text.Line(i)))
	}
	return b.String()
}

func cut(line []byte) []byte { return line[:min(len(line), LineBytes)] }

// State says how a place was found.
type State int

// The states.
const (
	Gone    State = iota // neither the lines nor what was around them
	Changed              // what was around them: the lines themselves were changed
	There
)

// Place is where an anchor's lines are now: from Line, counted from 0.
type Place struct {
	State State
	Line  int
}

// Find looks for the lines of a in text, nearest to where they were and best by the
// lines around them. The anchor of a file is always there.
func Find(text Lines, a model.Anchor) Place {
	if a.Kind == model.AnchorFile || a.From == 0 {
		return Place{State: There}
	}
	f := finder{text: text, quote: lines(a.Quote), before: lines(a.Before), after: lines(a.After), of: a.To - a.From + 1}
	if f.of <= 0 { // between two lines: only what is around can be found
		f.quote = nil
	}
	f.sure = telling(f.quote)
	if p := f.there(a.From - 1); p.State == There {
		return p
	}
	return f.changed(a.From - 1)
}

type finder struct {
	text                 Lines
	quote, before, after [][]byte
	of                   int // lines of the place: more than the quote where that was cut
	sure                 bool
}

func lines(joined string) [][]byte {
	if joined == "" {
		return nil
	}
	return bytes.Split([]byte(joined), []byte{'\n'})
}

// telling tells whether lines say enough to be known by themselves.
func telling(quote [][]byte) bool {
	n := 0
	for _, l := range quote {
		for _, r := range string(l) {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
	}
	return n > 3
}

func (f *finder) is(i int, want []byte) bool {
	return i >= 0 && i < f.text.Lines() && bytes.Equal(cut(f.text.Line(i)), want)
}

func (f *finder) run(i int, want [][]byte) bool {
	for k, l := range want {
		if !f.is(i+k, l) {
			return false
		}
	}
	return true
}

// around counts the lines next to the place at i that are as they were; spoken tells
// whether one of them is not blank.
func (f *finder) around(i int) (n int, spoken bool) {
	for k := len(f.before) - 1; k >= 0 && f.is(i-len(f.before)+k, f.before[k]); k-- {
		n, spoken = n+1, spoken || !blank(f.before[k])
	}
	for k := 0; k < len(f.after) && f.is(i+f.of+k, f.after[k]); k++ {
		n, spoken = n+1, spoken || !blank(f.after[k])
	}
	return n, spoken
}

func blank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// there finds the quote: of equal ones the one with most of its neighbours, then the
// nearest.
func (f *finder) there(at int) Place {
	if len(f.quote) == 0 && f.of != 1 { // an empty line is a quote too
		return Place{}
	}
	quote := f.quote
	if len(quote) == 0 {
		quote = [][]byte{{}}
	}
	best, bestScore := Place{}, -1
	outward(at, f.text.Lines(), func(i int) bool {
		if !f.run(i, quote) {
			return true
		}
		score, spoken := f.around(i)
		if score > bestScore && (f.sure || spoken) {
			best, bestScore = Place{There, i}, score
		}
		return bestScore < len(f.before)+len(f.after)
	})
	return best
}

// changed finds the lines around the place, with something else, and not much more,
// between them.
func (f *finder) changed(at int) Place {
	if !telling(append(append([][]byte(nil), f.before...), f.after...)) {
		return Place{}
	}
	found := Place{}
	outward(at, f.text.Lines()+1, func(i int) bool {
		if len(f.before) == 0 && i > 0 || !f.run(i-len(f.before), f.before) {
			return true
		}
		for end := i; end <= i+2*f.of+ContextSize; end++ {
			if f.run(end, f.after) && (len(f.after) > 0 || end == f.text.Lines()) {
				found = Place{Changed, i}
				return false
			}
		}
		return true
	})
	return found
}

// outward visits at, its neighbours, and so on, until visit says no.
func outward(at, length int, visit func(i int) bool) {
	for d := range Reach {
		if at-d >= 0 && at-d < length && !visit(at-d) {
			return
		}
		if d > 0 && at+d >= 0 && at+d < length && !visit(at+d) {
			return
		}
		if at-d < 0 && at+d >= length {
			return
		}
	}
}
