package ignore

import (
	"bytes"
	"strings"
)

// maxRules is the longest file of rules that is read here, in bytes; longer ones
// are git's.
const maxRules = 1 << 18

// Rules is what one file of rules says, for the names below one folder.
type Rules struct {
	base string // of the folder, with a slash behind; "" is the root
	list []rule
}

type rule struct {
	text    string // without the marks around it
	keep    bool   // "!": what it names is not ignored
	folders bool   // names folders alone
	path    bool   // held against the path below base, not against the last name
	deep    bool   // "**/" stood before it: against that path from any folder on
	wild    bool
}

// Parse reads a file of rules for what lies below dir, a slash path from the root
// ("" for the root). plain is false where a rule is not one that is understood here
// to the letter.
func Parse(dir string, data []byte) (r Rules, plain bool) {
	if len(data) > maxRules {
		return r, false
	}
	if dir != "" {
		r.base = dir + "/"
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		text := strings.TrimSuffix(string(line), "\r")
		if text == "" || text[0] == '#' {
			continue
		}
		one, ok := parseRule(text)
		if !ok {
			return r, false
		}
		r.list = append(r.list, one)
	}
	return r, true
}

func parseRule(text string) (r rule, plain bool) {
	if strings.ContainsAny(text, "\\\x00\r") || text[len(text)-1] == ' ' || text[len(text)-1] == '\t' {
		return r, false
	}
	text, r.keep = strings.CutPrefix(text, "!")
	text, r.folders = strings.CutSuffix(text, "/")
	if text == "" || text[0] == '!' || text[len(text)-1] == '/' {
		return r, false
	}
	r.path = strings.Contains(text, "/")
	text = strings.TrimPrefix(text, "/")
	text, r.deep = strings.CutPrefix(text, "**/")
	if text == "" || text[0] == '/' || strings.Contains(text, "**") || !plainSets(text) {
		return r, false
	}
	r.wild = strings.ContainsAny(text, "*?[")
	r.text = text
	return r, true
}

// plainSets tells whether every "[" begins a set of ASCII letters and digits, alone or
// as ranges that rise, with "!" or "^" before them or not: "[oc]", "[0-9a-f]", "[!x]".
func plainSets(text string) bool {
	for {
		_, set, found := strings.Cut(text, "[")
		if !found {
			return true
		}
		set, text, found = strings.Cut(set, "]")
		if set = strings.TrimLeft(set[:min(1, len(set))], "!^") + set[min(1, len(set)):]; !found || set == "" {
			return false
		}
		for i := 0; i < len(set); i++ {
			if !isPlain(set[i]) {
				return false
			}
			if i+1 < len(set) && set[i+1] == '-' {
				if i += 2; i == len(set) || !isPlain(set[i]) || set[i] < set[i-2] {
					return false
				}
			}
		}
	}
}

func isPlain(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// last is the verdict of the last rule of the list that names path.
func (r *Rules) last(path string, isDir bool) (ignored, found bool) {
	below, ok := strings.CutPrefix(path, r.base)
	if !ok {
		return false, false
	}
	name := below[strings.LastIndexByte(below, '/')+1:]
	for i := len(r.list) - 1; i >= 0; i-- {
		if r.list[i].names(below, name, isDir) {
			return !r.list[i].keep, true
		}
	}
	return false, false
}

func (r *rule) names(below, name string, isDir bool) bool {
	if r.folders && !isDir {
		return false
	}
	what := name
	if r.path {
		what = below
	}
	for {
		if !r.wild && r.text == what || r.wild && match(r.text, what) {
			return true
		}
		cut := strings.IndexByte(what, '/')
		if !r.deep || cut < 0 {
			return false
		}
		what = what[cut+1:]
	}
}

// match holds a name against a pattern of "*" (any bytes but a slash), "?" (one byte
// that is no slash) and plain sets (one of their bytes, or one of the others, but no
// slash).
func match(pattern, name string) bool {
	retry, from := -1, 0 // the last "*", and where its rest was tried
	p, n := 0, 0
	for n < len(name) {
		length, ok := 0, false
		if p < len(pattern) {
			length, ok = takes(pattern[p:], name[n])
		}
		switch {
		case p < len(pattern) && pattern[p] == '*':
			retry, from = p, n
			p++
		case ok:
			p += length
			n++
		case retry >= 0 && name[from] != '/':
			from++
			p, n = retry+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// takes tells whether what a pattern begins with names the byte c, and how long it is.
func takes(pattern string, c byte) (length int, ok bool) {
	switch pattern[0] {
	case '?':
		return 1, c != '/'
	case '[':
		set := pattern[1:strings.IndexByte(pattern, ']')]
		return len(set) + 2, c != '/' && inSet(set, c)
	}
	return 1, pattern[0] == c
}

func inSet(set string, c byte) bool {
	others := set[0] == '!' || set[0] == '^'
	if others {
		set = set[1:]
	}
	for i := 0; i < len(set); i++ {
		first, last := set[i], set[i]
		if i+2 < len(set) && set[i+1] == '-' {
			i += 2
			last = set[i]
		}
		if first <= c && c <= last {
			return !others
		}
	}
	return others
}
