package moved_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/moved"
	"overturn/review/patch"
)

func file(path, old, now string) moved.File {
	return moved.File{Path: model.Path(path), Diff: patch.Compare([]byte(old), []byte(now), patch.Options{})}
}

const block = "func total(items []Item) int {\n\tsum := 0\n\tfor _, i := range items {\n\t\tsum += i.Price\n\t}\n\treturn sum\n}\n"

func filler(word string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", word, i)
	}
	return b.String()
}

func TestFind(t *testing.T) {
	indented := "\t" + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n\t") + "\n"
	for _, c := range []struct {
		name  string
		files []moved.File
		want  string
	}{
		{"to another file", []moved.File{file("a", "top\n"+block, "top\n"), file("b", "x\n", "x\n"+block)}, "a:-1-8 → b:2 b:+1-8 → a:2"},
		{"within a file", []moved.File{file("a", block+filler("same", 20), filler("same", 20)+block)}, "a:-0-7 → a:21 a:+20-27 → a:1"},
		{"indented anew", []moved.File{file("a", block, ""), file("b", "", indented)}, "a:-0-7 → b:1 b:+0-7 → a:1"},
		{"indented in its place", []moved.File{file("a", block, indented)}, ""},
		{"nothing but braces", []moved.File{file("a", "}\n}\n\n}\n", ""), file("b", "", "}\n}\n\n}\n")}, ""},
		{"two lines", []moved.File{file("a", "one long line of text\nanother long line\n", ""), file("b", "", "one long line of text\nanother long line\n")}, ""},
		{"the rest was rewritten", []moved.File{file("a", block+"tail one\ntail two\n", ""), file("b", "", "head\n"+block+"other\n")}, "a:-0-7 → b:2 b:+1-8 → a:1"},
		{"came at two places", []moved.File{file("a", block, ""), file("b", "", block), file("c", "", block)}, "a:-0-7 → b:1 b:+0-7 → a:1"},
		{"left two places", []moved.File{file("a", block, ""), file("b", block, ""), file("c", "", block)}, "a:-0-7 → c:1 c:+0-7 → a:1"},
		{"copied", []moved.File{file("a", block, block), file("b", "", block)}, ""},
	} {
		if got := spell(moved.Find(c.files), c.files); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func spell(found map[model.Path][]moved.Block, files []moved.File) string {
	var list []string
	for _, f := range files {
		for _, b := range found[f.Path] {
			sign := "+"
			if b.Old {
				sign = "-"
			}
			list = append(list, fmt.Sprintf("%s:%s%d-%d → %s:%d", f.Path, sign, b.From, b.To, b.Path, b.Line))
		}
	}
	return strings.Join(list, " ")
}

// Whatever moved, a block's lines are changed lines, equal at both places, and no line
// is in two blocks.
func TestBlocksAreWhatTheySay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		texts := [2][]string{}
		var files []moved.File
		byPath := map[model.Path]moved.File{}
		for i := range 3 {
			for side := range 2 {
				texts[side] = nil
				for range rng.IntN(30) {
					texts[side] = append(texts[side], fmt.Sprintf("%*sstatement %d\n", rng.IntN(3), "", rng.IntN(25)))
				}
			}
			f := file(fmt.Sprint("f", i), strings.Join(texts[0], ""), strings.Join(texts[1], ""))
			files, byPath[f.Path] = append(files, f), f
		}
		seen := map[string]bool{}
		for path, blocks := range moved.Find(files) {
			for _, b := range blocks {
				here, there := byPath[path].Diff.New, byPath[b.Path].Diff.Old
				if b.Old {
					here, there = byPath[path].Diff.Old, byPath[b.Path].Diff.New
				}
				for n := b.From; n < b.To; n++ {
					if !bytes.Equal(bytes.TrimSpace(here.Line(n)), bytes.TrimSpace(there.Line(b.Line-1+n-b.From))) {
						t.Fatalf("round %d: line %d of %s is not what stands at its other place", round, n, path)
					}
					key := fmt.Sprint(path, b.Old, n)
					if seen[key] || !changed(byPath[path].Diff, b.Old, n) {
						t.Fatalf("round %d: line %d of %s is in two blocks, or did not change", round, n, path)
					}
					seen[key] = true
				}
			}
		}
	}
}

func changed(d *patch.Diff, old bool, n int) bool {
	for _, h := range d.Exact() {
		for _, e := range h.Edits {
			if old && n >= e.OldFrom && n < e.OldTo || !old && n >= e.NewFrom && n < e.NewTo {
				return true
			}
		}
	}
	return false
}

// The same line a hundred thousand times is a bounded effort: the test comes to its end.
func TestManyEqualLines(t *testing.T) {
	many := strings.Repeat("the same line of text, over and over\n", 90_000)
	if found := moved.Find([]moved.File{file("a", many, ""), file("b", "", many)}); len(found["a"]) == 0 {
		t.Error("nothing is found")
	}
}
