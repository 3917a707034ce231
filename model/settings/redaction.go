package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Redaction is what the user adds to the rules by which secrets are taken out of records
// that leave the machine. Every layer adds patterns, and none takes another's away; only
// the user's own file says what is no secret.
type Redaction struct {
	Patterns []Pattern
	Allow    []string // regular expressions
}

// Pattern is a regular expression and the name of what it finds. Whether it is one, the
// redactor says: hooks, which read settings too, have no use for it.
type Pattern struct{ Name, Regexp string }

// redaction is Redaction with the origin of each part.
type redaction struct {
	patterns setting[[]Pattern]
	allow    setting[[]string]
}

func (r *redaction) merge(w wire, layer source) error {
	if w.Redaction == nil {
		return nil
	}
	if w.Redaction.Patterns != nil {
		list := slices.Clone(r.patterns.value)
		for _, name := range slices.Sorted(maps.Keys(w.Redaction.Patterns)) {
			p := Pattern{name, w.Redaction.Patterns[name]}
			if p.Name == "" || p.Regexp == "" {
				return fmt.Errorf("redaction.patterns: a pattern is a name and a regular expression")
			}
			if !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
		r.patterns = setting[[]Pattern]{list, layer}
	}
	if w.Redaction.Allow != nil && layer.origin == OriginUser {
		r.allow = setting[[]string]{w.Redaction.Allow, layer}
	}
	return nil
}

func (r *redaction) settings() Redaction { return Redaction{r.patterns.value, r.allow.value} }

func (r *redaction) values() []Value {
	var patterns []string
	for _, p := range r.patterns.value {
		patterns = append(patterns, p.Name+"="+p.Regexp)
	}
	return []Value{
		{"redaction.allow", strings.Join(r.allow.value, " "), r.allow.from.origin, r.allow.from.where},
		{"redaction.patterns", strings.Join(patterns, " "), r.patterns.from.origin, r.patterns.from.where},
	}
}

// encodeAllow makes the list of one expression.
func encodeAllow(s string) (any, error) {
	if s == "" {
		return nil, fmt.Errorf("the value is empty: unset takes a setting away")
	}
	return []string{s}, nil
}

// encodePattern makes the block of one pattern.
func encodePattern(s string) (any, error) {
	name, expr, ok := strings.Cut(s, "=")
	if !ok || name == "" || expr == "" {
		return nil, fmt.Errorf("%q is not NAME=REGEXP", s)
	}
	return map[string]string{name: expr}, nil
}
