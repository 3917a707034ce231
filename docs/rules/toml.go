package main

import (
	"fmt"
	"strconv"
	"strings"
)

// table is one table of a TOML file: its name as in the header, and its values,
// each a string, a number or a list of strings.
type table struct {
	name   string
	values map[string]any
}

// parse reads the part of TOML that the file of rules is written in: headers,
// strings in ' ”' or ", numbers, lists of strings over several lines, comments.
// Anything else is an error: a new version of the file must not be half read.
func parse(text string) ([]table, error) {
	p := &parser{text: text, line: 1}
	tables := []table{{values: map[string]any{}}}
	for p.skip(); p.text != ""; p.skip() {
		if p.text[0] == '[' {
			header, rest, _ := strings.Cut(p.text, "\n")
			tables = append(tables, table{strings.Trim(header, "[] "), map[string]any{}})
			p.text, p.line = rest, p.line+1
			continue
		}
		name, rest, ok := strings.Cut(p.text, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.ContainsAny(name, " \n\"'") {
			return nil, fmt.Errorf("line %d: no name and value", p.line)
		}
		p.text = rest
		value, err := p.value()
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", p.line, err)
		}
		tables[len(tables)-1].values[name] = value
	}
	return tables, nil
}

type parser struct {
	text string
	line int
}

// skip passes white space and comments.
func (p *parser) skip() {
	for p.text != "" {
		switch p.text[0] {
		case '\n':
			p.line++
			p.text = p.text[1:]
		case ' ', '\t', '\r':
			p.text = p.text[1:]
		case '#':
			_, rest, _ := strings.Cut(p.text, "\n")
			p.text, p.line = rest, p.line+1
		default:
			return
		}
	}
}

func (p *parser) value() (any, error) {
	p.skip()
	switch {
	case p.text == "":
		return nil, fmt.Errorf("the file ends where a value is due")
	case p.text[0] == '[':
		return p.list()
	case p.text[0] == '\'' || p.text[0] == '"':
		return p.str()
	}
	end := strings.IndexAny(p.text, " \t\r\n,]#")
	if end < 0 {
		end = len(p.text)
	}
	n, err := strconv.ParseFloat(p.text[:end], 64)
	p.text = p.text[end:]
	return n, err
}

func (p *parser) list() ([]string, error) {
	list := []string{}
	for p.text = p.text[1:]; ; {
		p.skip()
		switch {
		case p.text == "":
			return nil, fmt.Errorf("a list has no end")
		case p.text[0] == ']':
			p.text = p.text[1:]
			return list, nil
		case p.text[0] == ',':
			p.text = p.text[1:]
			continue
		}
		s, err := p.str()
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
}

func (p *parser) str() (string, error) {
	for _, quote := range []string{"'''", "'", `"`} {
		rest, ok := strings.CutPrefix(p.text, quote)
		if !ok {
			continue
		}
		s, rest, ok := strings.Cut(rest, quote)
		if !ok || quote == `"` && strings.Contains(s, `\`) {
			break
		}
		p.text, p.line = rest, p.line+strings.Count(s, "\n")
		return s, nil
	}
	return "", fmt.Errorf("no string of a kind that is known")
}
