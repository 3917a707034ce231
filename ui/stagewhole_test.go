package ui_test

import (
	"strings"
	"testing"

	"overturn/model"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

// TestTheHunkOfAnAddedFileIsTheWholeFile: x stages it and takes it out again; a
// range of its lines is refused in the words of the screen.
func TestTheHunkOfAnAddedFileIsTheWholeFile(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	for n := 0; !strings.Contains(r.String(), "  added ·"); n++ {
		if n > 20 {
			t.Fatalf("no added file:\n%s", r)
		}
		r.Press(".")
	}
	r.Press("<tab>", "x")
	if s := e.View.Staged; len(s) != 1 || !s[0].Whole() {
		t.Fatalf("staged: %+v\n%s", s, r)
	}
	r.Press("x")
	if s := e.View.Staged; len(s) != 0 {
		t.Fatalf("not unstaged: %+v\n%s", s, r)
	}
	r.Press("v", "j", "x")
	r.Want("goes back whole")
	if s := e.View.Staged; len(s) != 0 {
		t.Fatalf("staged: %+v", s)
	}
}

// TestThePlanSaysWhatOfAFile is staged: the mode, hunks, or lines of them.
func TestThePlanSaysWhatOfAFile(t *testing.T) {
	for want, of := range map[string]view.Staged{
		"hunks mode,2 ·":          {Hunks: []int{model.ModeHunk, 2}},
		"hunk 1 lines -2-3,2-2 ·": {Hunks: []int{1}, Lines: "-2-3,2-2"},
		"whole file ·":            {},
	} {
		e := uitest.Shop()
		of.Path, of.Scope, of.Thread = e.Changes["7"][0].Path, "7", e.View.Thread
		e.View.Staged = []view.Staged{of}
		r := uitest.Open(t, e, 120, 30)
		r.Press("P")
		r.Want(want)
		r.Press("P")
		if of.Lines != "" {
			r.Want("lines of 1 hunk")
		}
	}
}
