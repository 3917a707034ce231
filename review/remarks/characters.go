package remarks

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// LineEnds is how the lines of a text end: "LF", "CRLF", "CR", "mixed", or "" where
// there is no line end.
func LineEnds(text []byte) string {
	crlf := bytes.Count(text, []byte("\r\n"))
	lf := bytes.Count(text, []byte("\n")) - crlf
	cr := bytes.Count(text, []byte("\r")) - crlf
	switch {
	case lf == 0 && crlf == 0 && cr == 0:
		return ""
	case crlf == 0 && cr == 0:
		return "LF"
	case lf == 0 && cr == 0:
		return "CRLF"
	case lf == 0 && crlf == 0:
		return "CR"
	}
	return "mixed"
}

// HasMark tells whether a text begins with the byte order mark of UTF-8.
func HasMark(text []byte) bool { return bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) }

// The kinds of characters that deceive a reader, in the order in which they are told.
const (
	bidi = iota
	invisible
	control
	noBreak
	invalid
	kinds
)

// Unseen counts, in lines that were added, the characters that act on a terminal or on
// the reader without being seen.
type Unseen struct {
	count [kinds]int
	first [kinds]int // the line that held one first
}

// Look takes a line, without its line end, and its number.
func (u *Unseen) Look(line []byte, number int) {
	line = bytes.TrimSuffix(line, []byte("\r"))
	for i := 0; i < len(line); {
		c := line[i]
		if c >= 0x20 && c < 0x7f || c == '\t' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(line[i:])
		if k := kindOf(r, n); k < kinds && !(k == invisible && r == 0xFEFF && number == 1 && i == 0) && !(k == invisible && joins(r, line, i, n)) {
			if u.count[k] == 0 {
				u.first[k] = number
			}
			u.count[k]++
		}
		i += n
	}
}

// joins tells of a joiner between signs that are not ASCII: emoji and the scripts that
// need it are written so.
func joins(r rune, line []byte, at, n int) bool {
	return (r == 0x200C || r == 0x200D) && at > 0 && line[at-1] >= 0x80 && at+n < len(line) && line[at+n] >= 0x80
}

func kindOf(r rune, n int) int {
	switch {
	case r == utf8.RuneError && n <= 1:
		return invalid
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x200E, r == 0x200F, r == 0x61C:
		return bidi
	case r < 0x20, r >= 0x7F && r < 0xA0:
		return control
	case r == 0xA0, r == 0x202F, r == 0x2007:
		return noBreak
	case r == 0xAD, r == 0x34F, r == 0x115F, r == 0x1160, r == 0x180E, r >= 0x200B && r <= 0x200D, r == 0x2028, r == 0x2029,
		r >= 0x2060 && r <= 0x2065, r >= 0x206A && r <= 0x206F, r == 0x3164, r == 0xFEFF, r == 0xFFA0, r >= 0xE0000 && r <= 0xE0FFF:
		return invisible
	}
	return kinds
}

// String is what was found, in words; "" where nothing was.
func (u *Unseen) String() string {
	var list []string
	for k, word := range [kinds]string{"bidi mark", "invisible character", "control byte", "no-break blank", "invalid byte"} {
		switch n := u.count[k]; {
		case n == 1:
			list = append(list, fmt.Sprintf("1 %s (line %d)", word, u.first[k]))
		case n > 1:
			list = append(list, fmt.Sprintf("%d %ss (first in line %d)", n, word, u.first[k]))
		}
	}
	return strings.Join(list, ", ")
}
