package review_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review"
)

// origins spells who wrote the lines of a side of a file: a word a line, with its
// text.
func (f *fixture) origins(cs *review.ChangeSet, path model.Path) (old, now string) {
	f.t.Helper()
	file := f.file(cs, path)
	o, err := f.review.Origins(f.t.Context(), cs, file)
	f.must(err)
	if o == nil {
		return "none", "none"
	}
	spell := func(side []int32, name review.SideName) string {
		data, _, err := f.review.Content(f.t.Context(), cs, file, name)
		f.must(err)
		var list []string
		for i, text := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
			word := "?"
			switch {
			case i >= len(side) || side[i] == review.Untraced:
			case side[i] == review.BeforeRecords:
				word = "·"
			default:
				by := o.By[side[i]]
				if word = string(by.Owner); by.Owner == model.OwnerAgent {
					word = fmt.Sprintf("%s%d", by.Thread, by.Turn)
				}
			}
			list = append(list, word+" "+text)
		}
		return strings.Join(list, "\n")
	}
	return spell(o.Old, review.BaseSide), spell(o.New, review.TargetSide)
}

// TestOriginsOfLines: two agents and the user write one file, in turns and between
// them; every scope names the same writers.
func TestOriginsOfLines(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("f", "one\ntwo\nthree\nfour\n")
	f.Write("other", "x\n")
	f.Commit("first")
	f.turn("a", func() { f.Write("f", "one\nA1\nthree\nfour\n") })
	f.Write("f", "user\none\nA1\nthree\nfour\n")
	f.turn("b", func() { f.Write("f", "user\none\nA1\nthree\nB1\n") })
	f.turn("a", func() { f.Write("other", "y\n") })
	f.turn("a", func() { f.Write("f", "user\none\nA1\nA3\nB1\n") })
	f.Write("f", "user\none\nA1\nA3\nlast\nB1\n")
	_, now := f.origins(f.compare("working"), "f")
	equal(t, "working", now, "user user\n· one\na1 A1\na3 A3\nuser last\nb1 B1")
	old, now := f.origins(f.compare("3@a"), "f")
	equal(t, "turn 3, old", old, "user user\n· one\na1 A1\n· three\nb1 B1")
	equal(t, "turn 3, new", now, "user user\n· one\na1 A1\na3 A3\nb1 B1")
	old, now = f.origins(f.compare("1@b"), "f")
	equal(t, "b's turn, old", old, "user user\n· one\na1 A1\n· three\n· four")
	equal(t, "b's turn, new", now, "user user\n· one\na1 A1\n· three\nb1 B1")
	old, _ = f.origins(f.compare("working"), "f")
	equal(t, "HEAD", old, "· one\n· two\n· three\n· four")
	_, now = f.origins(f.compare("thread@a"), "f")
	equal(t, "thread", now, "user user\n· one\na1 A1\na3 A3\nb1 B1")
}

// TestOriginsWithinATurn: tools and the user in one turn are told apart, as owners are.
func TestOriginsWithinATurn(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("f", lines(1, 30))
	f.Commit("first")
	f.turn("a", func() { f.replace("f", "line 2\n", "plain 2\n") })
	f.start("a", true)
	f.replace("f", "line 5\n", "user 5\n")
	f.tool("a", nil, func() { f.replace("f", "line 15\n", "shell 15\n") })
	f.replace("f", "line 25\n", "user 25\n")
	f.end("a")
	_, now := f.origins(f.compare("latest"), "f")
	for _, want := range []string{"a1 plain 2", "user user 5", "a2 shell 15", "user user 25", "· line 1\n"} {
		if !strings.Contains(now, want) {
			t.Errorf("%q is not among\n%s", want, now)
		}
	}
}

// TestOriginsOfWhatComesAndGoes: files that are made, removed, renamed, and not text.
func TestOriginsOfWhatComesAndGoes(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("gone", lines(1, 3))
	f.Write("moved", lines(1, 20))
	f.Write("bin", "a\x00b")
	f.Commit("first")
	f.turn("a", func() { f.Write("gone", "A1\nline 2\n"); f.replace("moved", "line 4\n", "A1\n") })
	f.turn("a", func() {
		f.Write("made", "A2\n")
		f.must(os.Remove(f.Path("gone")))
		f.must(os.Rename(f.Path("moved"), f.Path("there")))
		f.Write("bin", "c\x00d")
	})
	f.Write("made", "A2\nuser\n")
	cs := f.compare("2")
	old, _ := f.origins(cs, "gone")
	equal(t, "removed", old, "a1 A1\n· line 2")
	_, now := f.origins(cs, "made")
	equal(t, "made", now, "a2 A2")
	_, now = f.origins(f.compare("working"), "made")
	equal(t, "made, edited since", now, "a2 A2\nuser user")
	_, now = f.origins(cs, "bin")
	equal(t, "binary", now, "none")
	rows, err := f.review.Renames(t.Context(), cs)
	f.must(err)
	for _, row := range rows {
		if row.OldPath != "moved" {
			continue
		}
		o, err := f.review.Origins(t.Context(), cs, row)
		f.must(err)
		if o.New[3] < 0 || o.By[o.New[3]].Turn != 1 || o.New[4] != review.BeforeRecords {
			t.Errorf("renamed: line 4 is of %d, line 5 of %d: %v", o.New[3], o.New[4], o.By)
		}
		return
	}
	t.Error("no renamed row")
}

// TestOriginsWithoutRecords: nothing is known, and nothing is claimed.
func TestOriginsWithoutRecords(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("f", "one\n")
	f.Commit("first")
	f.Write("f", "one\ntwo\n")
	_, now := f.origins(f.compare("working"), "f")
	equal(t, "working", now, "? one\n? two")
}

// TestOriginsOfConvertedLines: what git stores otherwise than it stands on disk is
// followed by its lines.
func TestOriginsOfConvertedLines(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write(".gitattributes", "*.txt text eol=crlf\n")
	f.Write("f.txt", "one\r\ntwo\r\n")
	f.Commit("first")
	f.turn("a", func() { f.Write("f.txt", "one\r\nA1\r\n") })
	_, now := f.origins(f.compare("latest"), "f.txt")
	equal(t, "crlf", now, "· one\r\na1 A1\r")
}
