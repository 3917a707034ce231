//go:build linux || darwin

package rollback_test

import (
	"fmt"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/ledger"
	"overturn/rollback"
)

// TestRevert: files, conversation, refs and turns go back together, and come again;
// what the user did stays; the next turn is N+1.
func TestRevert(t *testing.T) {
	w, a := talked(t)
	w.Write("mine", "user, later\n")
	before := w.files()
	o, p := w.planRevert(1)
	if p.Turns() != 2 || p.Conversation.Turns != 2 || !p.Conversation.Supported || p.Refused != nil || len(p.Targets) != 3 {
		t.Fatalf("%+v", p)
	}
	again, q := w.planRevert(1)
	w.is("fingerprint", q.Fingerprint, p.Fingerprint)
	r, err := w.engine.Revert(t.Context(), again)
	w.must(err)
	if r.Outcome != model.OutcomeComplete || !r.Verified || !r.Conversation.Done || r.Conversation.Turns != 2 || *r.Reverted != (model.Reverted{Thread: "t1", To: 1, Latest: 3}) {
		t.Errorf("%+v %+v", r, r.Conversation)
	}
	if !strings.HasSuffix(r.Conversation.Note, agents.Caveat) {
		t.Errorf("it is no promise: %q", r.Conversation.Note)
	}
	want := clone(before)
	delete(want, "new2")
	delete(want, "new3")
	want["file"] = strings.Replace(before["file"], "turn 3", "turn 1", 1)
	w.same("reverted", w.files(), want)
	w.is("conversation", strings.Join(a.lines(), " "), "1")
	w.is("turns", w.numbers(), "1|32")
	w.is("refs", w.refNames("threads"), "turn/0 turn/1")
	w.is("parked", w.refNames("reverted"), "turn/2 turn/3")
	w.settled()

	u, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	if u.Outcome != model.OutcomeUndone || !u.Conversation.Done || u.Conversation.Note != "the lines came back" {
		t.Errorf("%+v %+v", u, u.Conversation)
	}
	u0 := u.ID
	w.same("undone", w.files(), before)
	w.is("conversation", strings.Join(a.lines(), " "), "1 2 3")
	w.is("turns", w.numbers(), "123|")
	w.is("refs", w.refNames("threads"), "turn/0 turn/1 turn/2 turn/3")
	w.is("parked", w.refNames("reverted"), "")

	u, err = w.engine.Undo(t.Context(), r.ID, rollback.ExecuteOptions{})
	w.must(err)
	w.is("undone again", string(u.ID), "")
	a.refuse = model.Refusedf("the conversation is open")
	if past, err := w.engine.HistoryOf(t.Context(), u0); err != nil || past.Undo == "" {
		t.Errorf("the history asks no agent: %+v, %v", past, err)
	}
	_, err = w.engine.Redo(t.Context(), "", rollback.ExecuteOptions{})
	refused(t, err, model.CodeRefused, "the conversation is open")
	w.same("not redone", w.files(), before)
	a.refuse = nil
	_, err = w.engine.Redo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	w.same("redone", w.files(), want)
	w.is("turns", w.numbers(), "1|32")
	w.is("conversation", strings.Join(a.lines(), " "), "1")

	// a late end of a turn that is out changes nothing, and the thread goes on
	if _, err := w.ledger.End(t.Context(), ledger.EndEvent{Thread: "t1", TurnID: "3", ByHook: true}); err != nil {
		t.Error(err)
	}
	w.is("after the late end", w.numbers(), "1|32")
	w.said(a, "4", func() { w.Write("file", "turn 4\n") })
	w.is("went on", w.numbers(), "12|32")
	_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	refused(t, err, model.CodeRefused, "gone on", "--reverted")
	_, err = w.engine.Revert(t.Context(), o)
	refused(t, err, model.CodeStale)
	kinds := ""
	list, err := w.engine.History(t.Context())
	w.must(err)
	for _, h := range list {
		kinds += h.Kind + " "
	}
	w.is("history", kinds, "redo undo revert ")
}

// TestRevertToTheBeginning: back to the baseline, and the thread begins anew.
func TestRevertToTheBeginning(t *testing.T) {
	w, a := talked(t)
	o, _ := w.planRevert(0)
	_, err := w.engine.Revert(t.Context(), o)
	w.must(err)
	w.is("turns", w.numbers(), "|321")
	if got := w.files(); len(got) != 2 || !strings.HasSuffix(got["mine"], "user\n") {
		t.Errorf("%v", got)
	}
	w.is("conversation", strings.Join(a.lines(), " "), "")
	w.is("refs", w.refNames("threads"), "")
	w.said(a, "n", func() { w.Write("file", "anew\n") })
	w.is("turns", w.numbers(), "1|321")
	o, _ = w.planRevert(0)
	_, err = w.engine.Revert(t.Context(), o)
	w.must(err)
	u, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	w.is("undone", string(u.Outcome)+" "+w.numbers(), "undone 1|321")
}

// TestRevertGoesOnUnderANewID: what an agent goes on with as another conversation is the
// thread's next turn; undo before that lets it be one of its own.
func TestRevertGoesOnUnderANewID(t *testing.T) {
	for _, undone := range []bool{false, true} {
		w, a := talked(t)
		a.newID = "copy"
		o, _ := w.planRevert(1)
		_, err := w.engine.Revert(t.Context(), o)
		w.must(err)
		if undone {
			_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
			w.must(err)
		}
		turn, err := w.ledger.Start(t.Context(), ledger.StartEvent{Thread: "copy", Agent: "talker", TurnID: "c"})
		w.must(err)
		want := "t1 2"
		if undone {
			want = "copy 1"
		}
		w.is("the next turn", fmt.Sprint(turn.Thread, " ", turn.Number), want)
	}
}

// TestRevertWithoutTheTurnsInTheConversation: that it was taken back is not said.
func TestRevertWithoutTheTurnsInTheConversation(t *testing.T) {
	w, a := talked(t)
	w.must(a.write([]string{"1"}))
	a.lost = true
	o, p := w.planRevert(1)
	if p.Refused != nil || p.Conversation.Turns != 0 || !strings.HasPrefix(p.Conversation.Note, "none of these") {
		t.Errorf("plan: %+v", p.Conversation)
	}
	r, err := w.engine.Revert(t.Context(), o)
	w.must(err)
	if r.Outcome != model.OutcomeComplete || r.Conversation.Done || r.Conversation.Turns != 0 {
		t.Errorf("%+v %+v", r, r.Conversation)
	}
	past, err := w.engine.History(t.Context())
	w.must(err)
	if past[0].Forgotten {
		t.Error("the history says that the agent forgot the turns")
	}
}
