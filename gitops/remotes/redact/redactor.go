package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"

	"overturn/model"
)

// version changes with every change of what is found, so that results that were kept
// are not taken for those of now.
const version = "3"

// Pattern is a rule of the user's own: what Regexp (RE2) finds in a line is taken out,
// its first group that took part where it has one. Name is what stands in its place.
type Pattern struct {
	Name   string `json:"name"`
	Regexp string `json:"regexp"`
}

// Options are what the user adds to the built-in rules.
type Options struct {
	Patterns []Pattern // taken out beside what the rules find
	Allow    []string  // RE2: a find that one of them matches from end to end stays, a pattern's too
}

// Finding is one place that was taken out. It never holds what stood there.
type Finding struct {
	Rule  string // the name in the replacement
	Line  int    // 1-based, of the input
	Start int    // bytes of the input, half open
	End   int
}

// Redactor takes secrets out. It is safe for several goroutines.
type Redactor struct {
	rules       []*rule // those with keywords first, the user's behind them
	keyed       int     // how many have keywords
	words       *automaton
	allow       []*regexp.Regexp // from end to end
	global      []*regexp.Regexp // placeholders of the rule set, from end to end
	stopwords   []string
	names       map[string]bool // of all rules: what stands in a marker
	fingerprint string
}

// New makes a Redactor, in about a millisecond: rules are compiled when they are first
// needed. A pattern that does not compile, or whose name is not letters, digits, '-',
// '_' and '.', is wrong use (CodeUsage).
func New(o Options) (*Redactor, error) {
	set, err := readRules()
	if err != nil {
		return nil, err
	}
	r := &Redactor{rules: append(set.rules(), ownRules()...), names: map[string]bool{}}
	r.keyed = len(r.rules)
	r.words = newAutomaton(r.rules)
	if err := r.take(o); err != nil {
		return nil, err
	}
	for _, a := range set.Allow {
		r.stopwords = append(r.stopwords, a.Stopwords...)
		for _, expr := range a.Regexps {
			r.global = append(r.global, whole(expr))
		}
	}
	for _, rule := range r.rules {
		r.names[rule.name] = true
	}
	for _, name := range []string{ruleKey, ruleEntropy, ruleBlob, ruleText} {
		r.names[name] = true
	}
	r.fingerprint = fingerprintOf(o)
	return r, nil
}

// take adds what is the user's.
func (r *Redactor) take(o Options) error {
	for _, p := range o.Patterns {
		if p.Name == "" || strings.Trim(p.Name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != "" {
			return model.Usagef("%q cannot name a pattern of redaction", p.Name).WithHint("use letters, digits, '-', '_' and '.'")
		}
		compiled, err := regexp.Compile(p.Regexp)
		if err != nil {
			return broken("pattern "+p.Name, err)
		}
		r.rules = append(r.rules, &rule{name: p.Name, rank: rankOwn, compiled: func() *regexp.Regexp { return compiled }})
	}
	for _, expr := range o.Allow {
		if _, err := regexp.Compile(expr); err != nil {
			return broken("exception "+expr, err)
		}
		r.allow = append(r.allow, whole(expr))
	}
	return nil
}

func broken(what string, err error) error {
	e := model.Usagef("the %s of redaction is no regular expression", what)
	e.Err = err
	return e.WithHint("`overturn config edit` opens the settings; the syntax is RE2's")
}

// whole matches what expr matches from end to end.
func whole(expr string) *regexp.Regexp { return regexp.MustCompile(`\A(?:` + expr + `)\z`) }

func fingerprintOf(o Options) string {
	sum := sha256.New()
	_ = json.NewEncoder(sum).Encode([]any{version, rulesJSON, o})
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// Fingerprint names the rules, the user's patterns and the version of the
// algorithm: with the same one the same input gives the same output.
func (r *Redactor) Fingerprint() string { return r.fingerprint }

// Text takes secrets out of text. Nothing found: out is b itself.
func (r *Redactor) Text(b []byte) (out []byte, findings []Finding) {
	out, spans := r.fix(b, func(text []byte) []span { return r.scan(text, 0, false) })
	return out, located(b, spans)
}
