package redact

import (
	"bytes"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// spelling writes a text that an expression matches, drawn by lot.
type spelling struct {
	random *rand.Rand
	out    []byte
}

func (s *spelling) write(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		s.out = append(s.out, string(re.Rune)...)
	case syntax.OpCharClass:
		s.class(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		s.out = append(s.out, "abcdefg.hij"[s.random.IntN(11)])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			s.write(sub)
		}
	case syntax.OpAlternate:
		s.write(re.Sub[s.random.IntN(len(re.Sub))])
	case syntax.OpStar:
		s.repeat(re, 0, 2)
	case syntax.OpPlus:
		s.repeat(re, 1, 40)
	case syntax.OpQuest:
		s.repeat(re, 0, 1)
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 || most > re.Min+20 {
			most = re.Min + 20
		}
		s.repeat(re, re.Min, most)
	}
}

func (s *spelling) repeat(re *syntax.Regexp, least, most int) {
	for range least + s.random.IntN(most-least+1) {
		s.write(re.Sub[0])
	}
}

// class draws among the letters of a class that can be seen, no line end.
func (s *spelling) class(ranges []rune) {
	var letters []rune
	for c := rune(' '); c < 127; c++ {
		for i := 0; i < len(ranges); i += 2 {
			if ranges[i] <= c && c <= ranges[i+1] {
				letters = append(letters, c)
			}
		}
	}
	if len(letters) == 0 {
		letters = []rune{'\n'}
	}
	s.out = append(s.out, string(letters[s.random.IntN(len(letters))])...)
}

// TestEveryRuleFinds has each rule find texts that were made of its own expression, in
// the middle of a line among others, as text and as a string of JSON in a string of JSON:
// what lies before the expression (keywords, the shape of an assignment, windows,
// escapes) leaves out nothing that the expression matches.
func TestEveryRuleFinds(t *testing.T) {
	r := newRedactor(t, Options{})
	random := rand.New(rand.NewPCG(1, 2))
	for _, rule := range r.rules {
		parsed, err := syntax.Parse(rule.compiled().String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		for range 400 {
			s := spelling{random: random}
			s.write(parsed)
			line := strings.ReplaceAll(string(s.out), "\n", " ")
			if rule.block {
				line = string(s.out)
			}
			if !contains([]byte(line), lowered(rule.keywords)) {
				line = strings.ToUpper(rule.keywords[0]) + " " + line
			}
			m := rule.compiled().FindStringSubmatchIndex(line)
			if m == nil {
				continue // a border of words, or the line ends that were taken out
			}
			start, end := rule.secret(m)
			if end-start < 4 || !contains([]byte(line), lowered(rule.keywords)) || strings.HasSuffix(line[start:end], `\`) || !r.counts(rule, []byte(line[start:end]), []byte(line[m[0]:m[1]]), []byte(line)) {
				continue
			}
			tried++
			mustGo(t, r, rule.name, line, line[start:end])
			if tried == 5 {
				break
			}
		}
		if tried == 0 {
			t.Errorf("rule %s: no text could be made for it", rule.name)
		}
	}
}

func mustGo(t *testing.T, r *Redactor, name, line, secret string) {
	t.Helper()
	before := "a line of words before\n"
	out, _ := r.Text([]byte(before + line + "\nand one behind\n"))
	if !strings.HasPrefix(string(out), before) || !strings.HasSuffix(string(out), "\nand one behind\n") {
		t.Errorf("rule %s changed the lines around %q: %q", name, line, out)
	}
	if strings.Contains(string(out), secret) {
		t.Errorf("rule %s: %q stays in %q", name, secret, out)
	}
	nested := quote(t, map[string]any{"content": string(quote(t, map[string]any{"text": before + line + "\n"}))})
	if out, _ := r.JSON(nested); bytes.Contains(out, quoted(t, secret)) {
		t.Errorf("rule %s: %q stays in the JSON %q", name, secret, out)
	}
}

// TestRulesCompile compiles what is compiled only when it is needed.
func TestRulesCompile(t *testing.T) {
	r := newRedactor(t, Options{})
	if len(r.rules) < 220 {
		t.Errorf("there are %d rules only", len(r.rules))
	}
	for _, rule := range r.rules {
		rule.compiled()
		for _, a := range rule.allow {
			for _, re := range a.regexps {
				re()
			}
		}
	}
}

// TestAutomatonFindsWhatContainsFinds holds the one pass against one search a keyword.
func TestAutomatonFindsWhatContainsFinds(t *testing.T) {
	r := newRedactor(t, Options{})
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var text []byte
		for range 40 {
			words := r.rules[random.IntN(r.keyed)].keywords
			word := words[random.IntN(len(words))]
			text = append(text, word[random.IntN(len(word)):]...)
			if random.IntN(2) == 0 {
				text = append(text, strings.ToUpper(word)...)
			}
		}
		found := map[int]bool{}
		for _, h := range r.words.hits(text) {
			found[h.rule] = true
			if !contains(text[:h.end], r.rules[h.rule].keywords) {
				t.Fatalf("rule %s has no keyword before %d in %q", r.rules[h.rule].name, h.end, text)
			}
		}
		for i, rule := range r.rules[:r.keyed] {
			if contains(text, lowered(rule.keywords)) != found[i] {
				t.Fatalf("rule %s: %v in %q", rule.name, found[i], text)
			}
		}
	}
}

func lowered(words []string) []string {
	var list []string
	for _, word := range words {
		list = append(list, strings.ToLower(word))
	}
	return list
}
