package highlight

import (
	"bytes"
	"unicode/utf8"

	"overturn/ui/view"
)

// Limit is the bytes of a side beyond which it is not coloured, and longest the
// same of a line: such lines are data, not source, and patterns are slow on them.
const (
	Limit   = 1 << 20
	longest = 4 << 10
)

// gather makes one text of the first n lines; false where that is more than is
// coloured. Each byte stands for the byte of the line at its place: what is not
// UTF-8, a byte order mark, and a CR are replaced by as many bytes.
func gather(lines view.Lines, n int) (text []byte, ok bool) {
	size := 0
	for i := range n {
		l := len(lines.Line(i))
		if size += l + 1; size > Limit || l > longest {
			return nil, false
		}
	}
	text = make([]byte, 0, size)
	for i := range n {
		text = append(append(text, lines.Line(i)...), '\n')
	}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		copy(text, "   ")
	}
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if c == '\r' {
				text[i] = ' '
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size <= 1 {
			text[i] = '?'
		}
		i += size
	}
	return text, true
}
