package redact

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// depth bounds how many times a text is read through escapes: a string of JSON in a
// string of JSON in a line of a transcript is two below the line's own.
const depth = 4

// scan finds what text holds, as it is spelt and as its escapes mean it. ids: the text is
// an id, and looks drawn by lot for that reason.
func (r *Redactor) scan(text []byte, level int, ids bool) []span {
	spans := r.block(text, !ids)
	if bytes.IndexByte(text, '\x1b') >= 0 {
		// Colour hides nothing: as if it were not there, and as if it were a space.
		for _, instead := range []string{"", " "} {
			v := uncoloured(text, instead)
			spans = append(spans, v.back(r.scan(v.text, level, ids))...)
		}
		spans = merged(spans)
	}
	if bytes.IndexByte(text, '\\') < 0 {
		return spans
	}
	spans = besideEscapes(text, spans)
	if level == depth {
		return spans
	}
	for start, line := range lines(text) {
		if bytes.IndexByte(line, '\\') < 0 {
			continue
		}
		v, ok := viewed(line)
		if !ok {
			continue
		}
		spans = append(spans, shifted(v.back(r.scan(v.text, level+1, ids)), start)...)
	}
	return merged(spans)
}

// besideEscapes cuts from spans what belongs to an escape that reaches into them, so that
// an inner JSON stays JSON: the rest of one at the start, the backslash of one that begins
// at the end. What the escapes mean is looked at by itself.
func besideEscapes(text []byte, spans []span) []span {
	out := spans[:0]
	for _, s := range spans {
		back := s.start
		for back > 0 && text[back-1] == '\\' {
			back--
		}
		if back < s.start && (s.start-back)%2 == 1 {
			_, size := escape(text[s.start-1:])
			s.start += size - 1
		}
		for s.end > s.start && text[s.end-1] == '\\' {
			s.end--
		}
		if s.start < s.end {
			out = append(out, s)
		}
	}
	return out
}

// view is a text as its escapes mean it.
type view struct {
	text []byte
	at   []int32 // of each byte of text, where its spelling begins; and where all ends
}

// spanOf is where a span of the view is spelt: whole escapes, and whole runes.
func (v view) spanOf(start, end int) (int, int) {
	for end < len(v.text) && v.at[end] == v.at[end-1] {
		end++
	}
	return int(v.at[start]), int(v.at[end])
}

// back has spans of the view where they are spelt.
func (v view) back(spans []span) []span {
	for i, s := range spans {
		spans[i].start, spans[i].end = v.spanOf(s.start, s.end)
	}
	return spans
}

// viewed reads the escapes of JSON, which are those of most languages; false where
// there are none. A backslash that begins no escape means itself.
func viewed(text []byte) (view, bool) {
	v := view{text: make([]byte, 0, len(text)), at: make([]int32, 0, len(text)+1)}
	escapes := false
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			v.text, v.at = append(v.text, text[i]), append(v.at, int32(i))
			i++
			continue
		}
		meaning, size := escape(text[i:])
		escapes = escapes || size > 1
		for _, c := range meaning {
			v.text, v.at = append(v.text, c), append(v.at, int32(i))
		}
		i += size
	}
	v.at = append(v.at, int32(len(text)))
	return v, escapes
}

// escape is what the escape at the start of text means, and how long it is.
func escape(text []byte) ([]byte, int) {
	if len(text) < 2 {
		return text[:1], 1
	}
	if n := bytes.IndexByte([]byte(`"\/bfnrt`), text[1]); n >= 0 {
		return []byte("\"\\/\b\f\n\r\t")[n : n+1], 2
	}
	first, ok := unit(text)
	if !ok {
		return text[:1], 1
	}
	if utf16.IsSurrogate(first) {
		if second, ok := unit(text[6:]); ok {
			if both := utf16.DecodeRune(first, second); both != utf8.RuneError {
				return utf8.AppendRune(nil, both), 12
			}
		}
	}
	return utf8.AppendRune(nil, first), 6
}

// unit reads \uXXXX.
func unit(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}
