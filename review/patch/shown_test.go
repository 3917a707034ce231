package patch

import (
	"bytes"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestHiddenSpaceAndNumbers(t *testing.T) {
	old := []byte("a b\n1\n2\n3\n4\n5\n6\n7\nc\n1\n2\n3\n4\n5\n6\n7\ne f\n")
	new := []byte("ab\n1\n2\n3\n4\n5\n6\n7\nC\n1\n2\n3\n4\n5\n6\n7\nef\n")
	d := Compare(old, new, Options{IgnoreSpace: true})
	if len(d.Hunks) != 1 || d.Hunks[0].Number != 2 || d.HiddenSpace != 2 || d.Adds != 1 || d.Dels != 1 {
		t.Errorf("%+v", d)
	}
	d = Compare(old, new, Options{Context: 4})
	if len(d.Hunks) != 1 || d.Hunks[0].Number != 1 || d.Hunks[0].Last != 3 || len(d.Exact()) != 3 || d.HiddenSpace != 0 {
		t.Errorf("%+v", d.Hunks)
	}
	d = Compare(old, new, Options{Context: NoContext})
	if len(d.Hunks) != 3 || d.Hunks[2].Number != 3 || d.Hunks[2].Last != 3 {
		t.Errorf("%+v", d.Hunks)
	}
}

func TestRowsFrom(t *testing.T) {
	for name, s := range samples() {
		d := Compare([]byte(s[0]), []byte(s[1]), Options{})
		for _, h := range d.Hunks {
			var all []Row
			for r := range d.Rows(h) {
				all = append(all, r)
			}
			if len(all) != h.Len() {
				t.Fatalf("%s: %d rows, Len is %d", name, len(all), h.Len())
			}
			for skip := range len(all) + 1 {
				at := skip
				for r := range d.RowsFrom(h, skip) {
					if r != all[at] {
						t.Fatalf("%s: row %d is %v, skipping %d %v", name, at, all[at], skip, r)
					}
					at++
				}
				if at != len(all) {
					t.Fatalf("%s: skipping %d gave %d rows of %d", name, skip, at-skip, len(all))
				}
			}
		}
	}
}

func TestIsBinary(t *testing.T) {
	far := append(bytes.Repeat([]byte("a"), binaryProbe), 0)
	for _, c := range []struct {
		b    []byte
		want bool
	}{{nil, false}, {[]byte("a\x00"), true}, {far, false}, {far[1:], true}, {[]byte("\xff\xfe"), false}} {
		if got := IsBinary(c.b); got != c.want {
			t.Errorf("%.20q of %d bytes: %v", c.b, len(c.b), got)
		}
	}
}

// TestDiffIsSmall: what a comparison keeps is a few bytes a line, beside the texts.
func TestDiffIsSmall(t *testing.T) {
	old, new := bigPair(500000, 0.2)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d := Compare(old, new, Options{})
	runtime.GC()
	runtime.ReadMemStats(&after)
	kept := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	if perLine := kept / int64(d.Old.Lines()+d.New.Lines()); perLine > 16 {
		t.Errorf("%d bytes a line are kept: %d for %d hunks", perLine, kept, len(d.Hunks))
	}
	runtime.KeepAlive(old)
	runtime.KeepAlive(new)
}

// FuzzCompare: whatever the texts, the edits turn one into the other, both ways,
// and the hunks hold together.
func FuzzCompare(f *testing.F) {
	for _, s := range samples() {
		if len(s[0]) < 10000 { // long seeds make the fuzzer slow
			f.Add([]byte(s[0]), []byte(s[1]))
		}
	}
	f.Fuzz(func(t *testing.T, old, new []byte) {
		d := Compare(old, new, Options{})
		all, none := []Range{{0, d.Old.Lines()}}, Selection{}
		every := Selection{all, []Range{{0, d.New.Lines()}}}
		for name, pair := range map[string][2][]byte{
			"take all": {Take(d, every), new}, "take none": {Take(d, none), old},
			"without all": {Without(d, every), old}, "without none": {Without(d, none), new},
		} {
			if !bytes.Equal(pair[0], pair[1]) {
				t.Fatalf("%s: %q, want %q", name, pair[0], pair[1])
			}
		}
		for _, o := range []Options{{}, {IgnoreSpace: true}, {Context: NoContext}, {Context: 7}} {
			v := Compare(old, new, o)
			for _, h := range v.Hunks {
				if h.Number < 1 || h.Last < h.Number || h.Last > len(v.Exact()) {
					t.Fatalf("hunk numbers %d to %d of %d", h.Number, h.Last, len(v.Exact()))
				}
				rows := 0
				for r := range v.Rows(h) {
					v.Text(r)
					rows++
				}
				if rows != h.Len() {
					t.Fatalf("%d rows, Len %d", rows, h.Len())
				}
			}
		}
	})
}

// TestShownOtherwise: a comparison that is shown otherwise is the one that is made
// anew, and where white space makes no two lines equal, ignoring it changes nothing.
func TestShownOtherwise(t *testing.T) {
	list := slices.Collect(maps.Values(samples()))
	list = append(list, [2]string{"", "a\n"}, [2]string{"a b\nab\n", "ab\nx\na b\n"}, [2]string{"a\n\n\nb\n", "a\n\nb\n \n"}, [2]string{"x\ny\nx\ny\n", "y\nx\ny\nx\n"})
	mattered := 0
	for i, s := range list {
		old, now := []byte(s[0]), []byte(s[1])
		exact := Compare(old, now, Options{})
		for _, o := range []Options{{}, {IgnoreSpace: true}, {Context: NoContext}, {Context: 7, IgnoreSpace: true}} {
			want := Compare(old, now, o)
			for _, from := range []*Diff{exact, want} {
				got, want := *from.As(o), *want
				got.spaced, want.spaced = nil, nil
				if !reflect.DeepEqual(got, want) {
					t.Errorf("sample %d, %+v: %+v, want %+v", i, o, got, want)
				}
			}
			if o.IgnoreSpace {
				var shown []Edit
				for _, h := range want.Hunks {
					shown = append(shown, h.Edits...)
				}
				if all := (alignment{space: true, indent: true}).edits(watching(t.Context()), NewText(old), NewText(now)); !slices.Equal(shown, all) {
					t.Errorf("sample %d: shown %v, want %v", i, shown, all)
				}
			}
		}
		if exact.spaced.matters {
			mattered++
		}
	}
	if mattered == 0 || mattered == len(list) {
		t.Errorf("white space matters in %d of %d samples", mattered, len(list))
	}
}

// Over SpaceLimit white space counts, whatever is asked for.
func TestWhiteSpaceCountsInLargeTexts(t *testing.T) {
	line := strings.Repeat("x", 1<<10) + "\n"
	for _, c := range []struct{ lines, hunks int }{{3 << 10, 0}, {5 << 10, 1}} {
		old := []byte(strings.Repeat(line, c.lines))
		now := append([]byte("  "), old...)
		for name, d := range map[string]*Diff{"at once": Compare(old, now, Options{IgnoreSpace: true}), "later": Compare(old, now, Options{}).As(Options{IgnoreSpace: true})} {
			if len(d.Hunks) != c.hunks || d.HiddenSpace != 1-c.hunks || d.Large() != (c.hunks > 0) {
				t.Errorf("%d KB, %s: %d hunks, %d hidden", c.lines, name, len(d.Hunks), d.HiddenSpace)
			}
		}
	}
}
