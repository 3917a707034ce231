package sqlite

import (
	"strconv"
	"strings"
)

// columns takes a record apart: texts and whole numbers as texts, all else (NULL, blobs,
// fractions) as "".
func columns(payload []byte) ([]string, error) {
	head, n := varint(payload)
	if n == 0 || head > uint64(len(payload)) || head < uint64(n) {
		return nil, bad("a record has no head")
	}
	types, body := payload[n:head], payload[head:]
	var list []string
	for len(types) > 0 {
		kind, n := varint(types)
		if n == 0 {
			return nil, bad("the head of a record is cut short")
		}
		types = types[n:]
		size := sizeOf(kind)
		if size > uint64(len(body)) {
			return nil, bad("a record is shorter than its head says")
		}
		list = append(list, valueOf(kind, body[:size]))
		body = body[size:]
	}
	return list, nil
}

// The kinds of a value that are no small whole numbers.
const (
	kindReal, kindZero, kindOne, kindBlob, kindText = 7, 8, 9, 12, 13
)

func sizeOf(kind uint64) uint64 {
	sizes := [...]uint64{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0}
	if kind < uint64(len(sizes)) {
		return sizes[kind]
	}
	return (kind - kindBlob) / 2
}

func valueOf(kind uint64, data []byte) string {
	switch {
	case kind >= kindText && kind%2 == 1:
		return string(data)
	case kind == kindZero:
		return "0"
	case kind == kindOne:
		return "1"
	case kind == 0 || kind >= kindReal:
		return ""
	}
	v := int64(int8(data[0]))
	for _, b := range data[1:] {
		v = v<<8 | int64(b)
	}
	return strconv.FormatInt(v, 10)
}

// columnNames are the columns of a table in the order in which records have them, from
// the statement that made it. False where a record may not have them so.
func columnNames(statement string) ([]string, bool) {
	statement = withoutComments(statement)
	open := strings.IndexByte(statement, '(')
	if open < 0 {
		return nil, false
	}
	body, options := splitTop(statement[open+1:])
	if strings.Contains(strings.ToUpper(options), "WITHOUT") {
		return nil, false
	}
	var names []string
	for _, def := range body {
		name, rest := firstWord(def)
		switch strings.ToUpper(name) {
		case "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN":
			if name != "" && !strings.ContainsAny(def[:1], "\"`[") {
				continue
			}
		}
		if name == "" || generated(rest) {
			return nil, false
		}
		names = append(names, name)
	}
	return names, len(names) > 0
}

// withoutComments puts a blank for each comment that is not in quotes.
func withoutComments(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		rest, end := s[i:], 1
		switch {
		case strings.HasPrefix(rest, "--"):
			end = endOf(rest, 2, "\n")
			rest = " "
		case strings.HasPrefix(rest, "/*"):
			end = endOf(rest, 2, "*/")
			rest = " "
		case strings.IndexByte("'\"`", rest[0]) >= 0:
			end = endOf(rest, 1, rest[:1])
		case rest[0] == '[':
			end = endOf(rest, 1, "]")
		}
		out.WriteString(rest[:min(end, len(rest))])
		i += end
	}
	return out.String()
}

// endOf is where a mark that is looked for from an offset ends, or the end of s.
func endOf(s string, from int, mark string) int {
	if at := strings.Index(s[from:], mark); at >= 0 {
		return from + at + len(mark)
	}
	return len(s)
}

// generated tells of a column that is computed: records may not hold it.
func generated(def string) bool {
	words := strings.Fields(strings.ToUpper(strings.ReplaceAll(def, "(", " ( ")))
	for i, word := range words {
		if word == "GENERATED" || word == "AS" && i+1 < len(words) && words[i+1] == "(" {
			return true
		}
	}
	return false
}

// splitTop cuts what stands in parentheses at its commas, and returns what is behind the
// closing one. Quoted text and inner parentheses stay whole.
func splitTop(s string) (parts []string, rest string) {
	depth, begin := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\'', '"', '`', '[':
			if c == '[' {
				c = ']'
			}
			end := strings.IndexByte(s[i+1:], c)
			if end < 0 {
				return nil, ""
			}
			i += end + 1
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return append(parts, strings.TrimSpace(s[begin:i])), s[i+1:]
			}
		case ',':
			if depth == 0 {
				parts, begin = append(parts, strings.TrimSpace(s[begin:i])), i+1
			}
		}
	}
	return nil, ""
}

// firstWord is the name that a definition begins with, without its quotes.
func firstWord(def string) (name, rest string) {
	if def == "" {
		return "", ""
	}
	closing := map[byte]byte{'"': '"', '`': '`', '[': ']'}
	if c, ok := closing[def[0]]; ok {
		if end := strings.IndexByte(def[1:], c); end >= 0 {
			return def[1 : end+1], def[end+2:]
		}
		return "", ""
	}
	end := strings.IndexAny(def, " \t\r\n")
	if end < 0 {
		return def, ""
	}
	return def[:end], def[end:]
}
