//go:build linux || darwin

package rollback_test

import (
	"context"
	"strings"
	"testing"

	"overturn/model"
	"overturn/rollback"
)

// The reason of a rollback is kept with it, in one line; its undo has none.
func TestWhy(t *testing.T) {
	w := newWorld(t)
	w.Write("a", "one\n")
	w.Commit("base")
	w.turn(func() { w.Write("a", "two\n") })
	plan := w.stage()
	long := rollback.ExecuteOptions{Expect: plan.Fingerprint, Why: strings.Repeat("x", 1001)}
	if _, err := w.engine.Execute(context.Background(), long); model.CodeOf(err) != model.CodeUsage || w.Read("a") != "two\n" {
		t.Fatalf("a reason that is too long: %v", err)
	}
	r, err := w.engine.Execute(context.Background(), rollback.ExecuteOptions{Expect: plan.Fingerprint, Why: " rounding\n stays\tin one\xff place "})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.engine.Undo(context.Background(), r.ID, rollback.ExecuteOptions{}); err != nil {
		t.Fatal(err)
	}
	entries, err := w.engine.History(context.Background())
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v, %v", entries, err)
	}
	if entries[1].Why != "rounding stays in one\uFFFD place" || entries[0].Why != "" {
		t.Errorf("reasons: %q, of the undo %q", entries[1].Why, entries[0].Why)
	}
}
