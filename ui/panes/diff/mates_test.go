package diff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"overturn/ui/view"
)

func edited(old, now string) *view.Document {
	d := &view.Document{Old: text(old), New: text(now)}
	d.Hunks = []view.Hunk{{Number: 1, Edits: []view.Edit{{OldTo: d.Old.Lines(), NewTo: d.New.Lines()}}}}
	return d
}

func TestMates(t *testing.T) {
	for _, c := range []struct{ name, old, now, want string }{
		{"one line each", "a", "b", "[]"},
		{"lines came before it", "\treturn total(items)", "\t// rounded\n\tvar cents int\n\treturn round(total(items))", "[2]"},
		{"lines went before it", "\t// old\n\tvar x int\n\treturn total(items)", "\treturn round(total(items))", "[-1 -1 0]"},
		{"both were edited", "\tname := read(path)\n\tsize := stat(path)", "\tname := read(file)\n\tsize := stat(file)", "[0 1]"},
		{"shifted by one", "first line of all\nsecond line of text\nthird line of it", "second line of a text\nthird line of that\nsomething else", "[-1 0 1]"},
		{"nothing alike", "abcdef\nghijkl", "123456\n789012\n345678", "[-1 -1]"},
		{"in order only", "alpha beta gamma\ndelta epsilon zeta", "delta epsilon zeta!\nalpha beta gamma!", "[-1 0]"},
		{"blank lines have none", "\n\nx := compute(1)", "x := compute(2)\n", "[-1 -1 0]"},
		{"indented anew", "call(one, two)\nend", "if ok {\n\tcall(one, two)\n}\nend of it", "[1 -1]"},
	} {
		d := edited(c.old, c.now)
		if got := fmt.Sprint(mates(d, d.Hunks[0].Edits[0])); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	d := edited(strings.Repeat("a line of text\n", 60), strings.Repeat("a line of text\n", 60))
	if list := mates(d, d.Hunks[0].Edits[0]); list != nil {
		t.Errorf("%d lines of a large edit were compared", len(list))
	}
}

// In one column the words that differ are marked, in two a line stands beside the one
// that it became.
func TestMatesAreShown(t *testing.T) {
	d := edited("\treturn total(items)", "\t// rounded\n\tvar cents int\n\treturn round(total(items))")
	d.Emphasis = func(a, b []byte) (x, y [][2]int) { return nil, [][2]int{{8, 14}} }
	p := New()
	p.Show(d)
	picture(p, 80, 9)
	if old, now, ok := p.marks.across(p.lay, p.lay.at(p.lay.rowOf(2, false))); !ok || old != 0 || now != 2 {
		t.Errorf("across from line 3 is line %d (%v)", old+1, ok)
	}
	if _, _, ok := p.marks.across(p.lay, p.lay.at(p.lay.rowOf(0, false))); ok {
		t.Error("a line that came is across from another")
	}
	p.ToggleSplit()
	rows := strings.Split(picture(p, 100, 9), "\n")
	both := 0
	for _, row := range rows {
		if strings.Contains(row, "-    return total") {
			both++
			if !strings.Contains(row, "+    return round") {
				t.Errorf("beside each other: %q", row)
			}
		}
	}
	if both != 1 {
		t.Errorf("the removed line is shown %d times", both)
	}
}

// Mates ascend and name lines that are there, and what is across is so both ways.
func TestMatesAscend(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for round := range 300 {
		var sides [2]string
		for s := range sides {
			for range rng.IntN(8) + 1 {
				sides[s] += fmt.Sprintf("word%d and word%d\n", rng.IntN(6), rng.IntN(6))
			}
			sides[s] = strings.TrimSuffix(sides[s], "\n")
		}
		d := edited(sides[0], sides[1])
		last := int32(-1)
		for i, k := range mates(d, d.Hunks[0].Edits[0]) {
			if k >= int32(d.New.Lines()) || k >= 0 && k <= last {
				t.Fatalf("round %d: line %d became %d after %d, of %d", round, i, k, last, d.New.Lines())
			}
			if k >= 0 {
				last = k
			}
		}
		p := New()
		p.Show(d)
		for i := range d.Old.Lines() {
			old, now, ok := p.marks.across(p.lay, p.lay.at(p.lay.rowOf(i, true)))
			if !ok {
				continue
			}
			if back, _, ok := p.marks.across(p.lay, p.lay.at(p.lay.rowOf(now, false))); !ok || back != old {
				t.Fatalf("round %d: line %d became %d, which was %d", round, old, now, back)
			}
		}
	}
}
