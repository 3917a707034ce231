package ledger_test

import (
	"os"
	"path/filepath"
	"testing"

	"overturn/model"
	"overturn/review/ledger"
)

// TestHundreds: turns lie in folders of a hundred, and what works on turns works
// across their borders.
func TestHundreds(t *testing.T) {
	b := newBench(t)
	for n := range 102 {
		id := string(rune('a'+n/26)) + string(rune('a'+n%26))
		b.start(th, id)
		if n == 98 || n == 99 || n == 101 {
			b.Write("a.txt", id+"\n")
		}
		b.end(th, id)
	}
	folder := filepath.Join(b.repo.StateDir(), "ledger", th.RefPart())
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return err == nil
	}
	if !exists("99.json") || exists("100.json") || !exists("100/100.json") || !exists("100/102.json") {
		t.Error("the turns are not where they belong")
	}
	if err := b.l.Touch(t.Context(), th, []model.Path{"a.txt"}); err != nil || !exists("100/102.evidence.jsonl") {
		t.Errorf("evidence: %v", err)
	}
	numbers := func(limit int) (list []int) {
		turns, err := b.l.Turns(t.Context(), th, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range turns {
			if turn.Status != model.StatusReady {
				t.Errorf("turn %d: %s %s", turn.Number, turn.Status, turn.StatusReason)
			}
			list = append(list, turn.Number)
		}
		return list
	}
	wantAll(t, "the newest four", numbers(4), []int{99, 100, 101, 102})
	want(t, "all", len(numbers(0)), 102)
	// A file that was lost leaves a gap; the next turn does not take a number again.
	if err := os.Remove(filepath.Join(folder, "100", "101.json")); err != nil {
		t.Fatal(err)
	}
	wantAll(t, "with a gap", numbers(3), []int{99, 100, 102})
	rows, err := b.l.Threads(t.Context())
	if err != nil || len(rows) != 1 || rows[0].Turns != 102 {
		t.Errorf("%+v, %v", rows, err)
	}
	out := ledger.Reverting{Thread: th, To: 98, Latest: 102, ID: "01jf0000000000000000000000"}
	if err := b.l.Revert(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	wantAll(t, "after the revert", numbers(2), []int{97, 98})
	taken, err := b.l.Reverted(t.Context(), th)
	if err != nil || len(taken) != 3 || taken[0].Number != 102 {
		t.Errorf("%d turns, %v", len(taken), err)
	}
	if err := b.l.Unrevert(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	want(t, "the next", b.start(th, "next").Number, 103)
}

func wantAll(t *testing.T, what string, got, want []int) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
}
