package inline

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

const (
	// maxLine is the longest line in bytes that is looked at; longer ones get no
	// emphasis.
	maxLine = 4096
	// maxTokens bounds the tokens that are compared, without those equal at both
	// ends: go-diff's cost is their product at worst.
	maxTokens = 512
	// minCommon is the part of the longer line, in per cent, that must be the same:
	// below it emphasis would cover nearly all and say nothing.
	minCommon = 30
)

// Emphasis returns the byte spans of old that new lacks and those of new that old
// lacks, word by word, in order and disjoint. Both are nil where the lines are
// equal, too long, or have too little in common.
func Emphasis(old, new []byte) (oldSpans, newSpans [][2]int) {
	if len(old) > maxLine || len(new) > maxLine || bytes.Equal(old, new) {
		return nil, nil
	}
	a, b := tokens(old), tokens(new)
	head := commonHead(old, new, a, b)
	tail := commonTail(old, new, a[head:], b[head:])
	midA, midB := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(midA) > maxTokens || len(midB) > maxTokens {
		return nil, nil
	}
	oldSpans, newSpans = compare(old, new, midA, midB)
	if changed := max(length(oldSpans), length(newSpans)); (max(len(old), len(new))-changed)*100 < minCommon*max(len(old), len(new)) {
		return nil, nil
	}
	return oldSpans, newSpans
}

// tokens cuts a line into words, runs of white space, and single other characters.
func tokens(line []byte) [][2]int {
	var list [][2]int
	for at := 0; at < len(line); {
		kind, size := kindAt(line[at:])
		end := at + size
		for kind != single && end < len(line) {
			next, size := kindAt(line[end:])
			if next != kind {
				break
			}
			end += size
		}
		list = append(list, [2]int{at, end})
		at = end
	}
	return list
}

type kind int

const (
	single kind = iota
	word
	space
)

func kindAt(line []byte) (kind, int) {
	r, size := utf8.DecodeRune(line)
	switch {
	case r == utf8.RuneError && size == 1:
		return single, 1
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
		return word, size
	case r == ' ' || r == '\t':
		return space, size
	}
	return single, size
}

func commonHead(old, new []byte, a, b [][2]int) int {
	n := 0
	for n < len(a) && n < len(b) && bytes.Equal(text(old, a[n]), text(new, b[n])) {
		n++
	}
	return n
}

func commonTail(old, new []byte, a, b [][2]int) int {
	n := 0
	for n < len(a) && n < len(b) && bytes.Equal(text(old, a[len(a)-1-n]), text(new, b[len(b)-1-n])) {
		n++
	}
	return n
}

func text(line []byte, span [2]int) []byte { return line[span[0]:span[1]] }

// compare has go-diff compare the tokens, each as one rune. There are fewer of
// them than there are runes below the surrogates.
func compare(old, new []byte, a, b [][2]int) (oldSpans, newSpans [][2]int) {
	known := map[string]rune{}
	engine := diffmatchpatch.New()
	engine.DiffTimeout = 0 // the clock must not decide
	for _, d := range engine.DiffMainRunes(runes(old, a, known), runes(new, b, known), false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffEqual:
			a, b = a[n:], b[n:]
		case diffmatchpatch.DiffDelete:
			oldSpans, a = add(oldSpans, a[:n]), a[n:]
		case diffmatchpatch.DiffInsert:
			newSpans, b = add(newSpans, b[:n]), b[n:]
		}
	}
	return oldSpans, newSpans
}

func runes(line []byte, spans [][2]int, known map[string]rune) []rune {
	list := make([]rune, len(spans))
	for i, s := range spans {
		r, ok := known[string(text(line, s))]
		if !ok {
			r = rune(len(known) + 1)
			known[string(text(line, s))] = r
		}
		list[i] = r
	}
	return list
}

// add appends the stretch that the tokens cover, joined to the one before it where
// they touch.
func add(spans, tokens [][2]int) [][2]int {
	if len(tokens) == 0 {
		return spans
	}
	from, to := tokens[0][0], tokens[len(tokens)-1][1]
	if n := len(spans); n > 0 && spans[n-1][1] == from {
		spans[n-1][1] = to
		return spans
	}
	return append(spans, [2]int{from, to})
}

func length(spans [][2]int) int {
	n := 0
	for _, s := range spans {
		n += s[1] - s[0]
	}
	return n
}
