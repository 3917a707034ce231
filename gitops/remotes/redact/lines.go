package redact

import "bytes"

// lines yields the lines of text without their ends, by their offsets.
func lines(text []byte) func(yield func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		for start := 0; start < len(text); {
			end := lineEnd(text, start)
			if !yield(start, text[start:end]) {
				return
			}
			start = end + 1
		}
	}
}

func lineEnd(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(text)
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// longWord is up to how many bytes a window grows so as to cut no word.
const longWord = 64 << 10

func wordStart(line []byte, at int) int {
	for least := max(0, at-longWord); at > least && !delimits(line[at-1]); {
		at--
	}
	return at
}

func wordEnd(line []byte, at int) int {
	for most := min(len(line), at+longWord); at < most && !delimits(line[at]); {
		at++
	}
	return at
}

// delimits knows what stands in no secret that has a form.
func delimits(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '"', '\'', '`', ',', ';', '<', '>', '(', ')', '{', '}', '[', ']':
		return true
	}
	return false
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'
}
