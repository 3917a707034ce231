package find_test

import (
	"strings"
	"testing"

	"overturn/ui/find"
)

func TestIndex(t *testing.T) {
	for _, c := range []struct {
		query, text string
		from, want  int
	}{
		{"", "abc", 0, -1},
		{"b", "abc", 0, 1},
		{"b", "aBc", 0, 1},
		{"B", "abc", 0, -1},
		{"b", "Bxb", 0, 0},
		{"b", "Bxb", 1, 2},
		{"b", "bb", 3, -1},
		{"ab", "aaB", 0, 1},
		{"ab", "a", 0, -1},
		{"é", "É é", 0, 3},
		{"k", "\u212a k", 0, 4}, // the Kelvin sign folds to k in Unicode, not here
		{".*", "a.*", 0, 1},
		{"\xff", "a\xff", 0, 1},
	} {
		if got := find.New(c.query).Index([]byte(c.text), c.from); got != c.want {
			t.Errorf("%q in %q from %d: %d, want %d", c.query, c.text, c.from, got, c.want)
		}
	}
}

// ASCII queries in lower case match as strings.ToLower would have it.
func FuzzIndex(f *testing.F) {
	f.Add("ab", []byte("xABab"), 1)
	f.Add("k", []byte("\u212aK"), 0)
	f.Fuzz(func(t *testing.T, query string, text []byte, from int) {
		if from < 0 || from > len(text) {
			return
		}
		for _, c := range []byte(query) {
			if c >= 0x80 || c >= 'A' && c <= 'Z' {
				return
			}
		}
		var lower []byte
		for _, c := range text[from:] {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			lower = append(lower, c)
		}
		want := strings.Index(string(lower), query)
		if want >= 0 {
			want += from
		}
		if query == "" {
			want = -1
		}
		if got := find.New(query).Index(text, from); got != want {
			t.Errorf("%q in %q from %d: %d, want %d", query, text, from, got, want)
		}
	})
}
