package jsonc

import (
	"encoding/json"
	"errors"
	"fmt"
)

// member is a name and its value in an object, by offsets.
type member struct {
	name     string
	from     int // of the name's quote
	val, end int // the value
}

// object is an object's braces and members, by offsets.
type object struct {
	open, close int
	members     []member
}

// last is the member of that name that counts: the last one.
func (o object) last(name string) (int, bool) {
	for i := len(o.members) - 1; i >= 0; i-- {
		if o.members[i].name == name {
			return i, true
		}
	}
	return 0, false
}

// top reads a file: its plain text and its outermost object.
func top(data []byte) ([]byte, object, error) {
	plain, err := Plain(data)
	if err != nil {
		return nil, object{}, err
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(plain, &whole); err != nil {
		return nil, object{}, err
	}
	at := skip(plain, 0)
	if plain[at] != '{' { // null
		return nil, object{}, errors.New("it is not an object")
	}
	return plain, read(plain, at), nil
}

// inside is the object that is the value of m.
func inside(plain []byte, m member) (object, error) {
	if plain[m.val] != '{' {
		return object{}, fmt.Errorf("%q is not an object", m.name)
	}
	return read(plain, m.val), nil
}

// read lists the object that opens at i, of text that is JSON.
func read(plain []byte, i int) object {
	o := object{open: i}
	for i = skip(plain, i+1); plain[i] != '}'; i = skip(plain, i) {
		if plain[i] == ',' {
			i++
			continue
		}
		m := member{from: i}
		end := stringEnd(plain, i)
		_ = json.Unmarshal(plain[i:end], &m.name) // it is JSON
		m.val = skip(plain, skip(plain, end)+1)
		m.end = valueEnd(plain, m.val)
		o.members = append(o.members, m)
		i = m.end
	}
	o.close = i
	return o
}

func skip(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

// valueEnd is the offset behind the value that begins at i.
func valueEnd(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch c := b[i]; {
		case c == '"':
			i = stringEnd(b, i)
			if depth == 0 {
				return i
			}
			continue
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || isSpace(c)):
			return i
		}
		i++
	}
	return i
}
