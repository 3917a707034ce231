package redact

import (
	"bytes"
	"cmp"
	"slices"
)

// block finds what one text holds, as it is spelt. chance: what looks drawn by lot
// counts too.
func (r *Redactor) block(text []byte, chance bool) []span {
	var spans []span
	hits := r.words.hits(text)
	spans = r.blockRules(spans, text, hits)
	spans = r.lineRules(spans, text, hits)
	if r.keyed < len(r.rules) {
		for start, line := range lines(text) {
			for _, rule := range r.rules[r.keyed:] {
				spans = r.apply(spans, rule, line, start)
			}
		}
	}
	spans = privateKeys(spans, text)
	spans = r.chances(spans, text, chance)
	return merged(spans)
}

// lineRules tries, on each line, the rules that have a keyword there.
func (r *Redactor) lineRules(spans []span, text []byte, hits []hit) []span {
	var try []hit
	for len(hits) > 0 {
		start, end := lineStart(text, hits[0].end-1), lineEnd(text, hits[0].end-1)
		line := text[start:end]
		try = try[:0]
		for ; len(hits) > 0 && hits[0].end <= end; hits = hits[1:] {
			rule := r.rules[hits[0].rule]
			if !rule.block && rule.may(line, hits[0].end-start) {
				try = append(try, hit{hits[0].end - start, hits[0].rule})
			}
		}
		slices.SortFunc(try, func(a, b hit) int { return cmp.Or(a.rule-b.rule, a.end-b.end) })
		for len(try) > 0 {
			n := 1
			for n < len(try) && try[n].rule == try[0].rule {
				n++
			}
			spans = r.tryRule(spans, line, start, try[:n])
			try = try[n:]
		}
	}
	return spans
}

// Of a line that is longer than longLine only what lies around its keywords is tried: a
// program on one line would cost a second a mebibyte and rule.
const (
	longLine   = 8 << 10
	lineBefore = 256 // bytes before a keyword; a name before it has 50 at most
	lineBehind = 1 << 10
)

// tryRule tries the rule of hits on the line that begins at offset.
func (r *Redactor) tryRule(spans []span, line []byte, offset int, hits []hit) []span {
	rule := r.rules[hits[0].rule]
	if len(line) <= longLine {
		return r.apply(spans, rule, line, offset)
	}
	for len(hits) > 0 {
		start, end := max(0, hits[0].end-lineBefore), min(len(line), hits[0].end+lineBehind)
		n := 1
		for ; n < len(hits) && hits[n].end-lineBefore <= end; n++ {
			end = min(len(line), hits[n].end+lineBehind)
		}
		hits = hits[n:]
		start, end = wordStart(line, start), wordEnd(line, end)
		for size := lineBehind; end < len(line) && reaches(rule, line[start:end]); size *= 2 {
			end = wordEnd(line, min(len(line), end+size))
		}
		spans = r.apply(spans, rule, line[start:end], offset+start)
	}
	return spans
}

// reaches says whether a match goes to the end of the window, and might go on.
func reaches(rule *rule, window []byte) bool {
	for _, m := range rule.compiled().FindAllIndex(window, -1) {
		if m[1] == len(window) {
			return true
		}
	}
	return false
}

// may says whether there can be a match at the keyword that ends there.
func (r *rule) may(line []byte, end int) bool { return r.likely == nil || r.likely(line, end) }

// windowSize is how far around its keyword a rule that spans lines looks, in bytes, to
// the end of the line there if that is not far; reach is how far the longest such match
// goes.
const (
	windowSize = 1 << 10
	reach      = 640
)

// blockRules tries the rules that span lines around their keywords.
func (r *Redactor) blockRules(spans []span, text []byte, hits []hit) []span {
	tried := map[int]int{} // rule → up to where its last window serves
	for _, h := range hits {
		rule := r.rules[h.rule]
		if !rule.block || h.end <= tried[h.rule] {
			continue
		}
		start := max(lineStart(text, max(0, h.end-windowSize)), h.end-longLine)
		end := min(lineEnd(text, min(len(text), h.end+windowSize)), h.end+longLine)
		start, end = wordStart(text, start), wordEnd(text, end)
		tried[h.rule] = h.end + windowSize - reach
		window := text[start:end]
		if rule.near(window) {
			spans = r.apply(spans, rule, window, start)
		}
	}
	return spans
}

// near says whether all that a rule needs is in window.
func (r *rule) near(window []byte) bool {
	for _, word := range r.needs {
		if !contains(window, []string{word}) {
			return false
		}
	}
	return true
}

// apply adds what rule finds in line, which begins at offset.
func (r *Redactor) apply(spans []span, rule *rule, line []byte, offset int) []span {
	for _, m := range rule.compiled().FindAllSubmatchIndex(line, -1) {
		start, end := rule.secret(m)
		if start < end && r.counts(rule, line[start:end], line[m[0]:m[1]], line) {
			spans = append(spans, span{start: offset + start, end: offset + end, rule: rule.name, rank: rule.rank})
		}
	}
	return spans
}

// secret is where, in a match, the secret is.
func (r *rule) secret(m []int) (start, end int) {
	if r.group > 0 {
		return m[2*r.group], m[2*r.group+1]
	}
	for g := 2; g < len(m); g += 2 {
		if m[g] >= 0 && m[g+1] > m[g] {
			return m[g], m[g+1]
		}
	}
	return m[0], m[1]
}

// counts says whether a find is one.
func (r *Redactor) counts(rule *rule, secret, match, line []byte) bool {
	if rule.entropy > 0 && entropy(secret) <= rule.entropy || rule.digit && !bytes.ContainsAny(secret, "0123456789") {
		return false
	}
	for _, re := range r.allow {
		if re.Match(secret) {
			return false
		}
	}
	if rule.rank == rankOwn {
		return true
	}
	for _, re := range r.global {
		if re.Match(secret) {
			return false
		}
	}
	for _, a := range rule.allow {
		if a.allows(secret, match, line) {
			return false
		}
	}
	return !contains(secret, r.stopwords)
}
