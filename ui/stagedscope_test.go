package ui_test

import (
	"testing"

	"overturn/ui/uitest"
	"overturn/ui/view"
)

// Hunk numbers mean something in their own scope only: what is staged from another
// turn is named, never drawn as a mark, and x does not take it out.
func TestStagedFromAnotherScope(t *testing.T) {
	e := uitest.Shop()
	e.View.Staged = []view.Staged{{Path: client, Scope: "6", Hunks: []int{1}}}
	r := uitest.Open(t, e, 160, 40)
	r.Press("j", "j", "j", "<enter>")
	r.Want("client.go  modified · agent · staged from 6")
	r.Absent("● staged")
	r.Press("<tab>", "x")
	if len(e.View.Staged) != 1 || e.View.Staged[0].Scope != "7" {
		t.Errorf("x gave %+v", e.View.Staged)
	}
}

// A confirmation that was asked for and not given is told to the engine, once.
func TestDeclinedIsTold(t *testing.T) {
	e := uitest.Shop()
	r := openConfirm(t, e, client)
	r.Press("<esc>")
	r.Want("cancelled; nothing was written")
	e.Lock()
	defer e.Unlock()
	if e.DeclinedPlans != 1 || len(e.Calls) > 0 {
		t.Errorf("declined %d times, calls %v", e.DeclinedPlans, e.Calls)
	}
}
