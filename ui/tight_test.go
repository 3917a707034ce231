package ui_test

import (
	"strings"
	"testing"

	"overturn/model"
	"overturn/ui/uitest"
)

// On a screen of 40 columns the header says which mode is on and that something is
// staged, and the status row what helps.
func TestANarrowHeaderSaysTheMode(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 40, 10)
	for key, want := range map[string]string{"1": "1 Working", "2": "2 Branch", "3": "3 Latest", "4": "4 Turn"} {
		r.Press(key)
		header, _, _ := strings.Cut(r.Text(), "\n")
		if !strings.Contains(header, want) {
			t.Errorf("%s: the header is %q, without %q", key, header, want)
		}
		for _, other := range []string{"1 ", "2 ", "3 ", "4 "} {
			if !strings.Contains(header+" ", " "+other) {
				t.Errorf("%s: the header is %q, without the key %q", key, header, other)
			}
		}
	}
	r.Press("3", "j", "X")
	r.Want("● 3", "? help")
	r.Press("P")
	r.Want("effects, reversible: yes", "Esc back")
}

// What is too long for a row stands below it: nothing that is to be known before a
// rollback is cut off.
func TestSentencesAreNotCut(t *testing.T) {
	says := func(r *uitest.Review, want string) {
		t.Helper()
		if text := strings.Join(strings.Fields(strings.ReplaceAll(r.Text(), "│", " ")), " "); !strings.Contains(text, want) {
			t.Errorf("%q is not on the screen:\n%s", want, r)
		}
	}
	e := uitest.Shop()
	entries := e.Entries
	e.Entries = nil
	r := uitest.Open(t, e, 40, 24)
	r.Press("o")
	says(r, "Nothing was rolled back here yet. x and X stage, P shows the plan.")
	r.Press("<esc>", "P")
	says(r, "In the review x stages a hunk, X a file or folder.")
	r.Press("<esc>", "j", "j", "X", "P")
	says(r, "take-out · agent")
	r.Press("P")
	says(r, "A safety snapshot is taken first; u takes this back.")
	r.Press("<esc>", "<esc>", "<esc>")
	e.Entries = entries
	r.Press("o", "u")
	says(r, "Paths that were edited since are refused, never overwritten.")
	r.Press("<esc>", "<esc>", ":")
	says(r, "working tree: HEAD to what i")
}

// How a turn ended is no word of its prompt.
func TestTheStripTellsEndFromPrompt(t *testing.T) {
	e := uitest.Shop()
	last := &e.View.Turns[len(e.View.Turns)-1]
	last.Prompt, last.State = "fix it", model.TurnFailed
	r := uitest.Open(t, e, 120, 30)
	r.Want("fix it · failed")
}

// A search that came round the end of the file says so.
func TestSearchSaysWhenItComesRound(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 120, 36)
	r.Press("j", "j", "j", "<enter>", "/")
	r.Press("f", "u", "n", "c")
	r.Press("<enter>")
	r.Absent("again")
	for range 200 {
		if r.Press("n"); strings.Contains(r.Text(), "from the top again") {
			break
		}
	}
	r.Want("from the top again: there are no more matches below")
	r.Press("N")
	r.Want("from the end again: there are no more matches above")
}
