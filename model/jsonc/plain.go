package jsonc

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Plain is data as JSON without comments: each byte of a comment, of a comma after the
// last member and of a byte order mark is a space. The error is that of a comment that
// does not end; whether the rest is JSON is for its reader to say.
func Plain(data []byte) ([]byte, error) {
	out := bytes.Clone(data)
	if bytes.HasPrefix(out, []byte("\ufeff")) {
		blank(out[:3])
	}
	comma := -1         // the last one that follows a value, when nothing but space followed it
	before := byte(',') // what stands before, space and comments left out
	for i := 0; i < len(out); {
		switch c := out[i]; {
		case c == '"':
			i, comma, before = stringEnd(out, i), -1, c
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end, err := commentEnd(out, i)
			if err != nil {
				return nil, err
			}
			blank(out[i:end])
			i = end
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
			i, comma, before = i+1, -1, c
		case c == ',' && !strings.ContainsRune("{[,:", rune(before)):
			i, comma, before = i+1, i, c
		case isSpace(c):
			i++
		default:
			i, comma, before = i+1, -1, c
		}
	}
	return out, nil
}

// Unmarshal is json.Unmarshal for data with comments.
func Unmarshal(data []byte, into any) error {
	plain, err := Plain(data)
	if err != nil {
		return err
	}
	return json.Unmarshal(plain, into)
}

func blank(b []byte) {
	for i := range b {
		b[i] = ' '
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// stringEnd is the offset behind the string that begins at i, at most len(b).
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// commentEnd is the offset behind the comment that begins at i; what ends a
// line is not of it.
func commentEnd(b []byte, i int) (int, error) {
	if b[i+1] == '/' {
		n := bytes.IndexByte(b[i:], '\n')
		switch {
		case n < 0:
			return len(b), nil
		case b[i+n-1] == '\r':
			return i + n - 1, nil
		}
		return i + n, nil
	}
	n := bytes.Index(b[i+2:], []byte("*/"))
	if n < 0 {
		return 0, errors.New("a comment that begins with /* does not end")
	}
	return i + 2 + n + 2, nil
}
