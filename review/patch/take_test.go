package patch

import (
	"bytes"
	"reflect"
	"testing"
)

func TestWithout(t *testing.T) {
	const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	for _, c := range []struct {
		name, old, new string
		hunks          []int
		lines          Selection
		want           string
	}{
		{"first hunk", ten, "A\n2\n3\n4\n5\n6\n7\n8\n9\nB\n", []int{1}, Selection{}, "1\n2\n3\n4\n5\n6\n7\n8\n9\nB\n"},
		{"second hunk", ten, "A\n2\n3\n4\n5\n6\n7\n8\n9\nB\n", []int{2}, Selection{}, "A\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"},
		{"both", ten, "A\n2\n3\n4\n5\n6\n7\n8\n9\nB\n", []int{2, 1}, Selection{}, ten},
		{"an added line", "a\nb\n", "a\nx\ny\nb\n", nil, Selection{New: []Range{{1, 2}}}, "a\ny\nb\n"},
		{"a removed line", "a\nx\ny\nb\n", "a\nb\n", nil, Selection{Old: []Range{{2, 3}}}, "a\ny\nb\n"},
		{"one of a replaced pair", "a\nb\nc\n", "A\nB\nC\n", nil, Selection{[]Range{{1, 2}}, []Range{{1, 2}}}, "A\nb\nC\n"},
		{"only the new half of a pair", "a\nb\n", "A\nb\n", nil, Selection{New: []Range{{0, 1}}}, "b\n"},
		{"unchanged lines mean nothing", "a\nb\nc\n", "a\nB\nc\n", nil, Selection{[]Range{{0, 1}, {2, 9}}, []Range{{0, 1}}}, "a\nB\nc\n"},
		{"final newline of the old side", "a\nb", "a\nc\n", []int{1}, Selection{}, "a\nb"},
		{"final newline of the new side", "a\nb\n", "a\nc", nil, Selection{New: []Range{{1, 2}}}, "a\n"},
		{"a last line moves inside", "a\nb", "a\nb\nc\n", nil, Selection{Old: []Range{{1, 2}}}, "a\nb\nb\nc\n"},
		{"CRLF where a newline is needed", "x\r\nb", "x\r\nb\r\nc", nil, Selection{Old: []Range{{1, 2}}}, "x\r\nb\r\nb\r\nc"},
		{"mixed endings stay", "a\r\nb\nc\r\n", "a\r\nB\nc\r\nd\n", nil, Selection{New: []Range{{3, 4}}}, "a\r\nB\nc\r\n"},
		{"all of an added file", "", "a\nb", []int{1}, Selection{}, ""},
	} {
		d := Compare([]byte(c.old), []byte(c.new), Options{})
		sel, missing := d.SelectHunks(c.hunks)
		if missing != 0 {
			t.Fatalf("%s: no hunk %d", c.name, missing)
		}
		sel = sel.Join(d.SelectLines(c.lines))
		if got := Without(d, sel); string(got) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSelect(t *testing.T) {
	d := Compare([]byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), []byte("A\n2\n3\n4\n5\n6\n7\n8\nB\nC\n"), Options{})
	if _, missing := d.SelectHunks([]int{1, 3}); missing != 3 {
		t.Errorf("missing is %d", missing)
	}
	if _, missing := d.SelectHunks([]int{0}); missing != 0 {
		t.Errorf("missing is %d", missing)
	}
	sel := d.SelectLines(Selection{New: []Range{{0, 100}}})
	if want := (Selection{New: []Range{{0, 1}, {8, 10}}}); !reflect.DeepEqual(sel, want) {
		t.Errorf("%v, want %v", sel, want)
	}
	if got := d.HunksOf(sel); !reflect.DeepEqual(got, []int{1, 2}) {
		t.Errorf("hunks %v", got)
	}
	if got := d.HunksOf(Selection{Old: []Range{{8, 9}}}); !reflect.DeepEqual(got, []int{2}) {
		t.Errorf("hunks %v", got)
	}
	if !d.SelectLines(Selection{Old: []Range{{3, 5}}}).Empty() {
		t.Error("unchanged lines were chosen")
	}
}

// FuzzTake: what is taken and what is left make up the whole change, whichever
// line is chosen, and bytes outside of the change never move.
func FuzzTake(f *testing.F) {
	f.Add([]byte("a\nb\nc"), []byte("a\nB\nc\n"), 1, 1)
	f.Add([]byte("a\r\n"), []byte("a\n\n"), 0, 1)
	f.Fuzz(func(t *testing.T, old, new []byte, o, n int) {
		d := Compare(old, new, Options{})
		if o < 0 || n < 0 || o > d.Old.Lines() || n > d.New.Lines() {
			return
		}
		chosen := d.SelectLines(Selection{nonEmpty(0, o), nonEmpty(0, n)})
		rest := d.SelectLines(Selection{nonEmpty(o, d.Old.Lines()), nonEmpty(n, d.New.Lines())})
		if got := Without(d, chosen); !bytes.Equal(got, Take(d, rest)) {
			t.Fatalf("without the chosen %q, with the rest %q", got, Take(d, rest))
		}
	})
}
