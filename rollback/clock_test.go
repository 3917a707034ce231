//go:build linux || darwin

package rollback_test

import (
	"testing"
	"time"

	"overturn/rollback"
)

// TestUndoTakesTheNewestWhateverTheClockSays: a clock that was set back between two
// rollbacks does not make the later one the older: undo, redo and the history go by what
// came after what.
func TestUndoTakesTheNewestWhateverTheClockSays(t *testing.T) {
	w := newWorld(t)
	w.Write("a", "a\n")
	w.Write("b", "b\n")
	w.Commit("base")
	w.turn(func() { w.Write("a", "A\n"); w.Write("b", "B\n") })
	first := w.done(w.stage("a"))
	w.ahead = -48 * time.Hour
	w.engines() // another process, with no memory of the ids before
	second := w.done(w.stage("b"))

	list, err := w.engine.History(t.Context())
	w.must(err)
	if len(list) != 2 || list[0].ID != second.ID {
		t.Errorf("the newest of the history is %+v, want %s", list, second.ID)
	}
	w.ahead = -72 * time.Hour
	w.engines()
	undo, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	if len(undo.Restored) != 1 || undo.Restored[0] != "b" {
		t.Errorf("undo brought %q again, want b, of the newest rollback; the older one is %s", undo.Restored, first.ID)
	}
	redo, err := w.engine.Redo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	if len(redo.Restored) != 1 || redo.Restored[0] != "b" {
		t.Errorf("redo took %q, want b", redo.Restored)
	}
}
