//go:build linux || darwin

package rollback_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestOldCopiesThatCannotBeTidiedDoNotFailARollback: the rollback is done and recorded by
// then; it is not said to have failed, and what was staged is not staged any more.
func TestOldCopiesThatCannotBeTidiedDoNotFailARollback(t *testing.T) {
	w := newWorld(t)
	for n := range 23 {
		w.Write("f", fmt.Sprintf("before %d\n", n))
		w.turn(func() { w.Write("f", fmt.Sprintf("after %d\n", n)) })
		plan := w.stage("f")
		if n == 22 { // a file stands where the oldest folder was
			old, err := filepath.Glob(filepath.Join(w.repo.StateDir(), "kept", "*"))
			if err != nil || len(old) < 20 {
				t.Fatalf("%d folders of copies, %v", len(old), err)
			}
			w.must(os.RemoveAll(old[0]))
			w.must(os.WriteFile(old[0], []byte("x"), 0o600))
		}
		w.done(plan)
	}
	if plan, _, err := w.engine.Plan(t.Context()); err != nil || len(plan.Targets) > 0 {
		t.Errorf("still staged: %+v, %v", plan, err)
	}
}
