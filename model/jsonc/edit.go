package jsonc

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
)

// Set is data with value at path (the names that lead to it; objects that are missing
// are made). Empty data is an empty object. A null on the way becomes an object.
func Set(data []byte, path []string, value any) ([]byte, error) {
	if len(path) == 0 {
		return nil, errors.New("no name")
	}
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{\n}\n")
	}
	plain, o, err := top(data)
	if err != nil {
		return nil, err
	}
	e := editor{data: data, plain: plain, unit: unitOf(data, o)}
	for {
		at, ok := o.last(path[0])
		switch {
		case !ok:
			return e.add(o, path[0], nested(path[1:], value))
		case len(path) == 1:
			return e.replace(o.members[at], value)
		case string(plain[o.members[at].val:o.members[at].end]) == "null":
			return e.replace(o.members[at], nested(path[1:], value))
		}
		if o, err = inside(plain, o.members[at]); err != nil {
			return nil, err
		}
		path = path[1:]
	}
}

// Remove is data without what is at path, and without the objects that hold nothing
// then, not even a comment. found tells whether there was anything.
func Remove(data []byte, path []string) (rest []byte, found bool, err error) {
	for len(path) > 0 && len(bytes.TrimSpace(data)) > 0 {
		plain, o, err := top(data)
		if err != nil {
			return nil, false, err
		}
		last := len(path) - 1
		o, ok := down(plain, o, path[:last])
		if !ok {
			return data, found, nil
		}
		if at, ok := o.last(path[last]); ok { // a name may stand there twice
			data, found = (&editor{data: data, plain: plain}).remove(o, at), true
			continue
		}
		if !found || len(bytes.TrimSpace(data[o.open+1:o.close])) > 0 {
			return data, found, nil
		}
		path = path[:last]
	}
	return data, found, nil
}

// down is the object that the names of path lead to, from o.
func down(plain []byte, o object, path []string) (object, bool) {
	for _, name := range path {
		at, ok := o.last(name)
		if !ok || plain[o.members[at].val] != '{' {
			return object{}, false
		}
		o = read(plain, o.members[at].val)
	}
	return o, true
}

// nested is value within objects of the names of path.
func nested(path []string, value any) any {
	for i := len(path) - 1; i >= 0; i-- {
		value = map[string]any{path[i]: value}
	}
	return value
}

// editor edits a text of which plain is known.
type editor struct {
	data, plain []byte
	unit        string // of indentation
}

// render is a value as it stands in a member whose line is indented so: what is made of
// objects takes a line for each member, all else one line.
func (e *editor) render(value any, indent string) (string, error) {
	block, ok := value.(map[string]any)
	if !ok {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		err := enc.Encode(value)
		return strings.TrimSpace(b.String()), err
	}
	nl := e.newline() + indent
	text := ""
	for i, name := range slices.Sorted(maps.Keys(block)) {
		key, err := e.render(name, "")
		if err != nil {
			return "", err
		}
		inner, err := e.render(block[name], indent+e.unit)
		if err != nil {
			return "", err
		}
		if i > 0 {
			text += ","
		}
		text += nl + e.unit + key + ": " + inner
	}
	return "{" + text + nl + "}", nil
}

func (e *editor) newline() string {
	if bytes.Contains(e.data, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func (e *editor) splice(from, to int, text string) []byte {
	return append(append(bytes.Clone(e.data[:from]), text...), e.data[to:]...)
}

func (e *editor) replace(m member, value any) ([]byte, error) {
	text, err := e.render(value, e.indentOf(m.from))
	if err != nil {
		return nil, err
	}
	return e.splice(m.val, m.end, text), nil
}

// add puts a new member behind the last one of o.
func (e *editor) add(o object, name string, value any) ([]byte, error) {
	outer := e.indentOf(o.open)
	indent := outer + e.unit
	if n := len(o.members); n > 0 && e.beginsLine(o.members[0].from) {
		indent = e.indentOf(o.members[0].from)
	}
	text, err := e.render(value, indent)
	if err != nil {
		return nil, err
	}
	quoted, err := e.render(name, "")
	if err != nil {
		return nil, err
	}
	text = quoted + ": " + text
	if len(o.members) == 0 {
		return e.first(o, text, indent, outer), nil
	}
	return e.behind(o, text, indent), nil
}

// first is add for an object without members; comments may stand in it.
func (e *editor) first(o object, text, indent, outer string) []byte {
	nl := e.newline()
	if at := bytes.LastIndexByte(e.plain[o.open:o.close], '\n'); at >= 0 {
		at += o.open
		if at > 0 && e.plain[at-1] == '\r' {
			at--
		}
		return e.splice(at, at, nl+indent+text)
	}
	return e.splice(o.close, o.close, nl+indent+text+nl+outer)
}

// behind is add for an object with members: on a line of its own, behind what is said
// of the last member on its line, unless the object stands on one line.
func (e *editor) behind(o object, text, indent string) []byte {
	last := o.members[len(o.members)-1].end
	at, comma := last, ","
	if i := e.commaAt(last, o.close); i >= 0 { // a comma behind the last one stays the file's way
		at, comma, text = i+1, "", text+","
	}
	line := e.lineEnd(at, o.close)
	lead := e.newline() + indent
	if line == o.close { // the brace stands on this line too
		line, lead = at, " "
	}
	out := append(bytes.Clone(e.data[:last]), comma...)
	out = append(out, e.data[last:line]...)
	return append(append(out, lead+text...), e.data[line:]...)
}

// lineEnd is where the line of i ends, before its line feed (and carriage return), or
// limit when that comes first.
func (e *editor) lineEnd(i, limit int) int {
	n := bytes.IndexByte(e.plain[i:limit], '\n')
	switch {
	case n < 0:
		return limit
	case n > 0 && e.plain[i+n-1] == '\r':
		return i + n - 1
	}
	return i + n
}

// commaAt is the comma that stands behind the last member of an object, in the text
// as it is written, or -1.
func (e *editor) commaAt(from, to int) int {
	for i := from; i < to; i++ {
		switch c := e.data[i]; {
		case c == ',':
			return i
		case c == '/':
			end, err := commentEnd(e.data, i)
			if err != nil {
				return -1
			}
			i = end - 1
		}
	}
	return -1
}

// remove takes a member out, its comma, and what is said of it on its line.
func (e *editor) remove(o object, i int) []byte {
	m := o.members[i]
	from, to := m.from, m.end
	next := o.close
	if i+1 < len(o.members) {
		next = o.members[i+1].from
	}
	comma := e.commaAt(m.end, next)
	if comma >= 0 {
		to = comma + 1
	}
	line := e.lineEnd(to, next)
	switch {
	case line < next && e.beginsLine(m.from): // the whole line goes
		from, to = e.lineBefore(m.from), line
	case next < o.close:
		to = next
	}
	if comma < 0 && i > 0 { // the one before is the last now
		if before := e.commaAt(o.members[i-1].end, m.from); before >= 0 {
			between := e.data[before+1 : from]
			if len(bytes.Trim(between, " \t")) == 0 {
				between = nil
			}
			kept := append(bytes.Clone(e.data[:before]), between...)
			return append(kept, e.data[to:]...)
		}
	}
	return e.splice(from, to, "")
}

// beginsLine tells whether nothing but space stands before i on its line.
func (e *editor) beginsLine(i int) bool {
	line := bytes.LastIndexByte(e.data[:i], '\n')
	return line >= 0 && len(bytes.TrimSpace(e.data[line:i])) == 0
}

// lineBefore is where the line before that of i ends, before its line feed (and
// carriage return).
func (e *editor) lineBefore(i int) int {
	at := bytes.LastIndexByte(e.data[:i], '\n')
	if at > 0 && e.data[at-1] == '\r' {
		at--
	}
	return at
}

// indentOf is the space at the beginning of the line of i.
func (e *editor) indentOf(i int) string {
	line := bytes.LastIndexByte(e.data[:i], '\n') + 1
	end := line
	for end < i && (e.data[end] == ' ' || e.data[end] == '\t') {
		end++
	}
	return string(e.data[line:end])
}

// unitOf is how the file indents: as its first member is, else two spaces.
func unitOf(data []byte, o object) string {
	if len(o.members) == 0 {
		return "  "
	}
	e := editor{data: data}
	if unit := e.indentOf(o.members[0].from); unit != "" && e.beginsLine(o.members[0].from) {
		return unit
	}
	return "  "
}
