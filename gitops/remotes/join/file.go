package join

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// contents are the bytes of one file on the sides; nil where it is not.
type contents struct{ base, sent, ours, theirs []byte }

// join is the file with what both sides did, false where that cannot be told.
func (c contents) join(name string) ([]byte, bool) {
	switch {
	case strings.HasSuffix(name, ".jsonl"):
		return c.lines()
	case strings.HasSuffix(name, ".json"):
		return c.fields()
	}
	return nil, false
}

// lines joins files that only grow: what theirs added follows what ours did.
func (c contents) lines() ([]byte, bool) {
	if c.base == nil || !bytes.HasPrefix(c.sent, c.base) || !bytes.HasPrefix(c.theirs, c.base) ||
		len(c.ours) > 0 && c.ours[len(c.ours)-1] != '\n' {
		return nil, false
	}
	return slices.Concat(c.ours, c.theirs[len(c.base):]), true
}

// fields joins objects by their members. Members that only one side changed are that
// side's; two sides with different values for the same member cannot be joined.
func (c contents) fields() ([]byte, bool) {
	var base, sent, ours, theirs map[string]json.RawMessage
	for _, side := range []struct {
		data []byte
		to   *map[string]json.RawMessage
	}{{c.base, &base}, {c.sent, &sent}, {c.ours, &ours}, {c.theirs, &theirs}} {
		if side.data != nil && (json.Unmarshal(side.data, side.to) != nil || *side.to == nil) {
			return nil, false
		}
	}
	joined := maps.Clone(ours)
	for name, value := range theirs {
		switch {
		case equal(value, base[name]), equal(value, sent[name]):
		case equal(sent[name], base[name]):
			joined[name] = value
		default:
			return nil, false
		}
	}
	for name := range base {
		if _, still := theirs[name]; still {
			continue
		}
		if !equal(sent[name], base[name]) {
			return nil, false // we changed what they took out
		}
		delete(joined, name)
	}
	out, err := json.Marshal(joined)
	return append(out, '\n'), err == nil
}

// equal compares values without their white space; nil is no value.
func equal(a, b json.RawMessage) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}
