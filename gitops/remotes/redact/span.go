package redact

import (
	"bytes"
	"slices"
)

// span is a place in a text that a rule found.
type span struct {
	start, end int
	rule       string
	rank       int
	instead    string // what stands there afterwards; "": the marker of the rule
}

const (
	markerStart = "[redacted:"
	markerEnd   = ']'
)

func (s span) marker() string {
	if s.instead != "" {
		return s.instead
	}
	return markerStart + s.rule + string(markerEnd)
}

// merged puts spans in order and joins those that overlap under the name of the lowest
// rank, the first of them in the text.
func merged(spans []span) []span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortStableFunc(spans, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.start >= last.end {
			out = append(out, s)
			continue
		}
		last.end, last.instead = max(last.end, s.end), ""
		if s.rank < last.rank {
			last.rule, last.rank = s.rule, s.rank
		}
	}
	return out
}

// passes bounds how often the rules are applied to what they left: each time they found
// something that stood in nobody's way before. Two are the rule.
const passes = 16

// fix redacts text by find until there is nothing to find. The spans are those of text.
func (r *Redactor) fix(text []byte, find func([]byte) []span) ([]byte, []span) {
	var done []span
	now := text
	for range passes {
		found := r.outside(now, find(now))
		if len(found) == 0 {
			return now, done
		}
		done = joined(done, found)
		now = replaced(text, done)
	}
	all := span{end: len(text), rule: ruleText}
	return []byte(`"` + all.marker() + `"`), []span{all} // JSON where text was
}

// outside takes the markers of earlier redactions out of spans.
func (r *Redactor) outside(text []byte, spans []span) []span {
	if len(spans) == 0 || !bytes.Contains(text, []byte(markerStart)) {
		return spans
	}
	markers := r.markers(text)
	var out []span
	for _, s := range spans {
		first, _ := slices.BinarySearchFunc(markers, s.start, func(m span, at int) int { return m.end - at })
		for _, m := range markers[first:] {
			if m.start >= s.end {
				break
			}
			if m.start > s.start {
				out = append(out, span{start: s.start, end: m.start, rule: s.rule, rank: s.rank})
			}
			s.start = max(s.start, m.end)
		}
		if s.start < s.end {
			out = append(out, s)
		}
	}
	return out
}

// markers are the places of text that name a rule of ours: nothing hides in them.
func (r *Redactor) markers(text []byte) []span {
	var list []span
	for at := 0; ; {
		n := bytes.Index(text[at:], []byte(markerStart))
		if n < 0 {
			return list
		}
		name := at + n + len(markerStart)
		size := bytes.IndexByte(text[name:], markerEnd)
		if size >= 0 && r.names[string(text[name:name+size])] {
			list = append(list, span{start: at + n, end: name + size + 1})
			at = name + size + 1
			continue
		}
		at = name
	}
}

// joined takes spans that were found in a text after done was replaced back to the text
// before, and adds them. They touch no marker.
func joined(done, found []span) []span {
	shift, i := 0, 0 // shift: how much longer the text before is, up to here
	out := slices.Clone(done)
	for _, s := range found {
		for ; i < len(done) && done[i].start-shift < s.end; i++ {
			shift += done[i].end - done[i].start - len(done[i].marker())
		}
		s.start, s.end = s.start+shift, s.end+shift
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b span) int { return a.start - b.start })
	return out
}

func replaced(text []byte, spans []span) []byte {
	var out []byte
	at := 0
	for _, s := range spans {
		out = append(append(out, text[at:s.start]...), s.marker()...)
		at = s.end
	}
	return append(out, text[at:]...)
}

// located makes findings of spans in order.
func located(text []byte, spans []span) []Finding {
	var list []Finding
	line, at := 1, 0
	for _, s := range spans {
		line += bytes.Count(text[at:s.start], []byte{'\n'})
		at = s.start
		list = append(list, Finding{Rule: s.rule, Line: line, Start: s.start, End: s.end})
	}
	return list
}
