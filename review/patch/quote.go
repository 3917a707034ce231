package patch

import (
	"strings"

	"overturn/model"
)

// Quote writes a path as git does in its output (core.quotePath at its default):
// as it is, or in double quotes with C escapes where it holds a control byte, a
// quote, a backslash or a byte from 0x80.
func Quote(p model.Path) string { return quoted("", string(p)) }

// QuotePrefixed is Quote of prefix ("a/", "b/") and path.
func QuotePrefixed(prefix string, p model.Path) string { return quoted(prefix, string(p)) }

// quoted puts prefix before path, inside the quotes where there are any.
func quoted(prefix, path string) string {
	if !needsQuotes(path) {
		return prefix + path
	}
	var b strings.Builder
	b.WriteByte('"')
	b.WriteString(prefix)
	for i := 0; i < len(path); i++ {
		writeEscaped(&b, path[i])
	}
	b.WriteByte('"')
	return b.String()
}

func needsQuotes(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			return true
		}
	}
	return false
}

// escapes pairs the letters of C's escapes with the bytes they stand for.
const escapeLetters, escapeBytes = `abtnvfr"\`, "\a\b\t\n\v\f\r\"\\"

func writeEscaped(b *strings.Builder, c byte) {
	if i := strings.IndexByte(escapeBytes, c); i >= 0 {
		b.WriteByte('\\')
		b.WriteByte(escapeLetters[i])
		return
	}
	if c < 0x20 || c >= 0x7f {
		b.WriteByte('\\')
		b.WriteByte('0' + c>>6)
		b.WriteByte('0' + c>>3&7)
		b.WriteByte('0' + c&7)
		return
	}
	b.WriteByte(c)
}

// Unquote reads a name in double quotes at the start of s and returns the rest.
// Of a name that is not in quotes, ok is false.
func Unquote(s string) (name, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", s, false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			value, used := unescape(s[i+1:])
			if used == 0 {
				return "", s, false
			}
			b.WriteByte(value)
			i += used
		default:
			b.WriteByte(c)
		}
	}
	return "", s, false
}

// unescape reads what follows a backslash; used is 0 where it is no escape.
func unescape(s string) (value byte, used int) {
	if s == "" {
		return 0, 0
	}
	if i := strings.IndexByte(escapeLetters, s[0]); i >= 0 {
		return escapeBytes[i], 1
	}
	if len(s) < 3 || s[0] > '3' {
		return 0, 0
	}
	for _, c := range []byte(s[:3]) {
		if c < '0' || c > '7' {
			return 0, 0
		}
		value = value<<3 | (c - '0')
	}
	return value, 3
}
