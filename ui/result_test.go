package ui_test

import (
	"testing"

	"overturn/model"
	"overturn/ui/uitest"
)

// The plan shows each path as a whole file: what would change in it is marked, the keys
// of a text work, and those that stage, read or answer do nothing.
func TestThePlanShowsTheResultingFile(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 60)
	r.Press(".", ".", "X", "P")
	r.Want("Plan of what is staged", "Enter open", "fingerprint")
	r.Press("<enter>")
	r.Want("internal/client/client.go as it would be", "change 1/", "Enter closes", "for attempt := range")
	r.Absent("fingerprint", "Plan of what is staged")
	r.Press("]")
	r.Want("change 2/")
	r.Press("[", "[", "w", "s", "Z", "Z", "+", "-", "z", "G", "g", "h", "l")
	r.Want("as it would be")
	for _, key := range []string{"x", "X", " ", "c", "F", "p", "/", "t"} {
		r.Press(key)
		r.Want("as it would be", "Esc leads back to the plan")
	}
	if len(e.View.Staged) != 1 || len(e.Calls) > 0 {
		t.Fatalf("staged %v, calls %v", e.View.Staged, e.Calls)
	}
	r.Press("<enter>")
	r.Want("Plan of what is staged", "fingerprint")
	r.Press("<enter>", "<esc>")
	r.Want("Plan of what is staged")
	r.Press("<enter>", "P")
	r.Want("Plan of what is staged")
	r.Absent("Roll back")
	r.Press("G", "<enter>")
	r.Want("Enter on a path shows the whole file as it would be")
}

// A plan that is another by now is redrawn as a difference to the one that was reviewed,
// and is confirmed anew; what the user changes in it is none.
func TestAStalePlanIsADifference(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 40)
	r.Press(".", "X", "X", "P")
	r.Want("2 paths · 2 clean")
	r.Absent("Changed since")
	verdict := func(v model.Verdict) {
		e.Lock()
		e.Verdicts["internal/client/client.go"] = v
		e.Unlock()
	}
	verdict(model.VerdictMerged)
	r.Press("R")
	r.Want("Changed since you reviewed the plan", "internal/client/client.go  clean → merged", "+stands there now", "1 clean · 1 merged",
		"what changed stands first")
	verdict(model.VerdictConflict)
	r.Press("R")
	r.Want("internal/client/client.go  clean → conflict", "1 clean · 1 conflict")
	r.Press("<esc>", "P")
	r.Want("Roll back 1 of 2 paths?")
	r.After(0)
	r.Press("<esc>", "R")
	r.Absent("→ conflict") // it was looked at when it was asked about
	verdict(model.VerdictClean)
	r.Press("G", "g", "j", "<enter>", "R") // from the resulting file too
	r.Want("Changed since you reviewed the plan", "conflict → clean")
	r.Press("<esc>", "<esc>", "P")
	r.Absent("Changed since")
	r.Press("X")
	r.Want("1 path · 1 clean")
	r.Absent("Changed since")
}
