package patch

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// The line that is next in turn must give the number that looking the line up gives.
func TestNumberNextIsWhatLookingUpGives(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	for round := range 300 {
		kinds := 1 + r.Intn(12)
		line := func() string { return strings.Repeat(" ", r.Intn(2)) + fmt.Sprint(r.Intn(kinds)) }
		var old, new []string
		for range r.Intn(60 + round%3*200) {
			old = append(old, line())
		}
		for _, l := range old {
			switch r.Intn(8 + round%3*40) {
			case 0:
			case 1:
				new = append(new, line(), l)
			case 2:
				new = append(new, line())
			default:
				new = append(new, l)
			}
		}
		a, b := []byte(strings.Join(old, "\n")), []byte(strings.Join(new, "\n"))
		w := watching(t.Context())
		for _, space := range []bool{false, true} {
			fast := newInterner(NewText(a), NewText(b), space)
			got := fast.numberNext(w, fast.number(w))
			slow := newInterner(NewText(a), NewText(b), space)
			slow.number(w)
			want := make([]int32, slow.texts[1].Lines())
			for i := range want {
				want[i] = slow.id(lineAt{1, int32(i)})
			}
			if !slices.Equal(got, want) || len(fast.lines) != len(slow.lines) {
				t.Fatalf("round %d, space %t: %v, want %v\nold %q\nnew %q", round, space, got, want, a, b)
			}
		}
	}
}
