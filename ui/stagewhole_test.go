package ui_test

import (
	"strings"
	"testing"

	"overturn/ui/uitest"
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
