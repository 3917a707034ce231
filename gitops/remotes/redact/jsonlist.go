package redact

import (
	"bytes"
	"slices"
)

// text is the content of a string of JSON, and where it begins.
type text struct {
	content []byte
	start   int
}

// texts are the strings of one list: agents keep the lines of a file so.
type texts []text

// privateKeys finds the keys that several strings hold, a line each, in the document.
func (list texts) privateKeys() []span {
	if len(list) < 2 {
		return nil
	}
	var whole []byte
	views, starts := make([]view, len(list)), make([]int, len(list))
	for i, t := range list {
		views[i] = view{text: t.content}
		if bytes.IndexByte(t.content, '\\') >= 0 {
			views[i], _ = viewed(t.content)
		}
		starts[i] = len(whole)
		whole = append(append(whole, views[i].text...), '\n')
	}
	var spans []span
	for _, key := range privateKeys(nil, whole) {
		for i, v := range views {
			part := key
			part.start, part.end = max(key.start-starts[i], 0), min(key.end-starts[i], len(v.text))
			if part.start >= part.end {
				continue
			}
			if v.at != nil {
				part.start, part.end = v.spanOf(part.start, part.end)
			}
			spans = append(spans, shifted([]span{part}, list[i].start)...)
		}
	}
	return spans
}

// afterOption finds what is a secret by the option that stands before it: lists are how
// programs are called.
func (r *Redactor) afterOption(list texts, value []byte) []span {
	if len(list) == 0 || !bytes.HasPrefix(list[len(list)-1].content, []byte{'-'}) {
		return nil
	}
	option := list[len(list)-1].content
	if len(option) > 64 || len(value) > 4<<10 || bytes.ContainsAny(value, " \t\n") || bytes.IndexByte(value, '\\') >= 0 {
		return nil
	}
	before := len(option) + 1
	var spans []span
	for _, s := range r.block(slices.Concat(option, []byte{' '}, value), false) {
		s.start, s.end = max(s.start-before, 0), s.end-before
		if s.start < s.end {
			spans = append(spans, s)
		}
	}
	return spans
}
