//go:build linux || darwin

package rollback_test

import (
	"strings"
	"testing"

	"overturn/model"
	"overturn/rollback"
)

// TestUndoNamesWhatSettlingLeft: a path that was edited after the crash is left out
// when the rollback is finished, and named when that is undone, wherever the crash was.
func TestUndoNamesWhatSettlingLeft(t *testing.T) {
	s := newTwo(t)
	for _, point := range []string{"rollback.beside", "rollback.swapped", "rollback.marked", "rollback.applied"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			w := s.copy(t)
			if !w.killed(crashJob{Verb: "rollback", Expect: s.fingerprint}, point) {
				t.Fatal("the child was not killed")
			}
			w.Write("a", "edited after the crash\n")
			r, err := w.engine.Recover(t.Context(), "", "finish")
			w.must(err)
			if r.Outcome != model.OutcomePartial || len(r.Skipped) != 1 || r.Skipped[0].Path != "a" || w.Read("b") != "old b\n" {
				t.Fatalf("finished: %+v", r)
			}
			u, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
			w.must(err)
			if u.Outcome != model.OutcomeUndone || len(u.Skipped) > 0 || len(u.Kept) != 1 || u.Kept[0].Path != "a" ||
				!strings.Contains(u.Kept[0].Reason, "the rollback left it out: it was changed since the crash") {
				t.Errorf("undone: %s, skipped %v, kept %v", u.Outcome, u.Skipped, u.Kept)
			}
			if a, b := w.Read("a"), w.Read("b"); a != "edited after the crash\n" || b != "new b\n" {
				t.Errorf("after the undo: %q, %q", a, b)
			}
			w.settled()
		})
	}
}

// TestUndoRefusesAnEditAfterSettling: only what settling left out is left without a
// word of refusal.
func TestUndoRefusesAnEditAfterSettling(t *testing.T) {
	s := newTwo(t)
	w := s.copy(t)
	if !w.killed(crashJob{Verb: "rollback", Expect: s.fingerprint}, "rollback.swapped") {
		t.Fatal("the child was not killed")
	}
	w.Write("a", "edited after the crash\n")
	_, err := w.engine.Recover(t.Context(), "", "finish")
	w.must(err)
	w.Write("b", "edited after the recovery\n")
	_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	refused(t, err, model.CodeRefused, "\"b\"")
	if a, b := w.Read("a"), w.Read("b"); a != "edited after the crash\n" || b != "edited after the recovery\n" {
		t.Errorf("after the refusal: %q, %q", a, b)
	}
}

func newTwo(t *testing.T) scene {
	w := newWorld(t)
	w.Write("a", "old a\n")
	w.Write("b", "old b\n")
	w.Git("add", "-A")
	w.Commit("base")
	w.turn(func() {
		w.Write("a", "new a\n")
		w.Write("b", "new b\n")
	})
	return scene{w: w, fingerprint: w.stage().Fingerprint}
}
