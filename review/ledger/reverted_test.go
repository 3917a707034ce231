package ledger_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"overturn/model"
	"overturn/review/ledger"
)

const revertID = model.ID("01kvbjcwya4yw6j5m9gp655hzn")

// reverted is a thread whose second and third turn are out, refs and all.
func reverted(t *testing.T) (*bench, ledger.Reverting) {
	t.Helper()
	b := newBench(t)
	for _, id := range []string{"x", "y", "z"} {
		b.start(th, id)
		b.Write("a.txt", id+"\n")
		b.end(th, id)
	}
	r := ledger.Reverting{Thread: th, To: 1, Latest: 3, ID: revertID}
	out := r
	out.Refs = func(context.Context) error {
		for _, n := range []string{"2", "3"} {
			b.Git("update-ref", "-d", b.refName(th, "turn/"+n))
		}
		return nil
	}
	if err := b.l.Revert(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	return b, r
}

// TestLateEventsOfTurnsThatAreOut change nothing: not the thread, not its newest turn,
// whether they name their turn or not.
func TestLateEventsOfTurnsThatAreOut(t *testing.T) {
	b, _ := reverted(t)
	before, err := b.l.Turn(t.Context(), th, 1)
	if err != nil {
		t.Fatal(err)
	}
	b.Write("a.txt", "later\n")
	for _, id := range []string{"z", "y", ""} {
		if _, err := b.l.End(t.Context(), ledger.EndEvent{Thread: th, TurnID: id, ByHook: true, Message: "late"}); err != nil {
			t.Errorf("a late end of %q: %v", id, err)
		}
		err := b.l.Tool(t.Context(), ledger.ToolEvent{Thread: th, TurnID: id, Phase: ledger.PhasePost, Tool: "edit", Paths: []model.Path{"a.txt"}})
		if err != nil {
			t.Errorf("a late tool of %q: %v", id, err)
		}
	}
	if _, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: th, TurnID: "z", At: before.StartedAt}); err != nil {
		t.Errorf("a late start: %v", err)
	}
	if err := b.l.Settle(t.Context()); err != nil {
		t.Error(err)
	}
	after, err := b.l.Turn(t.Context(), th, 1)
	if err != nil || after.End.Commit != before.End.Commit {
		t.Errorf("the newest turn moved: %+v, %v", after.End, err)
	}
	ev, err := b.l.Evidence(t.Context(), th, 1)
	if err != nil || len(ev.Touched) != 0 || len(ev.Moments) != 0 {
		t.Errorf("evidence of others: %+v, %v", ev, err)
	}
	want(t, "turns", b.states(th), "completed/ready")
	want(t, "the next", b.start(th, "z").Number, 2) // a script that uses an id again
	b.end(th, "z")
	want(t, "after it", b.states(th), "completed/ready completed/ready")
}

// TestRevertCutShort: however many turns were moved, a turn that starts gets a number of
// its own, and both directions know what to do.
func TestRevertCutShort(t *testing.T) {
	for name, went := range map[string]int{"before": 0, "between": 1} {
		t.Run(name, func(t *testing.T) {
			b, r := reverted(t)
			if err := b.l.Unrevert(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(b.repo.StateDir(), "ledger", th.RefPart())
			for n := range went {
				for _, suffix := range []string{".json", ".evidence.jsonl"} {
					err := os.Rename(filepath.Join(out, string(rune('2'+n))+suffix), filepath.Join(out, "reverted", string(revertID), string(rune('2'+n))+suffix))
					if err != nil && !errors.Is(err, os.ErrNotExist) {
						t.Fatal(err)
					}
				}
			}
			want(t, "the next", b.start(th, "n").Number, 4)
			b.end(th, "n")
			if err := b.l.Revert(t.Context(), r); model.CodeOf(err) != model.CodeRefused {
				t.Errorf("revert of a thread that went on: %v", err)
			}
			if err := b.l.CanUnrevert(t.Context(), r); err != nil {
				t.Errorf("it cannot be put back: %v", err)
			}
			if err := b.l.Unrevert(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			st, err := b.l.Standing(t.Context(), th)
			if err != nil || st.Latest != 4 || len(st.Turns) != 4 || st.Open != 0 {
				t.Errorf("%+v, %v", st, err)
			}
		})
	}
}

// TestGoesOn: a conversation with a new id is the thread's, until that is taken back.
func TestGoesOn(t *testing.T) {
	b, r := reverted(t)
	for range 2 {
		if err := b.l.GoesOn(t.Context(), "copy", th); err != nil {
			t.Fatal(err)
		}
	}
	next := b.start("copy", "c1")
	want(t, "thread and number", string(next.Thread)+" "+string(rune('0'+next.Number)), string(th)+" 2")
	b.Write("a.txt", "by the copy\n")
	b.end("copy", "c1")
	st, err := b.l.Standing(t.Context(), th)
	if err != nil || st.Conversation != "copy" || st.Latest != 2 {
		t.Errorf("%+v, %v", st, err)
	}
	if err := b.l.CanUnrevert(t.Context(), r); model.CodeOf(err) != model.CodeRefused {
		t.Errorf("the thread went on: %v", err)
	}
	b.start(th, "old") // the old conversation is the thread's all the same
	b.end(th, "old")
	if st, err = b.l.Standing(t.Context(), th); err != nil || st.Conversation != string(th) || st.Latest != 3 {
		t.Errorf("%+v, %v", st, err)
	}
	for range 2 {
		if err := b.l.GoesOnNoMore("copy"); err != nil {
			t.Fatal(err)
		}
	}
	want(t, "a thread of its own", string(b.start("copy", "c2").Thread), "copy")
}

// TestAllTurnsOut: a thread of which a revert took out every turn is still one that was
// recorded here, and who asks for its turns is told where they are.
func TestAllTurnsOut(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.Write("a.txt", "x\n")
	id := b.end(th, "x").Checkpoint
	if b.l.AllOut(t.Context()) || !b.l.Recorded(t.Context(), th, 1, id) || b.l.Recorded(t.Context(), "other", 1, id) || b.l.Recorded(t.Context(), th, 1, revertID) || b.l.Recorded(t.Context(), th, 2, id) {
		t.Error("before the revert")
	}
	out := func(context.Context) error { b.Git("update-ref", "-d", b.refName(th, "turn/1")); return nil }
	if err := b.l.Revert(t.Context(), ledger.Reverting{Thread: th, To: 0, Latest: 1, ID: revertID, Refs: out}); err != nil {
		t.Fatal(err)
	}
	if !b.l.AllOut(t.Context()) || !b.l.Recorded(t.Context(), th, 1, id) || b.l.Has(t.Context(), th) {
		t.Error("after the revert")
	}
	_, err := b.l.Default(t.Context())
	if want := "all turns that were recorded in this work tree were taken back"; err == nil || err.Error() != want || model.CodeOf(err) != model.CodeNoRepository {
		t.Errorf("the newest thread: %v", err)
	}
	_, err = b.l.Resolve(t.Context(), string(th))
	if want := `all turns of thread "` + string(th) + `" were taken back`; err == nil || err.Error() != want || model.CodeOf(err) != model.CodeUsage {
		t.Errorf("the thread by its name: %v", err)
	}
}
