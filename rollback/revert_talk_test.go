//go:build linux || darwin

package rollback_test

import (
	"errors"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/ledger"
	"overturn/rollback"
	"overturn/rollback/journal"
)

// TestRevertIsCutShortBehindTheConversation: the agent took it back and then failed. Nobody
// is told that it stands as it was: not by the revert, not where it is finished with the
// flag that leaves it as it is, and not where it cannot be looked at any more.
func TestRevertIsCutShortBehindTheConversation(t *testing.T) {
	for name, c := range map[string]struct {
		o          rollback.RecoverOptions
		open       error
		done       bool
		note, talk string
	}{
		"finish":             {o: rollback.RecoverOptions{Way: journal.WayFinish}, done: true, note: "lines went", talk: "1"},
		"finish, keep":       {o: rollback.RecoverOptions{Way: journal.WayFinish, Keep: true}, done: true, note: "lines went", talk: "1"},
		"finish, keep, open": {o: rollback.RecoverOptions{Way: journal.WayFinish, Keep: true}, open: errors.New("it is open"), note: "cannot be found out", talk: "1"},
		"unwind":             {o: rollback.RecoverOptions{Way: journal.WayUnwind}, done: true, note: "the lines came back", talk: "1 2 3"},
		"unwind, open":       {o: rollback.RecoverOptions{Way: journal.WayUnwind}, open: errors.New("it is open"), note: "cannot be found out", talk: "1"},
	} {
		t.Run(name, func(t *testing.T) {
			w, a := talked(t)
			o, _ := w.planRevert(1)
			a.deaf = errors.New("no answer")
			r, err := w.engine.Revert(t.Context(), o)
			refused(t, err, model.CodePartial, "no answer")
			if r.Conversation.Done || !strings.HasPrefix(r.Conversation.Note, "whether it was taken back is not known: ") {
				t.Errorf("cut short: %+v", r.Conversation)
			}
			a.deaf, a.refuse = nil, c.open
			rec, err := w.engine.RecoverWith(t.Context(), "", c.o)
			w.must(err)
			if rec.Conversation.Done != c.done || !strings.Contains(rec.Conversation.Note, c.note) {
				t.Errorf("settled: %+v", rec.Conversation)
			}
			w.is("conversation", strings.Join(a.lines(), " "), c.talk)
			a.refuse = nil
			if c.done && c.o.Way == journal.WayFinish {
				_, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
				w.must(err)
				w.is("undone", strings.Join(a.lines(), " "), "1 2 3")
			}
			w.settled()
		})
	}
}

// TestRevertOfTurnsThatAreNotInTheConversation: what was out before is not said to have
// been taken out, though an agent that may be asked again cannot tell the two apart.
func TestRevertOfTurnsThatAreNotInTheConversation(t *testing.T) {
	w, a := talked(t)
	w.must(a.write([]string{"1"}))
	o, p := w.planRevert(1)
	r, err := w.engine.Revert(t.Context(), o)
	w.must(err)
	if c := r.Conversation; c.Done || c.Turns != 0 || c.Note != p.Conversation.Note || !strings.HasPrefix(c.Note, "none of these turns is in it") {
		t.Errorf("%+v, planned: %+v", c, p.Conversation)
	}
	_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	w.is("conversation", strings.Join(a.lines(), " "), "1")
}

// TestAnEndThatComesLateForARevertThatWasCutShort: the newest turn ended anew meanwhile, so
// its ref holds another snapshot. Both ways settle it, and each turn has the ref it names.
func TestAnEndThatComesLateForARevertThatWasCutShort(t *testing.T) {
	for _, way := range []string{journal.WayFinish, journal.WayUnwind} {
		w, a := talked(t)
		o, _ := w.planRevert(1)
		a.fail = errors.New("no")
		_, err := w.engine.Revert(t.Context(), o)
		refused(t, err, model.CodePartial)
		a.fail = nil
		was := w.Git("rev-parse", "refs/overturn/threads/"+model.ThreadID("t1").RefPart()+"/turn/3")
		w.Write("late", "by the agent\n")
		_, err = w.ledger.End(t.Context(), ledger.EndEvent{Thread: "t1", TurnID: "3", ByHook: true})
		w.must(err)
		now := w.Git("rev-parse", "refs/overturn/threads/"+model.ThreadID("t1").RefPart()+"/turn/3")
		if was == now {
			t.Fatal("the end did not move")
		}
		_, err = w.engine.RecoverWith(t.Context(), "", rollback.RecoverOptions{Way: way})
		w.must(err)
		w.settled()
		if way == journal.WayFinish {
			w.is("turns", w.numbers(), "1|32")
			w.is("parked", w.refNames("reverted"), "turn/2 turn/3")
			_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
			w.must(err)
		}
		w.is("turns", w.numbers(), "123|")
		w.is("refs", w.refNames("threads"), "turn/0 turn/1 turn/2 turn/3")
		turns, err := w.ledger.Turns(t.Context(), "t1", 0)
		w.must(err)
		w.is("the end", turns[2].End.Commit, now)
		w.is("its ref", w.Git("rev-parse", turns[2].End.Ref), now)
	}
}

// TestRevertOfAConversationThatWentOn: prompts that were not recorded would go with the
// turns; where they came behind the plan, nobody agreed to that.
func TestRevertOfAConversationThatWentOn(t *testing.T) {
	w, a := talked(t)
	o, _ := w.planRevert(1)
	a.more = 1
	r, err := w.engine.Revert(t.Context(), o)
	refused(t, err, model.CodeStale)
	w.is("outcome", string(r.Outcome), "stale")
	w.is("conversation", strings.Join(a.lines(), " "), "1 2 3")
	again, _ := w.planRevert(1)
	a.more = 2
	_, err = w.engine.Revert(t.Context(), again)
	refused(t, err, model.CodeStale)
	o, _ = w.planRevert(1)
	_, err = w.engine.Revert(t.Context(), o)
	w.must(err)
}

// TestUndoOfARevertThatTookNoTurnOut of the conversation does not say that it put some back.
func TestUndoOfARevertThatTookNoTurnOut(t *testing.T) {
	w, a := talked(t)
	a.lost = true
	o, _ := w.planRevert(1)
	_, err := w.engine.Revert(t.Context(), o)
	w.must(err)
	u, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	if u.Conversation.Done || u.Conversation.Turns != 0 {
		t.Errorf("%+v", u.Conversation)
	}
}

// TestUndoWhereTheAgentCannotPutTurnsBack: files and turns come back, and nobody is told
// that the conversation did.
func TestUndoWhereTheAgentCannotPutTurnsBack(t *testing.T) {
	w, a := talked(t)
	before := w.files()
	o, _ := w.planRevert(1)
	_, err := w.engine.Revert(t.Context(), o)
	w.must(err)
	a.forever = true
	u, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	if c := u.Conversation; c.Done || c.Turns != 0 || c.Note != "they cannot come back" {
		t.Errorf("%+v", c)
	}
	w.same("undone", w.files(), before)
	w.is("turns", w.numbers(), "123|")
}
