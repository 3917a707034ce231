package hookfile

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// maxDepth bounds how deep a settings file may nest.
const maxDepth = 200

type node struct {
	open    byte // '{', '[', or 0 for a scalar
	start   int  // offset of its first byte
	end     int  // offset after its last byte
	members []member
}

type member struct {
	key   string // of an object's member
	start int    // offset of the key, or of the value in a list
	value *node
	comma int // offset of the comma that follows, or -1
}

func (m member) end() int { return m.value.end }

// last returns the member of that name; as every JSON reader does, the last one
// of several. index is -1 when there is none.
func (n *node) last(key string) (index int, value *node) {
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].key == key {
			return i, n.members[i].value
		}
	}
	return -1, nil
}

type scanner struct {
	src []byte
	pos int
}

// scan reads JSON that may hold comments, trailing commas and a byte order mark.
// The error names the line.
func scan(src []byte) (*node, error) {
	s := &scanner{src: src}
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		s.pos = 3
	}
	if err := s.blank(); err != nil {
		return nil, err
	}
	root, err := s.value(0)
	if err != nil {
		return nil, err
	}
	if err := s.blank(); err != nil {
		return nil, err
	}
	if s.pos < len(src) {
		return nil, s.fail("something follows the end")
	}
	return root, nil
}

func (s *scanner) fail(what string) error {
	return fmt.Errorf("line %d: %s", 1+bytes.Count(s.src[:s.pos], []byte("\n")), what)
}

func (s *scanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

// blank skips white space and comments.
func (s *scanner) blank() error {
	for s.pos < len(s.src) {
		rest := s.src[s.pos:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r':
			s.pos++
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			s.pos += end
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return s.fail("a comment does not end")
			}
			s.pos += end + 4
		default:
			return nil
		}
	}
	return nil
}

func (s *scanner) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, s.fail("nested too deeply")
	}
	switch s.peek() {
	case '{':
		return s.container('}', depth)
	case '[':
		return s.container(']', depth)
	case '"':
		start := s.pos
		if _, err := s.text(); err != nil {
			return nil, err
		}
		return &node{start: start, end: s.pos}, nil
	}
	start := s.pos
	for s.pos < len(s.src) && !bytes.ContainsRune([]byte(" \t\r\n,:]}[{/\""), rune(s.src[s.pos])) {
		s.pos++
	}
	if !json.Valid(s.src[start:s.pos]) {
		s.pos = start
		return nil, s.fail("a value was expected")
	}
	return &node{start: start, end: s.pos}, nil
}

func (s *scanner) container(closing byte, depth int) (*node, error) {
	n := &node{open: s.peek(), start: s.pos}
	s.pos++
	for {
		if err := s.blank(); err != nil {
			return nil, err
		}
		if s.peek() == closing {
			s.pos++
			n.end = s.pos
			return n, nil
		}
		if k := len(n.members); k > 0 && n.members[k-1].comma < 0 {
			return nil, s.fail(fmt.Sprintf("a comma or %q was expected", closing))
		}
		m, err := s.member(n.open == '{', depth)
		if err != nil {
			return nil, err
		}
		if err := s.blank(); err != nil {
			return nil, err
		}
		if s.peek() == ',' {
			m.comma = s.pos
			s.pos++
		}
		n.members = append(n.members, m)
	}
}

func (s *scanner) member(named bool, depth int) (member, error) {
	m := member{start: s.pos, comma: -1}
	if named {
		if s.peek() != '"' {
			return m, s.fail("a name in quotes was expected")
		}
		key, err := s.text()
		if err != nil {
			return m, err
		}
		m.key = key
		if err := s.blank(); err != nil {
			return m, err
		}
		if s.peek() != ':' {
			return m, s.fail("a colon was expected")
		}
		s.pos++
		if err := s.blank(); err != nil {
			return m, err
		}
	}
	value, err := s.value(depth + 1)
	m.value = value
	return m, err
}

// text reads one string and returns what it says.
func (s *scanner) text() (string, error) {
	start := s.pos
	for s.pos++; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case '\\':
			s.pos++
		case '"':
			s.pos++
			var out string
			if err := json.Unmarshal(s.src[start:s.pos], &out); err != nil {
				s.pos = start
				return "", s.fail("a text is not valid JSON")
			}
			return out, nil
		}
	}
	s.pos = start
	return "", s.fail("a text does not end")
}
