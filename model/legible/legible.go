// Package legible makes foreign text fit to be read on a terminal, or to be pasted
// into one: what would drive it is written out, everything else stays as it is.
//
// Invariant: what comes out is valid UTF-8 and holds no control character (line
// feeds and tabs of a Block apart), DEL, C1, bidi mark or line separator. A crash
// leaves nothing behind.
package legible

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Line is s with every byte written out that a terminal could obey.
func Line(s string) string { return escape(s, false) }

// Block is Line for text of several lines: line feeds and tabs stay.
func Block(s string) string { return escape(s, true) }

// JSON is a JSON text with DEL, C1, bidi marks and line separators written as escapes of
// JSON: it means the same to what reads it, and a terminal obeys nothing of it. Outside
// of strings JSON holds none of these, and encoders escape C0 themselves.
func JSON(text []byte) []byte {
	drives := func(r rune) bool { return r == 0x7f || r >= 0x80 && r < 0xa0 || isBidi(r) }
	if !bytes.ContainsFunc(text, drives) {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if drives(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, text[:size]...)
		}
		text = text[size:]
	}
	return out
}

func escape(s string, lines bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case lines && (r == '\n' || r == '\t'):
			b.WriteByte(s[i])
		case r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case isBidi(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// isBidi tells the marks that reorder text (Unicode TR9) and the separators
// that some terminals take for line ends.
func isBidi(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
