package similar_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/similar"
)

func files(list ...string) []similar.File {
	out := make([]similar.File, len(list))
	for i, s := range list {
		path, key, _ := strings.Cut(s, "=")
		out[i] = similar.File{Path: model.Path(path), Key: key}
	}
	return out
}

// text is n lines of which no two are alike.
func text(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of %s\n", i, name)
	}
	return b.String()
}

// reader sketches texts; an empty one is not to be compared.
func reader(texts ...string) similar.Reader {
	return func(_ context.Context, i int) (*similar.Sketch, error) {
		if texts[i] == "" {
			return nil, nil
		}
		return similar.New([]byte(texts[i]), false), nil
	}
}

func none(t *testing.T) similar.Reader {
	return func(_ context.Context, i int) (*similar.Sketch, error) {
		t.Errorf("file %d was read", i)
		return nil, nil
	}
}

// Of equal contents those with one base name are a pair before others are, and no file
// is in two.
func TestEqual(t *testing.T) {
	gone := files("a/x.go=1", "b/y.go=1", "c/z.go=2", "d/w.go=3")
	come := files("n/other.go=1", "n/y.go=1", "n/third.go=1", "n/z.go=9", "n/w2.go=3")
	want := []similar.Match{{Gone: 1, Come: 1, Score: 1}, {Gone: 0, Come: 0, Score: 1}, {Gone: 3, Come: 4, Score: 1}}
	if got := similar.Equal(gone, come); !slices.Equal(got, want) {
		t.Errorf("pairs %v, want %v", got, want)
	}
}

// The best pair goes first, then the one of equal names; what is taken is not taken again.
func TestPair(t *testing.T) {
	one, two := text("one", 40), text("two", 40)
	gone, come := files("a.go=1", "b.go=2", "same.go=3"), files("x.go=4", "b.go=5", "moved.go=3")
	// x.go is nearly a.go, and b.go half of it; b.go is most like b.go.
	got, err := similar.Pair(t.Context(), gone, come, 10, reader(one, two, "never"), reader(one+"more\n", two[:len(two)*3/4]+"rest\n", "never"))
	if err != nil || len(got) != 3 {
		t.Fatalf("%v, %v", got, err)
	}
	if got[0] != (similar.Match{Gone: 2, Come: 2, Score: 1}) || got[1].Gone != 0 || got[1].Come != 0 || got[2].Gone != 1 || got[2].Come != 1 {
		t.Errorf("pairs %v", got)
	}
	if !(got[1].Score > 0.95 && got[1].Score < 1) || !(got[2].Score > 0.7 && got[2].Score < 0.8) {
		t.Errorf("scores %v, want about 0.99 and 0.75", got)
	}

	got, err = similar.Pair(t.Context(), files("q.go=1", "n.go=2"), files("n.go=3"), 10, reader(one, one), reader(one))
	if want := []similar.Match{{Gone: 1, Come: 0, Score: 1}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("of two that are as much alike %v (%v), want the one of the same name, %v", got, err, want)
	}
}

// Half of the larger file is enough, a line less is not; as git has it.
func TestHalf(t *testing.T) {
	line := func(c byte) string { return strings.Repeat(string(c), 31) + "\n" }
	rows := func(list string) string {
		var b strings.Builder
		for i := range len(list) {
			b.WriteString(line(list[i]))
		}
		return b.String()
	}
	for _, c := range []struct {
		old, now string
		want     float64
	}{
		{"abcd", "abxy", 0.5}, {"abcd", "axyz", 0}, {"abcd", "dcba", 1}, {"aabb", "aaxx", 0.5},
		{"abcd", "abcdefgh", 0.5}, {"abcd", "abcdefghi", 0}, {"", "", 0},
	} {
		got, err := similar.Pair(t.Context(), files("a=1"), files("b=2"), 10, reader(rows(c.old)), reader(rows(c.now)))
		score := 0.0
		if len(got) > 0 {
			score = got[0].Score
		}
		if err != nil || score != c.want {
			t.Errorf("%q and %q are alike by %v, want %v (%v)", c.old, c.now, score, c.want, err)
		}
	}
}

// Line ends of Windows are no difference in a text, and are one in what is none.
func TestLineEnds(t *testing.T) {
	unix := text("it", 30)
	dos := strings.ReplaceAll(unix, "\n", "\r\n")
	for binary, want := range map[bool]int{false: 1, true: 0} {
		sketch := func(s string) similar.Reader {
			return func(context.Context, int) (*similar.Sketch, error) { return similar.New([]byte(s), binary), nil }
		}
		if got, err := similar.Pair(t.Context(), files("a=1"), files("b=2"), 10, sketch(unix), sketch(dos)); err != nil || len(got) != want {
			t.Errorf("binary %v: %v (%v), want %d pairs", binary, got, err, want)
		}
	}
}

// Beyond the limit, and where nothing is left to pair, no content is read at all.
func TestPairReadsNoMoreThanItMust(t *testing.T) {
	gone, come := files("a=1", "b=2", "c=3"), files("x=4", "y=5", "z=3")
	got, err := similar.Pair(t.Context(), gone, come, 1, none(t), none(t))
	if want := []similar.Match{{Gone: 2, Come: 2, Score: 1}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("over the limit %v (%v), want %v", got, err, want)
	}
	if got, err := similar.Pair(t.Context(), files("a=1"), files("x=1", "y=2"), 10, none(t), none(t)); err != nil || len(got) != 1 {
		t.Errorf("nothing left to pair: %v (%v)", got, err)
	}
}

// What cannot be read, and a cancel, end it with their own error.
func TestPairFails(t *testing.T) {
	broken := errors.New("broken")
	fails := func(context.Context, int) (*similar.Sketch, error) { return nil, broken }
	for _, of := range [][2]similar.Reader{{fails, reader("a")}, {reader("a"), fails}} {
		if _, err := similar.Pair(t.Context(), files("a=1"), files("b=2"), 10, of[0], of[1]); !errors.Is(err, broken) {
			t.Errorf("it ended with %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := similar.Pair(ctx, files("a=1"), files("b=2"), 10, reader("a"), reader("b")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, it ended with %v", err)
	}
}
