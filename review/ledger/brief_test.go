//go:build unix

package ledger_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"overturn/model"
)

// A brief turn says what its files add up to, whether the lists lie in a file of
// their own or not, and also when the ledger's own files are damaged.
func TestBriefsAddUp(t *testing.T) {
	for _, n := range []int{0, 3, 150} {
		b := newBench(t)
		b.start("t", "one")
		for i := range n {
			b.Write(fmt.Sprintf("new/%d.txt", i), "a\nb\n")
		}
		b.Write("a.txt", "uno\n")
		b.end("t", "one")
		want := model.FileSum{Files: n + 1, Additions: 2*n + 1, Deletions: 1}
		check := func(when string) {
			briefs, err := b.l.Briefs(t.Context(), "t", 0)
			if err != nil || len(briefs) != 1 {
				t.Fatalf("%d files, %s: %+v, %v", n, when, briefs, err)
			}
			if got := briefs[0]; got.Files != nil || got.Sum == nil || *got.Sum != want {
				t.Errorf("%d files, %s: %+v", n, when, got.Sum)
			}
			if whole := b.turn("t", 1); len(whole.Files) != n+1 || whole.Sum != nil {
				t.Errorf("%d files, %s: the whole turn has %d files and %+v", n, when, len(whole.Files), whole.Sum)
			}
		}
		check("recorded")
		files, err := filepath.Glob(filepath.Join(b.repo.StateDir(), "ledger", "*", "1.*json"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			if err := os.WriteFile(file, nil, 0o600); err != nil { // as a power cut leaves it
				t.Fatal(err)
			}
		}
		check("from the record")
	}
}

// An open turn has no sum: nothing is known of its files yet.
func TestBriefOfAnOpenTurn(t *testing.T) {
	b := newBench(t)
	b.start("t", "one")
	brief, err := b.l.Brief(t.Context(), "t", 1)
	if err != nil || brief.Sum != nil {
		t.Errorf("%+v, %v", brief.Sum, err)
	}
}
