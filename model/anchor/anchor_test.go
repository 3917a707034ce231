package anchor

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"overturn/model"
)

type text []string

func (t text) Lines() int        { return len(t) }
func (t text) Line(i int) []byte { return []byte(t[i]) }

func of(s string) text { return strings.Split(s, "\n") }

func TestFind(t *testing.T) {
	was := of("package a\n\nfunc f() {\n\tone()\n\ttwo()\n}\n\nfunc g() {\n\tone()\n}\n")
	line := func(n int) model.Anchor { return Of(was, n-1, n, model.AnchorLines, false) }
	for _, c := range []struct {
		name string
		a    model.Anchor
		now  string
		want Place
	}{
		{"nothing changed", line(5), strings.Join(was, "\n"), Place{There, 4}},
		{"lines came above", line(5), "// new\n// new\n" + strings.Join(was, "\n"), Place{There, 6}},
		{"equal lines: the one with its neighbours", line(9), "package a\n\nfunc g() {\n\tone()\n}\n\nfunc f() {\n\tone()\n\ttwo()\n}\n", Place{There, 3}},
		{"the line was changed", line(5), "package a\n\nfunc f() {\n\tone()\n\tthree()\n}\n\nfunc g() {", Place{Changed, 4}},
		{"it was changed into three", line(5), "x\npackage a\n\nfunc f() {\n\tone()\n\ta()\n\tb()\n\tc()\n}\n\nfunc g() {", Place{Changed, 5}},
		{"it went", line(5), "package a\n\nfunc f() {\n\tone()\n}\n\nfunc g() {\n", Place{Changed, 4}},
		{"a brace without its neighbours", line(6), "struct {\n\tfield\n}\n", Place{}},
		{"a brace with one neighbour", line(6), "other\n\ttwo()\n}\nother", Place{There, 2}},
		{"all is other", line(5), "nothing\nof\nit\n", Place{}},
		{"nothing is left", line(5), "", Place{}},
		{"the first line was changed", line(1), "package b\n\nfunc f() {\n\tone()\n", Place{Changed, 0}},
		{"an empty line", line(7), "\n\n" + strings.Join(was, "\n"), Place{There, 8}},
		{"several lines", Of(was, 2, 6, model.AnchorHunk, false), "a\n" + strings.Join(was, "\n"), Place{There, 3}},
		{"a file", model.Anchor{Kind: model.AnchorFile}, "whatever", Place{State: There}},
	} {
		if got := Find(of(c.now), c.a); got != c.want {
			t.Errorf("%s: found %+v, want %+v", c.name, got, c.want)
		}
	}
}

// A line that is its own, wherever lines come and go around it, is found where it is.
func TestFindFollows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for round := range 300 {
		var was text
		for i := range rng.IntN(80) + 1 {
			was = append(was, [...]string{"}", "", fmt.Sprintf("line %d", i), "return nil"}[rng.IntN(4)])
		}
		at := rng.IntN(len(was))
		was[at] = "the one that is spoken of"
		a := Of(was, at, at+1, model.AnchorLines, false)
		now := slices.Clone(was)
		for range rng.IntN(12) {
			if i := rng.IntN(len(now) + 1); rng.IntN(2) == 0 {
				now = slices.Insert(now, i, fmt.Sprintf("new %d", rng.IntN(9)))
			} else if i < len(now) && now[i] != was[at] {
				now = slices.Delete(now, i, i+1)
			}
		}
		if got, want := Find(now, a), (Place{There, slices.Index(now, was[at])}); got != want {
			t.Fatalf("round %d: found %+v, want %+v in %q", round, got, want, now)
		}
	}
}

// What is kept of a place is bounded, and a place larger than that is found.
func TestBounds(t *testing.T) {
	was := make(text, 500)
	for i := range was {
		was[i] = fmt.Sprintf("%d %s", i, strings.Repeat("x", 3*LineBytes))
	}
	a := Of(was, 100, 400, model.AnchorHunk, false)
	if n := len(a.Quote) + len(a.Before) + len(a.After); n > (QuoteLines+2*ContextSize+1)*(LineBytes+1) {
		t.Errorf("%d bytes are kept", n)
	}
	if a.From != 101 || a.To != 400 {
		t.Errorf("lines %d to %d", a.From, a.To)
	}
	if got := Find(append(text{"above"}, was...), a); got != (Place{There, 101}) {
		t.Errorf("found %+v", got)
	}
	far := append(make(text, Reach+10), was...)
	if got := Find(far, a); got.State != Gone {
		t.Errorf("looked for it without end: %+v", got)
	}
}

func TestHash(t *testing.T) {
	old, now := of("a\nb\nc"), of("a\nB\nc")
	h := Hash(old, now, []Edit{{1, 2, 1, 2}})
	if moved := Hash(of("0\na\nb\nc"), of("0\na\nB\nc"), []Edit{{2, 3, 2, 3}}); moved != h {
		t.Error("a hunk that moved is another one")
	}
	for name, other := range map[string]string{
		"other sides": Hash(now, old, []Edit{{1, 2, 1, 2}}), "one line less": Hash(old, now, []Edit{{1, 2, 1, 1}}),
	} {
		if other == h {
			t.Errorf("%s: the same hash", name)
		}
	}
}

// Comments come back from JSON to the byte.
func TestCommentJSON(t *testing.T) {
	c := model.Comment{ID: "01a", Path: "dir/\xff.go", Text: "why?", Scope: "3", Turn: 3,
		Anchor: model.Anchor{Kind: model.AnchorLines, Old: true, From: 4, To: 5, Quote: "caf\xe9\nz", Before: "ok", After: "\xfe", Hunk: "ab"},
		Told:   &model.Told{Agent: "codex", Thread: "T", Turn: 4}}
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back model.Comment
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if back.Path != c.Path || back.Anchor != c.Anchor || back.Text != c.Text || *back.Told != *c.Told {
		t.Errorf("%s\ncame back as %+v", data, back)
	}
}

func FuzzFind(f *testing.F) {
	f.Add("a\nb\nc", "x\na\nb\nc", 1, 2)
	f.Add("}\n}\n}", "}\n", 2, 3)
	f.Add("", "", 0, 0)
	f.Fuzz(func(t *testing.T, was, now string, from, to int) {
		a := Of(of(was), from, to, model.AnchorLines, false)
		if a.From < 1 || a.To < a.From-1 || a.To > len(of(was)) {
			t.Fatalf("lines %d to %d of %q", a.From, a.To, was)
		}
		p := Find(of(now), a)
		if p.State != Gone && (p.Line < 0 || p.Line > len(of(now))) {
			t.Fatalf("%+v in %q", p, now)
		}
		if same := Find(of(was), a); a.To >= a.From && telling(lines(a.Quote)) && same != (Place{There, a.From - 1}) {
			t.Fatalf("in the very text it is found at %+v, was at %d", same, a.From)
		}
	})
}
