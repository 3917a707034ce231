package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
)

// JSON takes secrets out of the strings of one JSON document, or of several, one
// a line; what is not JSON is treated as Text. Valid JSON stays valid, and
// nothing outside its strings changes. Nothing found: out is b itself.
func (r *Redactor) JSON(b []byte) (out []byte, findings []Finding) {
	out, spans := r.fix(b, r.documents)
	return out, located(b, spans)
}

// documents finds what is in b, a document, or lines each of which is one or text.
// Lines of text in a row belong together: a private key may span them.
func (r *Redactor) documents(b []byte) []span {
	if json.Valid(b) {
		return r.document(b)
	}
	var spans []span
	from := 0 // where the lines of text begin that were not looked at
	for start, line := range lines(b) {
		if len(line) == 0 || !json.Valid(line) {
			continue
		}
		spans = append(spans, shifted(r.scan(b[from:start], 0, false), from)...)
		spans = append(spans, shifted(r.document(line), start)...)
		from = min(start+len(line)+1, len(b))
	}
	return append(spans, shifted(r.scan(b[from:], 0, false), from)...)
}

func shifted(spans []span, by int) []span {
	for i := range spans {
		spans[i].start += by
		spans[i].end += by
	}
	return spans
}

// document finds what is in the strings of a valid document, the names of members too, in
// order.
func (r *Redactor) document(b []byte) []span {
	var spans []span
	var outer []place // from the outermost on
	var at place
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			outer, at = append(outer, at), place{name: at.name, list: b[i] == '['}
		case '}', ']':
			spans = append(spans, at.texts.privateKeys()...)
			at, outer = outer[len(outer)-1], outer[:len(outer)-1]
		case '"':
			end := stringEnd(b, i+1)
			content := b[i+1 : end]
			if named(b[end+1:]) {
				spans = append(spans, shifted(r.content(content, ""), i+1)...)
				at.name = string(content)
			} else {
				spans = append(spans, shifted(r.content(content, at.meant()), i+1)...)
				spans = append(spans, shifted(r.afterOption(at.texts, content), i+1)...)
				at.read(content, i+1)
			}
			i = end
		}
	}
	return merged(spans)
}

// place is where in a document a value stands: the name of its member; of a list, that of
// the list's.
type place struct {
	name string
	pair string // what the member "name" or "key" of the same object says: the name of its "value"

	list  bool
	texts texts // the strings of a list
}

// meant is the name that the value has for people.
func (p *place) meant() string {
	if p.pair != "" && strings.EqualFold(p.name, "value") {
		return p.pair
	}
	return p.name
}

// read takes note of a value that begins at offset.
func (p *place) read(value []byte, offset int) {
	if p.list {
		p.texts = append(p.texts, text{value, offset})
		return
	}
	if strings.EqualFold(p.name, "name") || strings.EqualFold(p.name, "key") {
		p.pair = string(value)
	}
}

// stringEnd is the quote that ends the string whose content begins at i.
func stringEnd(b []byte, i int) int {
	for {
		n := i + bytes.IndexAny(b[i:], `"\`)
		if b[n] == '"' {
			return n
		}
		i = n + 2
	}
}

// named says whether what precedes rest is the name of a member.
func named(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

// content finds what is in a string of JSON, the value of the member of that name.
func (r *Redactor) content(content []byte, name string) []span {
	v := view{text: content}
	if bytes.IndexByte(content, '\\') >= 0 {
		v, _ = viewed(content)
	}
	if strings.HasSuffix(name, "_b64") {
		if spans, ok := r.encoded(v.text); ok {
			return resized(spans, len(content))
		}
	}
	spans := r.scan(v.text, 1, isID(name))
	if more := r.assigned(name, v.text); len(more) > 0 {
		spans = merged(append(spans, more...))
	}
	if v.at != nil {
		spans = v.back(spans)
	}
	return spans
}

// encoded finds what is in a value in base64, which stays one: the names of paths that are
// no UTF-8. false: it is none.
func (r *Redactor) encoded(value []byte) ([]span, bool) {
	meaning, err := base64.StdEncoding.DecodeString(string(value))
	if err != nil {
		return nil, false
	}
	out, spans := r.fix(meaning, func(text []byte) []span { return r.scan(text, 1, false) })
	if len(spans) == 0 {
		return nil, true
	}
	return []span{{rule: spans[0].rule, instead: base64.StdEncoding.EncodeToString(out)}}, true
}

// resized has the one span of a value, if there is one, span all of its spelling.
func resized(spans []span, size int) []span {
	for i := range spans {
		spans[i].end = size
	}
	return spans
}

// assigned finds what is a secret by the name that its value has: as the rules would in
// `"name": "value"`.
func (r *Redactor) assigned(name string, value []byte) []span {
	if name == "" || len(value) == 0 || len(value) > 4<<10 || bytes.IndexByte(value, '\n') >= 0 {
		return nil
	}
	hits := r.words.hits([]byte(name))
	if len(hits) == 0 {
		return nil
	}
	before := `"` + name + `": "`
	line := slices.Concat([]byte(before), value, []byte{'"'})
	if !slices.ContainsFunc(hits, func(h hit) bool { return r.rules[h.rule].may(line, h.end+1) }) {
		return nil
	}
	var spans []span
	for _, s := range r.block(line, false) {
		s.start, s.end = max(s.start-len(before), 0), min(s.end-len(before), len(value))
		if s.start < s.end {
			spans = append(spans, s)
		}
	}
	return spans
}

// isID says whether a member of that name holds what ties things together, or a digest:
// such are drawn by lot and are no secrets for it.
func isID(name string) bool {
	name = strings.TrimSuffix(name, "s")
	for _, suffix := range [...]string{"id", "uuid", "ref", "commit", "tree", "head", "hash", "digest", "sha", "sha256", "sha512", "checksum", "integrity", "fingerprint", "signature", "cursor", "etag", "b64", "call", "thread"} {
		if at := len(name) - len(suffix); at >= 0 && strings.EqualFold(name[at:], suffix) {
			if at == 0 || name[at-1] == '_' || name[at-1] == '-' || name[at] == suffix[0]-'a'+'A' {
				return true
			}
		}
	}
	return false
}
