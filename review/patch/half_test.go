package patch

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"
)

// TestHalfIsCompare: whichever text is there first, and however much longer the other
// one is, the comparison is the same.
func TestHalfIsCompare(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	text := func(lines, kinds int) []byte {
		var b strings.Builder
		for range lines {
			fmt.Fprintf(&b, "%s line %d\n", strings.Repeat(" ", r.Intn(2)), r.Intn(kinds))
		}
		return []byte(strings.TrimSuffix(b.String(), strings.Repeat("\n", r.Intn(2))))
	}
	for round := range 400 {
		kinds := 1 + r.Intn(400)
		old, new := text(r.Intn(40), kinds), text(r.Intn(40), kinds)
		switch round % 5 {
		case 0:
			old = text(900, 2000)
		case 1:
			new = text(900, 2000)
		case 2:
			new = append(append([]byte{}, old...), new...)
		}
		o := Options{IgnoreSpace: round%2 == 0}
		want := Compare(old, new, o)
		withNew, err1 := prepared(t, old).WithNew(t.Context(), new, o)
		withOld, err2 := prepared(t, new).WithOld(t.Context(), old, o)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		for name, got := range map[string]*Diff{"the old text first": withNew, "the new text first": withOld} {
			if !reflect.DeepEqual(got.Hunks, want.Hunks) || !reflect.DeepEqual(got.Exact(), want.Exact()) ||
				got.HiddenSpace != want.HiddenSpace || got.Adds != want.Adds || got.Dels != want.Dels || string(got.Old.Bytes) != string(old) || string(got.New.Bytes) != string(new) {
				t.Fatalf("round %d, %s: %+v, want %+v\nold %q\nnew %q", round, name, got.Hunks, want.Hunks, old, new)
			}
		}
	}
}

func prepared(t *testing.T, text []byte) *Half {
	t.Helper()
	h, err := Prepare(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return h
}
