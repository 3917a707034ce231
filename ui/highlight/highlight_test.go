package highlight_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/highlight"
	"overturn/ui/view"
)

// text is a side of a document.
type text []string

func (t text) Lines() int        { return len(t) }
func (t text) Line(i int) []byte { return []byte(t[i]) }

func lines(s string) text { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

// document is a file of which all of the old side was removed.
func document(name string, old, now text) *view.Document {
	doc := &view.Document{File: view.File{FileChange: model.FileChange{Path: model.Path(name)}, Key: "k"}, Old: old, New: now}
	if len(old) > 0 {
		doc.Hunks = []view.Hunk{{Number: 1, Edits: []view.Edit{{OldFrom: 0, OldTo: len(old), NewFrom: 0, NewTo: len(now)}}}}
	}
	return doc
}

// colour carries a job out to its end.
func colour(t testing.TB, h *highlight.Highlighter, doc *view.Document) view.Colours {
	t.Helper()
	j, c := h.Begin(doc)
	if j == nil {
		return c
	}
	c, more, err := j.Step(context.Background())
	if err != nil || more {
		t.Fatalf("%s: more %v, %v", doc.File.Path, more, err)
	}
	return c
}

// role is what the first appearance of word in line i is painted as.
func role(t testing.TB, c view.Coloured, l text, i int, word string) themes.Role {
	t.Helper()
	at := strings.Index(l[i], word)
	if at < 0 {
		t.Fatalf("no %q in line %d: %q", word, i, l[i])
	}
	for _, r := range c.Line(i) {
		if int(r.From) <= at && at+len(word) <= int(r.To) {
			return themes.Role(r.Role)
		}
	}
	return themes.Text
}

// sound holds the runs against the text: ascending, within their lines, a line of
// runs for each line.
func sound(t testing.TB, c view.Coloured, l text) {
	t.Helper()
	if len(c.Ends) > len(l) {
		t.Errorf("%d lines are coloured of %d", len(c.Ends), len(l))
	}
	for i := range c.Ends {
		at := uint32(0)
		for _, r := range c.Line(i) {
			if r.From < at || r.From >= r.To || int(r.To) > len(l[i]) {
				t.Errorf("line %d of %d bytes: run %v after %d", i, len(l[i]), r, at)
			}
			at = r.To
		}
	}
}

func TestLanguages(t *testing.T) {
	h := highlight.New()
	for _, c := range []struct {
		name, text string
		line       int
		word       string
		want       themes.Role
	}{
		{"a.go", "package a\n\nfunc F(n int) error {\n\t// note\n\treturn fmt.Errorf(\"x %d\", 12)\n}\n", 0, "package", themes.Keyword},
		{"a.go", "package a\n\nfunc F(n int) error {\n\t// note\n\treturn fmt.Errorf(\"x %d\", 12)\n}\n", 2, "F", themes.Function},
		{"a.go", "package a\n\nfunc F(n int) error {\n\t// note\n\treturn fmt.Errorf(\"x %d\", 12)\n}\n", 2, "int", themes.Type},
		{"a.go", "package a\n\nfunc F(n int) error {\n\t// note\n\treturn fmt.Errorf(\"x %d\", 12)\n}\n", 3, "// note", themes.Comment},
		{"a.go", "package a\n\nfunc F(n int) error {\n\t// note\n\treturn fmt.Errorf(\"x %d\", 12)\n}\n", 4, `"x %d"`, themes.String},
		{"a.go", "package a\n\nfunc F(n int) error {\n\t// note\n\treturn fmt.Errorf(\"x %d\", 12)\n}\n", 4, "12", themes.Value},
		{"a.go", "var s = `a\nif b\nc`\nvar t = 0x1F\n", 1, "if b", themes.String},
		{"a.go", "var s = `a\nif b\nc`\nvar t = 0x1F\n", 3, "0x1F", themes.Value},
		{"a.go", "//go:build linux\n", 0, "//go:build linux", themes.Meta},
		{"a.go", "x := a.b('é', -1.5e3)\n", 0, "'é'", themes.String},
		{"a.go", "x := a.b('é', -1.5e3)\n", 0, "1.5e3", themes.Value},
		{"a.c", "/* one\n   two */\nint x = 1;\n", 1, "two", themes.Comment},
		{"a.cpp", "class A { int x; };\n", 0, "class", themes.Keyword},
		{"a.cs", "using System;\n", 0, "using", themes.Keyword},
		{"A.java", "public class A { String s = \"x\"; }\n", 0, `"x"`, themes.String},
		{"a.js", "const a = () => `t ${b}`; // c\n", 0, "// c", themes.Comment},
		{"a.ts", "interface A { b: string }\n", 0, "interface", themes.Keyword},
		{"a.tsx", "const a = 'x'; // c\n", 0, "// c", themes.Comment},
		{"a.py", "def f(a):\n    \"\"\"Doc\n    more\"\"\"\n    return None\n", 2, "more", themes.String},
		{"a.py", "def f(a):\n    \"\"\"Doc\n    more\"\"\"\n    return None\n", 0, "def", themes.Keyword},
		{"a.rb", "def f\n  puts \"x\" # c\nend\n", 1, "# c", themes.Comment},
		{"a.rs", "fn main() { let x: u32 = 1; } // c\n", 0, "fn", themes.Keyword},
		{"a.sh", "# c\nif [ -n \"$A\" ]; then echo 'x'; fi\n", 1, "if", themes.Keyword},
		{"run", "#!/usr/bin/env -S bash -e\n# c\nfi\n", 1, "# c", themes.Comment},
		{"tool", "#!/usr/bin/python3.12\nreturn 1\n", 1, "return", themes.Keyword},
		{"a.json", "{\"a\": [1, true, \"x\"]}\n", 0, `"x"`, themes.String},
		{"a.yaml", "a: 'b' # c\n", 0, "# c", themes.Comment},
		{"a.toml", "[a]\nb = \"c\" # d\n", 1, "# d", themes.Comment},
		{"a.html", "<p class=\"x\">t</p><script>\nvar a = 'b';\n</script>\n", 1, "var", themes.Keyword},
		{"a.html", "<p class=\"x\">t</p><script>\nvar a = 'b';\n</script>\n", 0, "p", themes.Keyword},
		{"a.css", "/* c */ a { color: red; }\n", 0, "/* c */", themes.Comment},
		{"a.scss", "// c\n$a: 1px;\n", 0, "// c", themes.Comment},
		{"a.sql", "-- c\nSELECT 'x' FROM t;\n", 1, "SELECT", themes.Keyword},
		{"a.xml", "<!-- c --><a b=\"c\"/>\n", 0, "<!-- c -->", themes.Comment},
		{"a.php", "<p>\n<?php\n// c\nreturn 'x';\n?>\n", 2, "// c", themes.Comment},
		{"a.php", "<p>\n<?php\n// c\nreturn 'x';\n?>\n", 3, "'x'", themes.String},
		{"a.kt", "fun f() { val a = \"x\" } // c\n", 0, "// c", themes.Comment},
		{"a.swift", "func f() { let a = \"x\" } // c\n", 0, "func", themes.Keyword},
		{"a.scala", "object A { val a = 1 } // c\n", 0, "object", themes.Keyword},
		{"a.lua", "-- c\nlocal a = 'x'\n", 0, "-- c", themes.Comment},
		{"a.pl", "# c\nmy $a = 'x';\n", 0, "# c", themes.Comment},
		{"a.R", "# c\nx <- 'y'\n", 0, "# c", themes.Comment},
		{"a.hs", "-- c\nmodule A where\n", 1, "module", themes.Keyword},
		{"a.ex", "# c\ndef f, do: \"x\"\n", 0, "# c", themes.Comment},
		{"a.erl", "% c\n-module(a).\n", 0, "% c", themes.Comment},
		{"a.ml", "(* c *) let a = 1\n", 0, "let", themes.Keyword},
		{"a.fs", "// c\nlet a = 1\n", 0, "// c", themes.Comment},
		{"a.dart", "// c\nvoid main() {}\n", 0, "// c", themes.Comment},
		{"a.zig", "// c\nconst a = 1;\n", 1, "const", themes.Keyword},
		{"Dockerfile", "# c\nFROM a\nRUN echo 'x'\n", 1, "FROM", themes.Keyword},
		{"Dockerfile.dev", "# c\nFROM a\n", 0, "# c", themes.Comment},
		{"Makefile", "# c\nall:\n\techo 'x'\n", 0, "# c", themes.Comment},
		{"CMakeLists.txt", "# c\nset(A \"x\")\n", 1, `"x"`, themes.String},
		{"a.hcl", "# c\na = \"x\"\n", 0, "# c", themes.Comment},
		{"a.tf", "# c\nresource \"a\" \"b\" {}\n", 0, "# c", themes.Comment},
		{"a.proto", "// c\nmessage A {}\n", 1, "message", themes.Keyword},
		{"a.graphql", "# c\ntype A { b: Int }\n", 0, "# c", themes.Comment},
		{".gitconfig", "# c\n[a]\nb = c\n", 0, "# c", themes.Comment},
		{"a.properties", "# c\na=b\n", 0, "# c", themes.Comment},
		{"a.ps1", "# c\nfunction f { \"x\" }\n", 0, "# c", themes.Comment},
		{"a.vue", "<script>\nconst a = 'x'\n</script>\n", 1, "'x'", themes.String},
		{"a.clj", "; c\n(def a \"x\")\n", 0, "; c", themes.Comment},
		{"a.m", "// c\n@interface A\n", 0, "// c", themes.Comment},
		{"a.gradle", "// c\ndef a = 'x'\n", 0, "// c", themes.Comment},
		{"a.nix", "# c\n{ a = \"x\"; }\n", 0, "# c", themes.Comment},
		{"a.vim", "\" c\nlet a = 'x'\n", 0, "\" c", themes.Comment},
		{"a.awk", "# c\nBEGIN { print \"x\" }\n", 0, "# c", themes.Comment},
		{"a.fish", "# c\nset a 'x'\n", 0, "# c", themes.Comment},
		{"a.jl", "# c\nfunction f() end\n", 0, "# c", themes.Comment},
		{"nginx.conf", "# c\nserver { listen 80; }\n", 0, "# c", themes.Comment},
		{"a.tmpl", "{{/* c */}}\n{{ if .A }}x{{ end }}\n", 1, "if", themes.Keyword},
		{"a.md", "---\na: 'b'\n---\n# Head\n\n```go\nreturn \"x\"\n```\n", 6, "return", themes.Keyword},
		{"a.md", "---\na: 'b'\n---\n# Head\n\n```go\nreturn \"x\"\n```\n", 1, "'b'", themes.String},
		{"a.md", "---\na: 'b'\n---\n# Head\n\n```go\nreturn \"x\"\n```\n", 3, "# Head", themes.Keyword},
		{"a.unknown", "package a\n", 0, "package", themes.Text},
		{"noname", "return 1\n", 0, "return", themes.Text},
	} {
		l := lines(c.text)
		doc := document(c.name, nil, l)
		doc.File.Key = ""
		got := colour(t, h, doc)
		sound(t, got.New, l)
		if r := role(t, got.New, l, c.line, c.word); r != c.want {
			t.Errorf("%s: %q in %q is %d, want %d; %v", c.name, c.word, l[c.line], r, c.want, got.New.Line(c.line))
		}
	}
}

// A line is coloured by what stands above it in its whole file, on its own side.
func TestBothSides(t *testing.T) {
	old, now := lines("a := 1\n/*\nif x\n*/\n"), lines("a := 1\nif x\n")
	c := colour(t, highlight.New(), document("a.go", old, now))
	if r := role(t, c.Old, old, 2, "if x"); r != themes.Comment {
		t.Errorf("the old side's line is %d", r)
	}
	if r := role(t, c.New, now, 1, "if"); r != themes.Keyword {
		t.Errorf("the new side's line is %d", r)
	}
}

// What is not UTF-8, a BOM, CR and NUL move nothing.
func TestOddBytes(t *testing.T) {
	l := text{"\ufeffpackage a\r", "var s = \"\xff\xfe\x00é二\" // \xe4 c\r", "var\rx = 'é'\r", "return"}
	c := colour(t, highlight.New(), document("a.go", nil, l))
	sound(t, c.New, l)
	for _, w := range []struct {
		line int
		word string
		want themes.Role
	}{{0, "package", themes.Keyword}, {1, "\"\xff\xfe\x00é二\"", themes.String}, {1, "// \xe4 c", themes.Comment}, {2, "var", themes.Keyword}, {3, "return", themes.Keyword}} {
		if r := role(t, c.New, l, w.line, w.word); r != w.want {
			t.Errorf("%q is %d, want %d", w.word, r, w.want)
		}
	}
}

// Nothing is coloured beyond the limits, and nothing that is not text.
func TestLimits(t *testing.T) {
	long, large := text{"package a", "// " + strings.Repeat("x", 10_000)}, text{}
	for range 1<<20/64 + 1 {
		large = append(large, "var a = 1 // "+strings.Repeat("y", 52))
	}
	for name, l := range map[string]text{"long.go": long, "large.go": large} {
		if c := colour(t, highlight.New(), document(name, nil, l)); len(c.New.Ends) > 0 {
			t.Errorf("%s: %d lines are coloured", name, len(c.New.Ends))
		}
	}
	binary := document("a.go", nil, lines("package a\n"))
	binary.Binary = true
	for what, doc := range map[string]*view.Document{"binary": binary, "empty": document("a.go", nil, nil), "no sides": {File: binary.File}} {
		if j, c := highlight.New().Begin(doc); j != nil || len(c.New.Ends) > 0 {
			t.Errorf("%s: there is a job", what)
		}
	}
}

// A job goes on where its step ended; what it handed out before stays as it was.
func TestSteps(t *testing.T) {
	var l text
	for i := range 400 {
		l = append(l, fmt.Sprintf("func f%d(n int) error { return fmt.Errorf(\"x %%d\", %d) } // c", i, i))
	}
	want := colour(t, highlight.New(), document("a.go", l, l))
	j, _ := highlight.New().Begin(document("a.go", l, l))
	var parts []view.Colours
	for more := true; more; {
		ctx := &counted{Context: context.Background(), left: 20 * 64}
		var err error
		var c view.Colours
		if c, more, err = j.Step(ctx); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, c)
	}
	if len(parts) < 5 {
		t.Fatalf("only %d steps", len(parts))
	}
	for n, p := range parts {
		if d := len(p.Old.Ends) - len(p.New.Ends); n > 0 && (d > 40 || d < -40) {
			t.Errorf("step %d: %d old lines, %d new ones", n, len(p.Old.Ends), len(p.New.Ends))
		}
		for i := range p.New.Ends {
			if fmt.Sprint(p.New.Line(i)) != fmt.Sprint(want.New.Line(i)) {
				t.Fatalf("step %d: line %d is %v, want %v", n, i, p.New.Line(i), want.New.Line(i))
			}
		}
	}
	if last := parts[len(parts)-1]; len(last.New.Ends) != len(l) || len(last.Old.Ends) != len(l) {
		t.Errorf("%d and %d lines in the end", len(last.Old.Ends), len(last.New.Ends))
	}
}

// counted ends after it was asked a number of times.
type counted struct {
	context.Context
	left int
}

func (c *counted) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Colours are remembered by contents.
func TestCache(t *testing.T) {
	h := highlight.New()
	l := lines("package a\n")
	colour(t, h, document("a.go", nil, l))
	if j, c := h.Begin(document("a.go", nil, l)); j != nil || len(c.New.Ends) != 1 {
		t.Errorf("nothing was remembered")
	}
	other := document("a.go", nil, l)
	other.File.Key = "other"
	if j, _ := h.Begin(other); j == nil {
		t.Errorf("other contents were taken for the same")
	}
	if j, _ := h.Begin(document("a.go", l, l)); j == nil {
		t.Errorf("the old side was taken for coloured")
	}
}
