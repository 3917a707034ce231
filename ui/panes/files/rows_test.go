package files

import (
	"fmt"
	"strings"
	"testing"

	"overturn/model"
	"overturn/ui/view"
)

func comparison(paths ...string) *view.Comparison {
	c := &view.Comparison{}
	for _, p := range paths {
		c.Files = append(c.Files, view.File{FileChange: model.FileChange{Path: model.Path(p), Change: model.Modified}})
	}
	return c
}

func rowsOf(cmp *view.Comparison, tree bool, folded map[model.Path]bool) []row {
	rows, _ := layout(cmp, tree, folded, nil)
	return rows
}

func spell(rows []row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%s%s", strings.Repeat(" ", r.depth), r.name)
		if r.folder {
			fmt.Fprintf(&b, "(%d)", r.count)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestTree(t *testing.T) {
	for _, c := range []struct {
		name   string
		paths  []string
		folded []model.Path
		want   string
	}{
		{"flat", []string{"b", "a"}, nil, "a\nb\n"},
		{"folders first", []string{"z", "a/x", "a-b"}, nil, "a/(1)\n x\na-b\nz\n"},
		{"chains are joined", []string{"a/b/c/one", "a/b/c/two"}, nil, "a/b/c/(2)\n one\n two\n"},
		{"chains end where they branch", []string{"a/b/one", "a/c/d/two"}, nil, "a/(2)\n b/(1)\n  one\n c/d/(1)\n  two\n"},
		{"a file beside a folder ends a chain", []string{"a/b/one", "a/two"}, nil, "a/(2)\n b/(1)\n  one\n two\n"},
		{"folded", []string{"a/b/one", "a/two", "c"}, []model.Path{"a"}, "a/(2)\nc\n"},
		{"names with a dash sort apart from folders", []string{"a/x", "a-b/x", "a.b/x"}, nil, "a/(1)\n x\na-b/(1)\n x\na.b/(1)\n x\n"},
		{"a new folder of files is a row a file", []string{"new/1", "new/2", "new/3"}, nil, "new/(3)\n 1\n 2\n 3\n"},
	} {
		folded := map[model.Path]bool{}
		for _, f := range c.folded {
			folded[f] = true
		}
		if got := spell(rowsOf(comparison(c.paths...), true, folded)); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

// Every file has its row, however many there are and whatever their names.
func TestEveryFileHasARow(t *testing.T) {
	var paths []string
	for i := range 3000 {
		paths = append(paths, fmt.Sprintf("d%d/e%d/f%d", i%7, i%31, i))
	}
	cmp := comparison(paths...)
	cmp.LeftOut = []model.Noted{{Path: "big", Reason: "too large"}}
	for _, tree := range []bool{true, false} {
		seen := map[int]bool{}
		for _, r := range rowsOf(cmp, tree, nil) {
			if r.file >= 0 {
				seen[r.file] = true
			}
		}
		if len(seen) != len(paths) {
			t.Errorf("tree %v: %d of %d files have a row", tree, len(seen), len(paths))
		}
	}
}

func TestCursorStaysOnItsPath(t *testing.T) {
	p := New()
	p.win.Height = 10
	p.Show(comparison("a/one", "b/two", "c"), true)
	p.Select(1)
	p.Show(comparison("a/one", "a/zero", "aa", "b/two", "c"), false)
	if f := p.File(); f < 0 || p.cmp.Files[f].Path != "b/two" {
		t.Errorf("the cursor is on file %d", f)
	}
	p.Show(comparison("c"), false)
	if p.File() != 0 {
		t.Errorf("the cursor is nowhere after its path has gone")
	}
}
