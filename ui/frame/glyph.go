package frame

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// glyph is the next piece of a text: n bytes that take width cells. Shown is what
// to draw instead when the bytes must not reach the terminal. Odd tells that
// terminals disagree on the width.
type glyph struct {
	n, width int
	shown    string
	odd      bool
}

// maxCluster bounds the runes of one cluster that are sent as they are; stacks
// of combining marks beyond it are shown as words.
const maxCluster = 12

// next reads a glyph that is not a tab; b is not empty.
func next(b []byte) glyph {
	switch c := b[0]; {
	case c < 0x20:
		return glyph{1, 2, "^" + string(rune(c+'@')), false}
	case c == 0x7f:
		return glyph{1, 2, "^?", false}
	case c < 0x7f && (len(b) == 1 || !marks(peek(b[1:]))):
		return glyph{1, 1, "", false}
	case c < 0x7f:
		return cluster(b, rune(c), 1)
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n <= 1 {
		return glyph{1, 4, fmt.Sprintf("<%02X>", b[0]), false}
	}
	if r == 0xA0 {
		return glyph{n, 1, "⍽", false}
	}
	if hostile(r) || r == zwj || r == zwnj {
		return word(r, n)
	}
	return cluster(b, r, n)
}

const (
	zwnj = 0x200C
	zwj  = 0x200D
)

func word(r rune, n int) glyph {
	s := fmt.Sprintf("<U+%04X>", r)
	return glyph{n, len(s), s, false}
}

// cluster measures the grapheme cluster that starts with r, n bytes long. It
// stops before a rune that must be shown as a word.
func cluster(b []byte, r rune, n int) glyph {
	alone := n == len(b) || b[n] < 0x80
	if alone && narrow(r) {
		return glyph{n, 1, "", false}
	}
	if alone || simpleWide(r) && len(b) > n+2 && simpleWide(peek(b[n:])) {
		w := ansi.StringWidth(string(b[:n]))
		if w <= 0 {
			return word(r, n)
		}
		return glyph{n, w, "", false}
	}
	seg, width := ansi.FirstGraphemeCluster(b[:min(len(b), 128)], ansi.GraphemeWidth)
	end, runes := n, 1
	for end < len(seg) && runes < maxCluster {
		m, size := utf8.DecodeRune(seg[end:])
		if m == utf8.RuneError || hostile(m) && !(m >= 0xE0020 && m <= 0xE007F && r == 0x1F3F4) {
			break
		}
		end += size
		runes++
	}
	if end < len(seg) {
		width = ansi.StringWidth(string(b[:end]))
	}
	if width <= 0 {
		return word(r, n)
	}
	return glyph{end, width, "", runes > 1}
}

// marks tells the runes that join an ASCII character before them.
func marks(r rune) bool {
	return r >= 0x300 && (r == 0xFE0F || r == 0x20E3 || unicode.In(r, unicode.Mn, unicode.Me)) && !hostile(r)
}

func peek(b []byte) rune { r, _ := utf8.DecodeRune(b); return r }

// narrow holds the blocks in which every rune takes one cell: letters of Latin
// script, dashes and quotes, arrows, signs of mathematics, boxes.
func narrow(r rune) bool {
	return r > 0xA0 && r < 0x300 && r != 0xAD || r >= 0x2010 && r <= 0x2027 || r >= 0x2030 && r <= 0x205E ||
		r >= 0x2190 && r <= 0x2193 || r >= 0x2200 && r <= 0x22FF || r >= 0x2500 && r <= 0x259F
}

// simpleWide holds the blocks of CJK text in which every rune stands alone and
// takes two cells: they need no cluster search.
func simpleWide(r rune) bool {
	return r >= 0x3041 && r <= 0x3096 || r >= 0x30A1 && r <= 0x30FA || r >= 0x3400 && r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF
}

// hostile tells the runes that act on the terminal or on the reader without
// being seen: C1 controls, bidi marks, invisible and filler runes, tags,
// variation selectors of the supplement, noncharacters.
func hostile(r rune) bool {
	switch {
	case r < 0x80:
		return r < 0x20 || r == 0x7f
	case r < 0xA0, r == 0xAD, r == 0x34F, r == 0x61C, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x180E,
		r >= 0x200B && r <= 0x200B, r == 0x200E, r == 0x200F, r >= 0x2028 && r <= 0x202E, r >= 0x2060 && r <= 0x206F,
		r == 0x3164, r == 0xFEFF, r == 0xFFA0, r >= 0xFFF0 && r <= 0xFFFB, r&0xFFFE == 0xFFFE,
		r >= 0xE0000 && r <= 0xE0FFF, r >= 0x1D173 && r <= 0x1D17A:
		return true
	}
	return false
}

// Safe returns s with everything hostile shown as words, tabs as one blank, for
// texts that leave the screen by other ways than a Row.
func Safe(s string) string {
	if plain(s) {
		return s
	}
	var out []byte
	for b := []byte(s); len(b) > 0; {
		if b[0] == '\t' {
			out, b = append(out, ' '), b[1:]
			continue
		}
		g := next(b)
		if g.shown != "" {
			out = append(out, g.shown...)
		} else {
			out = append(out, b[:g.n]...)
		}
		b = b[g.n:]
	}
	return string(out)
}

// Width is the cells that s takes when a Row draws it.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	w := 0
	for b := []byte(s); len(b) > 0; {
		g := glyph{n: 1, width: 1}
		if b[0] != '\t' {
			g = next(b)
		}
		w += g.width
		b = b[g.n:]
	}
	return w
}

func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}
