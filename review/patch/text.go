package patch

import (
	"bytes"
	"math"
)

// MaxText is the longest content in bytes that is compared by lines; offsets are
// kept in 32 bits. IsBinary is true of anything longer.
const MaxText = math.MaxUint32

// binaryProbe is how many leading bytes git looks at for a NUL
// (FIRST_FEW_BYTES in its xdiff-interface.c).
const binaryProbe = 8000

// Text is content split into lines. The bytes are shared, not copied.
type Text struct {
	Bytes []byte
	ends  []uint32 // offset just behind each line, its newline included
}

// NewText splits b into lines. Content over MaxText has no lines: IsBinary keeps it
// from ever being compared.
func NewText(b []byte) Text {
	t := Text{Bytes: b}
	if len(b) == 0 || int64(len(b)) > MaxText {
		return t
	}
	t.ends = make([]uint32, 0, bytes.Count(b, []byte{'\n'})+1)
	for at := 0; at < len(b); {
		n := bytes.IndexByte(b[at:], '\n')
		if n < 0 {
			at = len(b)
		} else {
			at += n + 1
		}
		t.ends = append(t.ends, uint32(at))
	}
	return t
}

// Lines is the number of lines; a last line without a newline counts.
func (t Text) Lines() int { return len(t.ends) }

// Line is line i, counted from 0, without its newline. A carriage return is part
// of the line.
func (t Text) Line(i int) []byte {
	line := t.raw(i)
	if n := len(line); n > 0 && line[n-1] == '\n' {
		return line[:n-1]
	}
	return line
}

// NoFinalNewline tells whether the last line lacks a newline. It is false for an
// empty text.
func (t Text) NoFinalNewline() bool {
	return len(t.Bytes) > 0 && t.Bytes[len(t.Bytes)-1] != '\n'
}

// raw is line i with its newline, where it has one.
func (t Text) raw(i int) []byte { return t.span(i, i+1) }

// span is the bytes of lines from (included) to to (excluded).
func (t Text) span(from, to int) []byte {
	if from >= to {
		return nil
	}
	return t.Bytes[t.offset(from):t.offset(to)]
}

// offset is where line i begins.
func (t Text) offset(i int) uint32 {
	if i == 0 {
		return 0
	}
	return t.ends[i-1]
}

// IsBinary tells whether git would call b binary: a NUL in its first 8000 bytes.
// Content too long to be compared by lines (MaxText) counts as binary too.
func IsBinary(b []byte) bool {
	if int64(len(b)) > MaxText {
		return true
	}
	return bytes.IndexByte(b[:min(len(b), binaryProbe)], 0) >= 0
}
