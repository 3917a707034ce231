//go:build linux || darwin

package rollback_test

import (
	"slices"
	"strings"
	"testing"

	"overturn/model"
	"overturn/rollback"
)

// TestHistoryOfOne: an entry says what it did and whether it can be taken back, while it
// is interrupted, after it was unwound, when it is done, and when it was undone.
func TestHistoryOfOne(t *testing.T) {
	s := newTwo(t)
	w := s.copy(t)
	one := func(id model.ID) *rollback.Past {
		t.Helper()
		p, err := w.engine.HistoryOf(t.Context(), id)
		w.must(err)
		return p
	}
	says := func(what string, p *rollback.Past, outcome model.Outcome, did, noUndo string) {
		t.Helper()
		ok := p.Undo == "" && strings.Contains(p.NoUndo, noUndo)
		if noUndo == "" {
			ok = p.NoUndo == "" && p.Undo == "overturn undo "+string(p.ID)
		}
		if !ok || p.Outcome != outcome || !slices.Equal(p.Did, []string{did, did}) || len(p.Targets) != 2 || !strings.HasSuffix(p.Safety, string(p.ID)) {
			t.Errorf("%s: %+v", what, p)
		}
	}
	newest := func() model.ID {
		t.Helper()
		list, err := w.engine.History(t.Context())
		w.must(err)
		return list[0].ID
	}
	if !w.killed(crashJob{Verb: "rollback", Expect: s.fingerprint}, "rollback.swapped") {
		t.Fatal("the child was not killed")
	}
	cut := newest()
	says("interrupted", one(cut), rollback.OutcomeInterrupted, "open", "overturn recover")
	_, err := w.engine.Recover(t.Context(), "", "unwind")
	w.must(err)
	says("unwound", one(cut), model.OutcomeUndone, "left", "it ended as undone")

	whole := w.done(w.stage())
	before := w.files()
	p := one(whole.ID)
	says("done", p, model.OutcomeComplete, "done", "")
	if !p.Verified || p.Of != "" || p.Safety != whole.Safety || p.Targets[0].Verdict != model.VerdictClean {
		t.Errorf("done: %+v", p)
	}
	w.same("history looked", w.files(), before)

	undo, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	says("undone", one(whole.ID), model.OutcomeComplete, "done", "by "+string(undo.ID))
	if p = one(undo.ID); p.Of != whole.ID {
		t.Errorf("the undo is of %q", p.Of)
	}
	says("the undo", p, model.OutcomeUndone, "done", "")
	_, err = w.engine.HistoryOf(t.Context(), "01arz3ndektsv4rrffq69g5fav")
	refused(t, err, model.CodeUsage, "no rollback")
}
