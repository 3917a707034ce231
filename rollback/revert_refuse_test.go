//go:build linux || darwin

package rollback_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/ledger"
	"overturn/rollback"
	"overturn/rollback/journal"
)

// TestRevertIsRefused: each precondition has its own words, and nothing is written.
func TestRevertIsRefused(t *testing.T) {
	w, a := talked(t)
	before := w.files()
	plan := func(o rollback.RevertOptions) error { _, err := w.engine.PlanRevert(t.Context(), o); return err }
	refused(t, plan(rollback.RevertOptions{Thread: "nope"}), model.CodeUsage, "no thread")
	refused(t, plan(rollback.RevertOptions{Thread: "t1", To: 4}), model.CodeUsage, "ahead of the latest turn")
	refused(t, plan(rollback.RevertOptions{Thread: "t1", To: -1}), model.CodeUsage)

	a.refuse = model.Refusedf("the conversation is open").WithHint("close it")
	o, p := w.planRevert(1)
	refused(t, p.Refused, model.CodeRefused, "open")
	r, err := w.engine.Revert(t.Context(), o)
	refused(t, err, model.CodeRefused, "the conversation is open", "close it", "--keep-conversation", "nothing was written")
	w.is("outcome", string(r.Outcome), "refused")
	w.same("refused", w.files(), before)
	w.is("turns", w.numbers(), "123|")

	o.Keep = true
	_, err = w.engine.Revert(t.Context(), o)
	refused(t, err, model.CodeStale) // another word about the conversation is another plan
	w.Write("file", "by the user\n")
	a.refuse = nil
	o, p = w.planRevert(1)
	refused(t, p.Refused, model.CodeRefused, "cannot be taken back without losing other edits")
	_, err = w.engine.Revert(t.Context(), o)
	refused(t, err, model.CodeRefused, "--partial")
	o.Partial = true
	r, err = w.engine.Revert(t.Context(), o)
	w.must(err)
	w.is("outcome", fmt.Sprint(r.Outcome, len(r.Skipped), w.numbers()), "partial11|32")

	_, err = w.ledger.Start(t.Context(), ledger.StartEvent{Thread: "t1", Agent: "talker", TurnID: "9"})
	w.must(err)
	refused(t, plan(rollback.RevertOptions{Thread: "t1", To: 1}), model.CodeRefused, "turn 2", "is open")
}

// TestRevertKeepsTheConversation where that is asked for, and where the agent cannot.
func TestRevertKeepsTheConversation(t *testing.T) {
	w, a := talked(t)
	o := rollback.RevertOptions{Thread: "t1", To: 2, Keep: true}
	p, err := w.engine.PlanRevert(t.Context(), o)
	w.must(err)
	o.Expect = p.Fingerprint
	r, err := w.engine.Revert(t.Context(), o)
	w.must(err)
	if c := r.Conversation; c.Done || !c.Supported || c.Turns != 0 || !strings.Contains(c.Note, "as you said") || len(a.lines()) != 3 {
		t.Errorf("%+v", c)
	}
	w.talks = nil
	o, p = w.planRevert(1)
	if p.Conversation.Supported || p.Refused != nil {
		t.Errorf("%+v", p.Conversation)
	}
	r, err = w.engine.Revert(t.Context(), o)
	w.must(err)
	if c := r.Conversation; c.Done || c.Supported || !strings.Contains(c.Note, "knows no agent") {
		t.Errorf("%+v", c)
	}
	w.is("turns", w.numbers(), "1|23")
}

// TestRevertCutShort: the conversation fails behind the files. The report tells the
// halves apart, and both ways settle it.
func TestRevertCutShort(t *testing.T) {
	for _, way := range []string{"finish", "unwind", "keep"} {
		t.Run(way, func(t *testing.T) {
			w, a := talked(t)
			before := w.files()
			o, _ := w.planRevert(1)
			a.fail = errors.New("the provider says no")
			r, err := w.engine.Revert(t.Context(), o)
			refused(t, err, model.CodePartial, "the provider says no", "recover --finish", "recover --unwind")
			if r.Conversation.Done || r.Outcome != model.OutcomePartial || r.Undo != "" || r.Reverted != nil || len(r.Deleted) != 2 {
				t.Fatalf("%+v %+v", r, r.Conversation)
			}
			w.is("turns", w.numbers(), "123|")
			if i, err := w.engine.Interrupted(t.Context()); err != nil || i == nil || i.Kind != journal.KindRevert {
				t.Fatalf("%+v %v", i, err)
			}
			trace, err := os.ReadFile(w.trace)
			w.must(err)
			for _, event := range []string{"checkpoint.revert.requested", "checkpoint.revert.failed"} {
				if !strings.Contains(string(trace), event) {
					t.Errorf("no %s", event)
				}
			}
			settle := rollback.RecoverOptions{Way: journal.WayFinish}
			switch way {
			case "unwind":
				settle.Way = journal.WayUnwind
			case "keep":
				settle.Keep = true
			default:
				if _, err = w.engine.RecoverWith(t.Context(), "", settle); err == nil {
					t.Fatal("it still fails")
				}
				a.fail = nil
			}
			rec, err := w.engine.RecoverWith(t.Context(), "", settle)
			w.must(err)
			switch way {
			case "unwind":
				w.same("unwound", w.files(), before)
				w.is("turns", w.numbers(), "123|")
			case "finish":
				w.is("turns", w.numbers(), "1|32")
				w.is("conversation", strings.Join(a.lines(), " "), "1")
				if !rec.Conversation.Done {
					t.Errorf("%+v", rec.Conversation)
				}
			case "keep":
				w.is("turns", w.numbers(), "1|32")
				w.is("conversation", strings.Join(a.lines(), " "), "1 2 3")
			}
			w.settled()
		})
	}
}

// TestRevertMovesTheIndex where the thread's turns alone moved it; what the user staged
// between them stays.
func TestRevertMovesTheIndex(t *testing.T) {
	w, a := talked(t)
	w.said(a, "4", func() { w.Git("add", "new3"); w.Write("both", "turn 4\n"); w.Git("add", "both") })
	w.Git("rm", "-q", "--cached", "both")
	w.said(a, "5", func() { w.Write("file", "turn 5\n"); w.Git("add", "both", "file") })
	o, p := w.planRevert(1)
	if !strings.Contains(string(p.Patch), " index - - ") && !strings.Contains(string(p.Patch), " index 100644 ") {
		t.Errorf("the plan does not show entries of the index: %s", p.Patch)
	}
	_, err := w.engine.Revert(t.Context(), o)
	w.must(err)
	w.is("staged", w.Git("diff", "--cached", "--name-only"), "both")
	_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	w.is("staged again", w.Git("diff", "--cached", "--name-only"), "both\nfile\nnew3")
}
