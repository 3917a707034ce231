package redact

import (
	_ "embed" // the rules are data
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"overturn/model"
)

//go:embed rules.json
var rulesJSON string

// The names of what is found without a regular expression.
const (
	ruleKey     = "private-key"
	ruleEntropy = "entropy"
	ruleBlob    = "blob" // a long run of encoded bytes, an image say: nobody can look into it
	ruleText    = "text" // a text whose redaction comes to no end
	ruleGeneric = "generic-api-key"
)

// Of two rules that find the same place, the one of the lower rank names it.
const (
	rankOwn = iota
	rankNamed
	rankGeneric
	rankEntropy
)

// rule is one regular expression with its conditions.
type rule struct {
	name     string
	rank     int
	keywords []string // in lower case: no match without one of them
	needs    []string // in lower case: nor without all of these, nearby
	compiled func() *regexp.Regexp
	group    int                             // that holds the secret; 0: the first that took part, else all
	entropy  float64                         // bits a byte that a secret exceeds; 0: any
	digit    bool                            // a secret has a digit
	likely   func(line []byte, end int) bool // cheap: whether there can be a match at the keyword that ends there; nil: yes
	block    bool                            // may span lines
	allow    []allowance
}

// ruleSet is rules.json.
type ruleSet struct {
	Allow []allowanceData `json:"allow"`
	Rules []ruleData      `json:"rules"`
}

type ruleData struct {
	ID       string          `json:"id"`
	Regexp   string          `json:"regexp"`
	Group    int             `json:"group"`
	Entropy  float64         `json:"entropy"`
	Keywords []string        `json:"keywords"`
	Allow    []allowanceData `json:"allow"`
}

type allowanceData struct {
	Target    string   `json:"target"` // match, line; "": the secret
	Regexps   []string `json:"regexps"`
	Stopwords []string `json:"stopwords"`
}

func readRules() (*ruleSet, error) {
	var set ruleSet
	if err := json.Unmarshal([]byte(rulesJSON), &set); err != nil {
		return nil, model.Failf(err, "the rules of redaction are damaged").WithHint("install overturn again")
	}
	return &set, nil
}

// assignment is how the rule set spells "a name, then a value"; rules of that shape
// need not be tried where no value follows the keyword.
const assignment = `[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`

// rules makes rules of the data. Private keys are found without a regular expression,
// cut off ones too; Terraform's passwords are known by the names of files, which there
// are none of here, and by rules of ours.
func (s *ruleSet) rules() []*rule {
	var list []*rule
	for _, d := range s.Rules {
		if d.ID == ruleKey || d.ID == "hashicorp-tf-password" {
			continue
		}
		r := &rule{name: d.ID, rank: rankNamed, keywords: d.Keywords, group: d.Group, entropy: d.Entropy, compiled: once(d.Regexp)}
		if namesOnly(d) || d.ID == ruleGeneric {
			r.likely = assigns
		}
		r.block = strings.Contains(d.Regexp, `[\r\n]`) || strings.Contains(d.Regexp, `(?s:`)
		if d.ID == ruleGeneric {
			r.rank, r.digit = rankGeneric, true
		}
		if d.ID == "kubernetes-secret-yaml" {
			r.needs = []string{"kind", "data"} // its keyword alone is an everyday word
		}
		if d.ID == "airtable-personnal-access-token" {
			r.keywords, r.likely = []string{"pat"}, isAirtable // the shape says enough, without the name of the service
		}
		for _, a := range d.Allow {
			r.allow = append(r.allow, newAllowance(a))
		}
		list = append(list, r)
	}
	return list
}

// namesOnly says whether the keywords of a rule are names to which it wants something
// assigned, and never a part of the secret.
func namesOnly(d ruleData) bool {
	name, _, assigns := strings.Cut(strings.ToLower(d.Regexp), assignment)
	for _, word := range d.Keywords {
		assigns = assigns && strings.Contains(name, word)
	}
	return assigns
}

// once compiles expr when it is first asked for: most of the rules are never needed.
func once(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// allowance tells what looks like a secret to a rule and is none.
type allowance struct {
	target    string
	regexps   []func() *regexp.Regexp
	stopwords []string
}

func newAllowance(d allowanceData) allowance {
	a := allowance{target: d.Target, stopwords: d.Stopwords}
	for _, expr := range d.Regexps {
		a.regexps = append(a.regexps, once(expr))
	}
	return a
}

// allows says whether a find is none.
func (a allowance) allows(secret, match, line []byte) bool {
	target := secret
	switch a.target {
	case "match":
		target = match
	case "line":
		target = line
	}
	for _, re := range a.regexps {
		if re().Match(target) {
			return true
		}
	}
	return contains(secret, a.stopwords)
}

// contains says whether one of words, in lower case, is in text in any case.
func contains(text []byte, words []string) bool {
	if len(words) == 0 {
		return false
	}
	lower := strings.ToLower(string(text))
	for _, word := range words {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}
