package hookfile

import (
	"bytes"
	"strings"
)

// insertion renders one member or element for a place in the file.
type insertion func(style style, indent string) string

// insert adds one member at the end of container.
func insert(src []byte, doc style, container *node, text insertion) []byte {
	if len(container.members) == 0 {
		return insertFirst(src, doc, container, text)
	}
	first, last := container.members[0], container.members[len(container.members)-1]
	at := last.end()
	if last.comma >= 0 {
		at = last.comma + 1
	}
	pos, lineComment := afterComment(src, at)
	st, sep, indent := doc, " ", ""
	st.compact = !bytes.ContainsRune(src[container.start:first.start], '\n')
	if !st.compact || lineComment {
		indent = lineIndent(src, first.start)
		sep = doc.newline + indent
	}
	added := sep + text(st, indent)
	if last.comma >= 0 {
		return splice(src, pos, pos, added+",")
	}
	return splice(splice(src, pos, pos, added), at, at, ",")
}

// insertFirst fills an empty container and marks it with a blank line, so that
// removeLast knows that it was there, and empty, before.
func insertFirst(src []byte, doc style, container *node, text insertion) []byte {
	outer := lineIndent(src, container.start)
	indent := outer + doc.unit
	added := doc.newline + doc.newline + indent + text(doc, indent) + doc.newline
	if !bytes.ContainsRune(src[container.start+1:container.end-1], '\n') {
		added += outer
	}
	return splice(src, container.start+1, container.start+1, added)
}

// marked tells whether insertFirst filled the container.
func marked(src []byte, container *node) bool {
	if len(container.members) == 0 {
		return true
	}
	head := src[container.start+1 : container.members[0].start]
	return bytes.HasPrefix(head, []byte("\n\n")) || bytes.HasPrefix(head, []byte("\r\n\r\n"))
}

// remove takes one member out; what insert would have added around it goes too.
func remove(src []byte, container *node, index int) []byte {
	m := container.members[index]
	if len(container.members) == 1 && marked(src, container) {
		return removeLast(src, container)
	}
	start := separator(src, m.start)
	switch {
	case m.comma >= 0:
		src = splice(src, m.comma, m.comma+1, "")
		return splice(src, start, m.end(), "")
	case index > 0:
		comma := container.members[index-1].comma
		src = splice(src, start, m.end(), "")
		return splice(src, comma, comma+1, "")
	default:
		return splice(src, start, m.end(), "")
	}
}

func removeLast(src []byte, container *node) []byte {
	m := container.members[0]
	end := m.end()
	if m.comma >= 0 {
		src = splice(src, m.comma, m.comma+1, "")
		container.end--
	}
	tail := src[end : container.end-1]
	outer := lineIndent(src, container.start)
	cut := 0
	if nl := newlineAt(tail); nl > 0 {
		cut = nl
		if bytes.Count(tail, []byte("\n")) == 1 && bytes.HasPrefix(tail[nl:], []byte(outer)) {
			cut += len(outer)
		}
	}
	return splice(src, container.start+1, end+cut, "")
}

// separator is where the white space begins that insert put before start.
func separator(src []byte, start int) int {
	i := start
	for i > 0 && (src[i-1] == ' ' || src[i-1] == '\t') {
		i--
	}
	switch {
	case i > 1 && src[i-1] == '\n' && src[i-2] == '\r':
		return i - 2
	case i > 0 && src[i-1] == '\n':
		return i - 1
	case start > 0 && src[start-1] == ' ':
		return start - 1
	}
	return start
}

// afterComment is the offset after the comments that stand behind at on its
// line; at itself when there are none. line says that the last one is a // one.
func afterComment(src []byte, at int) (pos int, line bool) {
	pos = at
	for i := at; i < len(src); {
		rest := src[i:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t':
			i++
			continue
		case bytes.HasPrefix(rest, []byte("//")):
			text, _, _ := bytes.Cut(rest, []byte("\n"))
			return i + len(bytes.TrimRight(text, "\r")), true
		case bytes.HasPrefix(rest, []byte("/*")):
			length := bytes.Index(rest[2:], []byte("*/")) + 4
			if length < 4 || bytes.ContainsRune(rest[:length], '\n') {
				return pos, false
			}
			i += length
			pos = i
			continue
		}
		break
	}
	return pos, false
}

// lineIndent is the white space at the start of the line that at lies in.
func lineIndent(src []byte, at int) string {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	end := start
	for end < at && (src[end] == ' ' || src[end] == '\t') {
		end++
	}
	return string(src[start:end])
}

func newlineAt(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("\r\n")):
		return 2
	case bytes.HasPrefix(b, []byte("\n")):
		return 1
	}
	return 0
}

func splice(src []byte, from, to int, text string) []byte {
	out := make([]byte, 0, len(src)+len(text))
	out = append(out, src[:from]...)
	out = append(out, text...)
	return append(out, src[to:]...)
}

// style is how the file is laid out.
type style struct {
	newline string
	unit    string // one step of indentation
	compact bool   // all on one line
}

// styleOf takes the line end of the first line and the first indentation there is.
func styleOf(src []byte, root *node) style {
	st := style{newline: "\n", unit: "  "}
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		st.newline = "\r\n"
	}
	if len(root.members) > 0 {
		if in := lineIndent(src, root.members[0].start); in != "" && !strings.HasPrefix(lineIndent(src, root.start), in) {
			st.unit = in
		}
	}
	return st
}
