package redact

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// hiding wraps a text as transcripts do, one way a step.
type hiding struct {
	random *rand.Rand
	t      *testing.T
}

// inside puts text into a string of JSON, some of its letters as escapes.
func (h *hiding) inside(text string) string {
	var out strings.Builder
	for _, c := range string(quoted(h.t, text)) {
		if c < 127 && c != '\\' && h.random.IntN(12) == 0 && !strings.HasSuffix(out.String(), `\`) && !inEscape(out.String()) {
			fmt.Fprintf(&out, `\u%04x`, c)
			continue
		}
		out.WriteRune(c)
	}
	names := []string{"content", "text", "output", "tool_use_id", "x"}
	value := `"` + out.String() + `"`
	if !json.Valid([]byte(value)) {
		value = string(quote(h.t, text))
	}
	switch h.random.IntN(3) {
	case 0:
		return `["before",` + value + `]`
	case 1:
		return `{"type":"y","` + names[h.random.IntN(len(names))] + `":` + value + `,"n":12}`
	}
	return `{"a":[{"b":` + value + `}]}`
}

// inEscape says whether text ends within \uXXXX.
func inEscape(text string) bool {
	at := strings.LastIndex(text, `\u`)
	return at >= 0 && len(text)-at < 6
}

func (h *hiding) wrap(text string) string {
	switch h.random.IntN(7) {
	case 0, 1, 2:
		return h.inside(text)
	case 3:
		return "words before\n" + text + "\nwords behind\n"
	case 4:
		return "    12\t" + strings.ReplaceAll(text, "\n", "\n    13\t")
	case 5:
		return "+" + strings.ReplaceAll(text, "\n", "\r\n+")
	}
	return fmt.Sprintf("$ echo %q\n", text)
}

// meanings is a text as it is spelt, and as its escapes mean it, to any depth.
func meanings(text string) string {
	all := text
	for range depth + 2 {
		v, ok := viewed([]byte(text))
		if !ok {
			return all
		}
		text = string(v.text)
		all += "\n" + text
	}
	return all
}

// TestNothingHides: a secret goes, in whatever is put around it, up to the depth that is
// looked into, and the JSON around it stays JSON.
func TestNothingHides(t *testing.T) {
	r := newRedactor(t, Options{})
	for seed := range uint64(400) {
		h := &hiding{rand.New(rand.NewPCG(seed, 9)), t}
		for rule, secret := range secrets() {
			if rule == "entropy" {
				continue // stays where an id stands
			}
			text, steps := lineWith(rule, secret), 1+h.random.IntN(depth)
			for range steps {
				text = h.wrap(text)
			}
			out, _ := r.JSON([]byte(text))
			if strings.Contains(meanings(string(out)), secret) {
				t.Fatalf("seed %d: %s is in\n%s\nmade of\n%s", seed, rule, out, text)
			}
			if json.Valid([]byte(text)) && !json.Valid(out) {
				t.Fatalf("seed %d: %s is no JSON, made of %s", seed, out, text)
			}
		}
	}
}
