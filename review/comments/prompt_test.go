package comments_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"overturn/model"
	"overturn/model/anchor"
	"overturn/review/comments"
)

type text []string

func (t text) Lines() int        { return len(t) }
func (t text) Line(i int) []byte { return []byte(t[i]) }

func TestWhere(t *testing.T) {
	was := text{"package a", "", "func f() {", "\tonce()", "}", "", "func g() {", "\ttwice()", "}"}
	line := model.Comment{Path: "a.go", Anchor: anchor.Of(was, 3, 4, model.AnchorLines, false)}
	lines := model.Comment{Path: "a.go", Anchor: anchor.Of(was, 2, 5, model.AnchorLines, false)}
	old := model.Comment{Path: "a.go", Anchor: anchor.Of(was, 3, 4, model.AnchorLines, true)}
	file := model.Comment{Path: "a.go", Anchor: model.Anchor{Kind: model.AnchorFile}}
	below := append(text{"// new"}, was...)
	other := text{"package a", "", "func f() {", "\tthrice()", "}", "", "func g() {"}
	for _, c := range []struct {
		c    model.Comment
		now  anchor.Lines
		want string
	}{
		{line, was, "a.go:4"}, {line, below, "a.go:5"}, {line, other, "a.go:4 (changed since)"}, {line, text{"x"}, "a.go (gone; was line 4)"}, {line, nil, "a.go (the file is gone; was line 4)"},
		{lines, below, "a.go:4-6"}, {lines, text{"x"}, "a.go (gone; was lines 3-5)"},
		{old, other, "a.go (removed; was line 4)"}, {old, was, "a.go:4"},
		{file, was, "a.go"}, {file, nil, "a.go (the file is gone)"},
	} {
		if got := comments.Place(c.c, c.now).Where(); got != c.want {
			t.Errorf("%v in %v: %q, want %q", c.c.Anchor, c.now, got, c.want)
		}
	}
}

func example() ([]comments.Placed, []model.TakenBack) {
	was := text{"one", "```", "\x1b[2Jthree", "four"}
	a := model.Comment{Path: "dir/a.go", Text: "Call it three.", Anchor: anchor.Of(was, 1, 3, model.AnchorLines, false)}
	b := model.Comment{Path: "b", Text: "Split this file.", Anchor: model.Anchor{Kind: model.AnchorFile}}
	patch := "# now file 100644 4 ab after file 100644 4 cd path a.go\ndiff --git a/a.go b/a.go\nindex 1..2 100644\n--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-\told\n+index was mine\n"
	return []comments.Placed{comments.Place(a, was), comments.Place(b, text{"x"})},
		[]model.TakenBack{{Paths: model.Paths{"a.go", "c.go"}, Why: "rounding stays in one place", Patch: []byte(patch)}}
}

func TestPrompt(t *testing.T) {
	list, back := example()
	got := comments.Prompt(list, back, comments.Whole())
	want := "I have reviewed your changes in this repository.\n" +
		"\n## Taken back\n\nThese changes of yours were removed from the files on purpose. Do not make them again unless I ask for it.\n" +
		"\n1. a.go, c.go\n   Why: rounding stays in one place\n```diff\n--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-\told\n+index was mine\n```\n" +
		"\n## To be changed\n\nGo through every point. Line numbers are those of the files as they are now.\n" +
		"\n1. dir/a.go:2-3\n````go\n```\n\\x1b[2Jthree\n````\nCall it three.\n" +
		"\n2. b\nSplit this file.\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s := comments.Prompt(nil, nil, comments.Whole()); s != "" {
		t.Errorf("of nothing: %q", s)
	}
}

// A note speaks of what was done, not of what the files hold by now: the user may have
// made a change again since.
func TestNoteSaysWhatWasDone(t *testing.T) {
	_, back := example()
	want := "Since your last turn I took changes of yours out of the files, on purpose. Do not make them again unless I ask for it.\n"
	if got := comments.Note(back); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s", got)
	}
}

// What a hook says is within what its agent takes, whatever there is to say, and
// says where the rest is.
func TestHookText(t *testing.T) {
	list, back := example()
	if text, whole := comments.HookText(list, back, "/f"); !whole || !strings.Contains(text, "Call it three.") {
		t.Errorf("whole %v:\n%s", whole, text)
	}
	long := make(text, 200)
	for i := range long {
		long[i] = strings.Repeat("x", 300)
	}
	c := model.Comment{Path: "p", Text: "one", Anchor: anchor.Of(long, 0, 200, model.AnchorHunk, false)}
	if text, whole := comments.HookText([]comments.Placed{comments.Place(c, long)}, back, "/f"); !whole || len(text) > comments.HookLimit || !strings.Contains(text, "Call it") && !strings.Contains(text, "\none\n") {
		t.Errorf("a long hunk: whole %v, %d bytes", whole, len(text))
	}
	var many []comments.Placed
	for range 400 {
		many = append(many, comments.Place(model.Comment{Path: "p", Text: "übel " + strings.Repeat("word ", 20), Anchor: model.Anchor{Kind: model.AnchorFile}}, long))
	}
	text, whole := comments.HookText(many, nil, "/state/all.md")
	if whole || len(text) > comments.HookLimit || !strings.Contains(text, "/state/all.md") || !utf8.ValidString(text) {
		t.Errorf("many: whole %v, %d bytes", whole, len(text))
	}
}

// Nothing that stands in a file, a name or a comment gets through as a byte that a
// terminal obeys.
func FuzzPrompt(f *testing.F) {
	f.Add("a\x1b.go", "l1\n```\n\x9bq", "text\x07", "why\r\n", "diff --git a/x b/x\n+\x1b[1m\n")
	f.Fuzz(func(t *testing.T, path, quote, said, why, patch string) {
		c := model.Comment{Path: model.Path(path), Text: said, Anchor: model.Anchor{Kind: model.AnchorLines, From: 1, To: 2, Quote: quote}}
		got := comments.Prompt([]comments.Placed{comments.Place(c, nil)}, []model.TakenBack{{Paths: model.Paths{model.Path(path)}, Why: why, Patch: []byte(patch)}}, comments.Whole())
		bad := func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
		}
		if !utf8.ValidString(got) || strings.ContainsFunc(got, bad) {
			t.Fatalf("%q", got)
		}
	})
}
