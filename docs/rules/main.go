// Command rules turns gitleaks' file of rules into the data that package redact
// embeds: what needs the path of a file is left out, a rule is one line.
//
//	go run ./docs/rules MODULE@VERSION gitleaks.toml
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
)

type rule struct {
	ID       string      `json:"id"`
	Regexp   string      `json:"regexp"`
	Group    int         `json:"group,omitempty"`
	Entropy  float64     `json:"entropy,omitempty"`
	Keywords []string    `json:"keywords"`
	Allow    []allowance `json:"allow,omitempty"`
}

type allowance struct {
	Target    string   `json:"target,omitempty"`
	Regexps   []string `json:"regexps,omitempty"`
	Stopwords []string `json:"stopwords,omitempty"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: rules MODULE@VERSION gitleaks.toml")
		os.Exit(2)
	}
	data, err := os.ReadFile(os.Args[2])
	if err == nil {
		data, err = convert(os.Args[1], string(data))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rules:", err)
		os.Exit(1)
	}
	_, _ = os.Stdout.Write(data)
}

func convert(source, text string) ([]byte, error) {
	tables, err := parse(text)
	if err != nil {
		return nil, err
	}
	var global []allowance
	var rules []*rule
	for _, t := range tables {
		switch t.name {
		case "":
		case "allowlist":
			global = append(global, allowanceOf(t))
		case "rules":
			rules = append(rules, ruleOf(t))
		case "rules.allowlists":
			last := rules[len(rules)-1]
			if _, needsPath := t.values["paths"]; !needsPath {
				last.Allow = append(last.Allow, allowanceOf(t))
			}
		default:
			return nil, fmt.Errorf("there is a table %q, which this program does not know", t.name)
		}
	}
	return write(source, global, rules)
}

func ruleOf(t table) *rule {
	r := &rule{ID: text(t, "id"), Regexp: text(t, "regex"), Keywords: list(t, "keywords")}
	r.Entropy, _ = t.values["entropy"].(float64)
	group, _ := t.values["secretGroup"].(float64)
	r.Group = int(group)
	return r
}

// allowanceOf leaves out the paths: what is redacted has none.
func allowanceOf(t table) allowance {
	return allowance{Target: text(t, "regexTarget"), Regexps: list(t, "regexes"), Stopwords: list(t, "stopwords")}
}

func text(t table, name string) string {
	s, _ := t.values[name].(string)
	return s
}

func list(t table, name string) []string {
	l, _ := t.values[name].([]string)
	return l
}

// write puts a rule on a line, so that a new version is read as a diff.
func write(source string, global []allowance, rules []*rule) ([]byte, error) {
	var out bytes.Buffer
	allow, err := line(global)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&out, "{\"source\":%q,\n\"allow\":%s,\n\"rules\":[", source, allow)
	separator := "\n"
	for _, r := range rules {
		if r.Regexp == "" {
			continue // it looks at names of files alone
		}
		if _, err := regexp.Compile(r.Regexp); err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.ID, err)
		}
		if len(r.Keywords) == 0 {
			return nil, fmt.Errorf("rule %s has no keyword: it would be tried on every line", r.ID)
		}
		data, err := line(r)
		if err != nil {
			return nil, err
		}
		out.WriteString(separator + data)
		separator = ",\n"
	}
	out.WriteString("\n]}\n")
	return out.Bytes(), nil
}

func line(v any) (string, error) {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(out.String(), "\n"), err
}
