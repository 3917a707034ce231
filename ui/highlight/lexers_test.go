package highlight

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
)

// Every definition is in the table, can be read, and finds the ones that it
// names; no end or name stands in the table twice.
func TestTableAndDefinitionsAgree(t *testing.T) {
	files, err := fs.Glob(definitions, "lexers/*.xml")
	if err != nil || len(files) != len(languages()) {
		t.Errorf("%d definitions, %d languages, %v", len(files), len(languages()), err)
	}
	seen := map[string]string{}
	using := regexp.MustCompile(`<using lexer="([^"]+)"`)
	for _, l := range languages() {
		s := newShelf()
		lexer, err := s.lexer(l.file, l.needs)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := chroma.Tokenise(lexer, nil, "a (b) 'c' \"d\" 1 # e\n"); err != nil {
			t.Errorf("%s: %v", l.file, err)
		}
		data, err := definitions.ReadFile(path.Join("lexers", l.file+".xml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range using.FindAllSubmatch(data, -1) {
			if s.registry.Get(string(m[1])) == nil {
				t.Errorf("%s names %s, which it does not bring along", l.file, m[1])
			}
		}
		for _, w := range strings.Fields(l.ends + " " + l.names) {
			if other, ok := seen[w]; ok && other != l.file {
				t.Errorf("%q is %s and %s", w, other, l.file)
			}
			if w != strings.ToLower(w) {
				t.Errorf("%q of %s is not in lower case", w, l.file)
			}
			seen[w] = l.file
		}
	}
}

func TestNamed(t *testing.T) {
	for _, c := range []struct{ name, first, want string }{
		{"a/b.go", "", "go"}, {"A.GO", "", "go"}, {"x.tar.gz", "", ""}, {"a.blade.php", "", "php"}, {".bashrc", "", "bash"},
		{"Dockerfile", "", "docker"}, {"Dockerfile.prod", "", "docker"}, {"Makefile.am", "", "makefile"}, {"go.mod", "", ""}, {"Gemfile", "", "ruby"},
		{"tool", "#!/bin/sh", "bash"}, {"tool", "#!/usr/bin/env python3", "python"}, {"tool", "#!/usr/bin/env -S node --a", "javascript"},
		{"tool", "#! /usr/bin/perl -w", "perl"}, {"tool", "#!/usr/bin/env A=b ruby", "ruby"}, {"tool", "#!", ""}, {"tool", "#!/bin/unknown", ""},
		{"tool", "#!" + strings.Repeat("x", 300), ""}, {"tool", "/bin/sh", ""}, {"a.txt", "#!/bin/sh", "bash"}, {"", "", ""}, {".", "", ""},
	} {
		if l, ok := named(c.name, []byte(c.first)); l.file != c.want || ok != (c.want != "") {
			t.Errorf("%q %q: %q, want %q", c.name, c.first, l.file, c.want)
		}
	}
}
