package patch

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// TestTotalsAreThoseOfTheRows: counted as Parse reads them, rows that look like
// headers and a last line without its newline included.
func TestTotalsAreThoseOfTheRows(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	lines := []string{"@@ -1 +1 @@", "-- a/x", "++ b/x", "diff --git a/x b/x", "", "\\ No newline at end of file", "words"}
	text := func() string {
		var b strings.Builder
		for range r.Intn(40) {
			fmt.Fprintln(&b, lines[r.Intn(len(lines))])
		}
		return strings.TrimSuffix(b.String(), strings.Repeat("\n", r.Intn(2)))
	}
	for range 300 {
		var patch strings.Builder
		patch.WriteString("# now file path +x\n")
		for i := range 3 {
			old, new := text(), text()
			h := FileHeader{Path: "x", OldMode: "100644", NewMode: "100644", OldID: fmt.Sprintf("%040d", 2*i+1), NewID: fmt.Sprintf("%040d", 2*i+2)}
			if old == new {
				continue
			}
			if err := Unified(&patch, h, Compare([]byte(old), []byte(new), Options{})); err != nil {
				t.Fatal(err)
			}
		}
		files, err := Parse([]byte(patch.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, patch.String())
		}
		wantAdded, wantRemoved := 0, 0
		for _, f := range files {
			for _, h := range f.Hunks {
				for _, l := range h.Lines {
					wantAdded += strings.Count(string(l.Kind), "+")
					wantRemoved += strings.Count(string(l.Kind), "-")
				}
			}
		}
		if added, removed := Totals([]byte(patch.String())); added != wantAdded || removed != wantRemoved {
			t.Fatalf("+%d -%d, want +%d -%d\n%s", added, removed, wantAdded, wantRemoved, patch.String())
		}
	}
	whole := "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n"
	if added, removed := Totals([]byte(whole[:len(whole)-5])); added != 1 || removed != 1 {
		t.Errorf("of one that breaks off: +%d -%d", added, removed)
	}
}
