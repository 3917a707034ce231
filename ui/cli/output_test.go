package cli

import (
	"strings"
	"testing"
)

// Foreign text never drives a terminal, however it is cut into writes.
func TestSafeWriter(t *testing.T) {
	const text = "+\x1b]0;t\aé\u202e\tx\n+\xff界\n-a\u009b2J\n"
	const want = `+\x1b]0;t\x07é` + `\u202e` + "\tx\n" + `+\xff界` + "\n" + `-a\x9b2J` + "\n"
	for size := 1; size <= len(text); size++ {
		var got strings.Builder
		w := &safeWriter{to: &got}
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if got.String() != want {
			t.Fatalf("in pieces of %d: %q, want %q", size, got.String(), want)
		}
	}
}
