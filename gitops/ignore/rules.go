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
	if strings.ContainsAny(text, "[\\\x00\r") || strings.Contains(text, "**") || text[len(text)-1] == ' ' || text[len(text)-1] == '\t' {
		return r, false
	}
	text, r.keep = strings.CutPrefix(text, "!")
	text, r.folders = strings.CutSuffix(text, "/")
	if text == "" || text[0] == '!' || text[len(text)-1] == '/' {
		return r, false
	}
	r.path = strings.Contains(text, "/")
	text = strings.TrimPrefix(text, "/")
	if text == "" || text[0] == '/' {
		return r, false
	}
	r.wild = strings.ContainsAny(text, "*?")
	r.text = text
	return r, true
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
	if r.wild {
		return match(r.text, what)
	}
	return r.text == what
}

// match holds a name against a pattern of "*" (any bytes but a slash) and "?" (one
// byte that is no slash).
func match(pattern, name string) bool {
	retry, from := -1, 0 // the last "*", and where its rest was tried
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			retry, from = p, n
			p++
		case p < len(pattern) && (pattern[p] == name[n] || pattern[p] == '?' && name[n] != '/'):
			p++
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
