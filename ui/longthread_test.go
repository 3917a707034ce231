package ui_test

import (
	"fmt"
	"testing"

	"overturn/model"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

// A long thread opens with its newest turns, counts the others, and the walk back
// comes to the first one all the same.
func TestALongThreadIsReadAsFarAsOneWalks(t *testing.T) {
	e := uitest.Shop()
	e.View.Turns = nil
	for n := range 950 {
		e.View.Turns = append(e.View.Turns, view.Turn{Number: n + 1, Prompt: fmt.Sprint("prompt ", n+1), State: model.TurnCompleted, Status: model.StatusReady, Files: 1})
	}
	r := uitest.Open(t, e, 120, 30)
	r.Want("‹9", "950 R ready")
	for n := 949; n >= 1; n-- {
		r.Press("(")
		if n%100 == 1 || n%100 == 50 {
			r.Want(fmt.Sprintf("Turn %d", n), fmt.Sprintf(" %d R ready", n))
		}
	}
	r.Absent("‹")
	r.Press("(")
	r.Want("no turn beyond this one")
	asked := 0
	for _, call := range e.Calls {
		if call == "overview" {
			asked++
		}
	}
	if asked > 4 {
		t.Errorf("the overview was read %d times", asked)
	}
	r.Press("3")
	r.Want("950 R ready")
}
