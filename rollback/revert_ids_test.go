//go:build linux || darwin

package rollback_test

import (
	"errors"
	"fmt"
	"testing"

	"overturn/model"
	"overturn/review/ledger"
	"overturn/rollback"
	"overturn/rollback/journal"
)

// TestRedoGoesOnUnderAnotherID: a revert that is done again makes another copy of the
// conversation. That one goes on with the thread, cut short or not, and the copy that was
// undone is a thread of its own; after an unwind both are.
func TestRedoGoesOnUnderAnotherID(t *testing.T) {
	for way, want := range map[string]string{"": "t1 2, copy 1", journal.WayFinish: "t1 2, copy 1", journal.WayUnwind: "copy2 1, copy 1"} {
		w, a := talked(t)
		a.newID = "copy"
		o, _ := w.planRevert(1)
		_, err := w.engine.Revert(t.Context(), o)
		w.must(err)
		_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
		w.must(err)
		a.newID = "copy2"
		if way == "" {
			_, err = w.engine.Redo(t.Context(), "", rollback.ExecuteOptions{})
			w.must(err)
		} else {
			a.deaf = errors.New("not heard any more")
			_, err = w.engine.Redo(t.Context(), "", rollback.ExecuteOptions{})
			refused(t, err, model.CodePartial, "not heard any more")
			a.deaf = nil
			_, err = w.engine.RecoverWith(t.Context(), "", rollback.RecoverOptions{Way: way})
			w.must(err)
		}
		w.settled()
		next := ""
		for _, id := range []model.ThreadID{"copy2", "copy"} {
			turn, err := w.ledger.Start(t.Context(), ledger.StartEvent{Thread: id, Agent: "talker", TurnID: "next"})
			w.must(err)
			next += fmt.Sprint(turn.Thread, " ", turn.Number, ", ")
		}
		w.is("the next turns, "+way, next, want+", ")
	}
}
