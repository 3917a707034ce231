// Package find is what is searched for in a text: letters match in either case
// unless the query has a capital or is not ASCII. The diff and the search over all
// files match by the same rule.
//
// Invariants: a query never changes, so jobs and frames may use it at the same time;
// it costs the bytes that it reads and allocates nothing. A crash leaves nothing
// behind.
package find

import (
	"bytes"
	"strings"
)

// Query is what is searched for. The zero value matches nothing.
type Query struct {
	text []byte
	fold bool
}

// New makes the query that a user has typed.
func New(s string) Query {
	fold := s == strings.ToLower(s)
	for i := 0; i < len(s); i++ {
		fold = fold && s[i] < 0x80
	}
	return Query{[]byte(s), fold}
}

// String is what the user typed.
func (q Query) String() string { return string(q.text) }

// Len is the bytes of a match, 0 of a query that matches nothing.
func (q Query) Len() int { return len(q.text) }

// Index finds the first match at or after byte from, -1 when there is none.
func (q Query) Index(text []byte, from int) int {
	if len(q.text) == 0 || from > len(text) {
		return -1
	}
	if !q.fold {
		if i := bytes.Index(text[from:], q.text); i >= 0 {
			return from + i
		}
		return -1
	}
	lower := q.text[0]
	upper := lower
	if lower >= 'a' && lower <= 'z' {
		upper -= 'a' - 'A'
	}
	for i := from; i+len(q.text) <= len(text); i++ {
		if (text[i] == lower || text[i] == upper) && bytes.EqualFold(text[i:i+len(q.text)], q.text) {
			return i
		}
	}
	return -1
}
