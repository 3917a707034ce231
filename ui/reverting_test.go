package ui_test

import (
	"slices"
	"testing"
	"time"

	"overturn/model"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

func reverting() *view.Revert {
	target := func(p model.Path, op model.Op) model.Target {
		return model.Target{Path: p, Op: op, Verdict: model.VerdictClean, Turns: []int{2}}
	}
	return &view.Revert{
		Latest: 99, Conversation: model.Conversation{Agent: "codex", Supported: true, Turns: 2, Note: "its turns go"},
		Plan: &model.Plan{Fingerprint: "f00d", Targets: []model.Target{target("gone.go", model.OpDelete), target("back.go", model.OpWrite)},
			Kept: []model.Noted{{Path: "mine.go", Reason: "made by the user"}}},
	}
}

// The thread is taken back only when the number of paths is typed, and the result says
// what became of the conversation.
func TestAThreadIsTakenBack(t *testing.T) {
	e := uitest.Shop()
	e.Reverting = reverting()
	r := uitest.Open(t, e, 120, 40)
	r.Press("(", "<c-r>")
	r.Want("Take the thread back to the end of turn", "leave it", "gone.go", "back.go", "stays", "mine.go", "conversation of codex", "its turns go")
	r.After(time.Second)
	r.Press("<enter>")
	if len(e.Calls) != 0 {
		t.Fatalf("Enter did %v", e.Calls)
	}
	r.Press("<c-r>")
	r.After(time.Second)
	r.Press("2")
	r.After(time.Second)
	if !slices.Contains(e.Calls, "revert f00d") {
		t.Fatalf("calls: %v", e.Calls)
	}
	r.Want("taken back", "conversation: its turns go", "u undoes it")
	r.Press("u")
	r.Want("Undo the revert of 1 path")
}

// What cannot be done now is said, with what to do, and asks nothing.
func TestAThreadThatCannotGoBack(t *testing.T) {
	e := uitest.Shop()
	e.Reverting = reverting()
	e.Reverting.Refused = model.Refusedf("the conversation is open").WithHint("close it")
	r := uitest.Open(t, e, 120, 40)
	r.Press("<c-r>")
	r.Want("the conversation is open", "close it")
	r.Absent("Take the thread back")
	e.Lock()
	e.Reverting = nil
	e.Unlock()
	r.Press("<esc>", "<c-r>")
	r.Want("is the newest of its thread")
}

// t asks the same with another word about the conversation, and confirms nothing by
// itself; what is confirmed is the plan that is shown.
func TestAThreadIsTakenBackWithoutItsConversation(t *testing.T) {
	e := uitest.Shop()
	e.Reverting = reverting()
	r := uitest.Open(t, e, 120, 40)
	r.Press("(", "<c-r>")
	r.Want("leave the conversation as it is instead", "its turns go")
	r.After(time.Second)
	r.Press("t")
	r.Want("take the conversation back too instead", "it stays as it is")
	if len(e.Calls) != 0 {
		t.Fatalf("t did %v", e.Calls)
	}
	r.After(time.Second)
	r.Press("2")
	r.After(time.Second)
	if !slices.Contains(e.Calls, "revert f00d-kept") {
		t.Fatalf("calls: %v", e.Calls)
	}
}

// A conversation that cannot go now is no wall: the question is asked without it, and says
// why, and what would have it go too.
func TestAThreadWhoseConversationIsOpen(t *testing.T) {
	e := uitest.Shop()
	e.Reverting = reverting()
	e.Reverting.Blocked = model.Refusedf("Codex has it open").WithHint("quit Codex")
	r := uitest.Open(t, e, 120, 40)
	r.Press("(", "<c-r>")
	r.Want("Take the thread back to the end of turn", "it stays as it is", "cannot be taken back now: Codex has it open", "quit Codex")
	r.Absent("instead")
	r.After(time.Second)
	r.Press("2")
	r.After(time.Second)
	if !slices.Contains(e.Calls, "revert f00d-kept") {
		t.Fatalf("calls: %v", e.Calls)
	}
}

// A thread goes back to before its first turn, whichever turn is looked at.
func TestAThreadIsTakenBackWhole(t *testing.T) {
	e := uitest.Shop()
	e.Reverting = reverting()
	e.Reverting.Base = "HEAD as it is now"
	r := uitest.Open(t, e, 120, 40)
	r.Press("<c-t>")
	r.Want("Take the thread back to before the first turn? turns 1 to 99 leave it", "HEAD as it is now stands for it")
	r.Press("<esc>")
	e.Lock()
	e.Reverting = nil
	e.Unlock()
	r.Press("<c-t>")
	r.Want("the thread has no turns")
}
