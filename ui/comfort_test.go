package ui_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui"
	"overturn/ui/keymap"
	"overturn/ui/uitest"
)

func TestHelpIsSearched(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 120, 30)
	r.Press("?", "/")
	r.Send(uitest.Key("white"))
	r.Want("W              whitespace changes", "view.whitespace", "/white")
	r.Absent("Take back", "plan of what is staged")
	r.Press("<enter>")
	r.Want("whitespace changes")
	r.Press("/")
	r.Want("/white") // it goes on from what was found
	r.Press("<esc>")
	r.Want("Take back")
	r.Press("/", "P", "<enter>") // a key is found by itself
	if row := r.Row(3); !strings.Contains(row, "plan of what is staged") {
		t.Errorf("P finds first %q", row)
	}
	r.Press("<esc>")
	r.Want("Take back") // Esc shows everything again …
	r.Press("<esc>")
	r.Want("client.go") // … and closes the help
	r.Press("?", "/")
	r.Send(uitest.Paste("§§"))
	r.Want("nothing in the help is called §§")
	r.Press("<enter>", "G", "g", "<esc>", "?")
	r.Absent("nothing in the help")
}

// The user's keys hold everywhere: in what they do, the bars, the help, the palette.
func TestUsersKeys(t *testing.T) {
	keys := func(c *ui.Config) {
		c.Keys = []keymap.Bound{{Intent: keymap.Plan, Keys: []string{"ctrl+l", "ж"}}, {Intent: keymap.StageFile, Keys: []string{"d"}}, {Intent: keymap.Theme}}
	}
	r := uitest.Open(t, uitest.Shop(), 120, 30, keys)
	r.Want("settings: keys.redraw: it has no key any more: ctrl+l is plan", "Esc closes this")
	r.Press("<esc>")
	r.Absent("settings:")
	r.Want("d stage file", "ctrl+l ж plan")
	r.Press("j", "d")
	r.Want("● ")
	r.Press("ж")
	r.Want("Plan of what is staged")
	r.Press("<esc>", "T")
	r.Absent("theme ")
	r.Press(":")
	r.Send(uitest.Key("next theme"))
	r.Press("<enter>") // what has no key is in the palette
	r.Want("theme ")
	r.Press("?", "G")
	r.Want("Settings that do not hold", "keys.redraw")
}

// On a Cyrillic or Greek layout keys mean what they do in Latin letters; the dialog
// takes the answer from no other key than y.
func TestOtherLayouts(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	r.Press("о", "о", "о", "Ч") // j j j X
	r.Want("● 1 staged")
	r.Press("З") // P
	r.Want("Plan of what is staged")
	r.Press("З")
	r.Want("Roll back 1 path?")
	r.Press("н") // the key of y
	r.Want("Roll back 1 path?", "y confirms, in Latin letters")
	r.Press("υ")
	r.Want("Roll back 1 path?")
	r.Press("т") // n
	r.Want("cancelled; nothing was written")
	if len(e.Calls) > 0 {
		t.Fatalf("calls: %v", e.Calls)
	}
	r.Press("<esc>", "ι")
	r.Want("Checkpoint of turn 7")
}

func TestMouseIsLeftAndTaken(t *testing.T) {
	var told []bool
	r := uitest.Open(t, uitest.Shop(), 120, 30, func(c *ui.Config) { c.NoMouse, c.Mouse = true, func(on bool) { told = append(told, on) } })
	r.Press("M")
	r.Want("the mouse scrolls and selects here")
	r.Press("M")
	r.Want("the mouse is the terminal's")
	if len(told) != 2 || !told[0] || told[1] {
		t.Errorf("the terminal was told %v", told)
	}
	r = uitest.Open(t, uitest.Shop(), 120, 30)
	r.Press("M")
	r.Want("the mouse cannot be taken here")
}

// drag presses the left button on a cell, moves over others and lets go.
func drag(r *uitest.Review, x int, ys ...int) {
	for i, y := range ys {
		action := tea.MouseActionMotion
		if i == 0 {
			action = tea.MouseActionPress
		}
		r.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: action})
	}
	r.Send(tea.MouseMsg{X: x, Y: ys[len(ys)-1], Button: tea.MouseButtonNone, Action: tea.MouseActionRelease})
}

// The wheel scrolls the view under the pointer and leaves the cursor; with Shift it goes
// sideways; in a list above a prompt it walks.
func TestWheel(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 120, 30)
	wheel := func(x, y int, b tea.MouseButton, shift bool) {
		r.Send(tea.MouseMsg{X: x, Y: y, Button: b, Action: tea.MouseActionPress, Shift: shift})
	}
	r.Press("j", "j", "j", "<enter>", "l", "h")
	wheel(100, 10, tea.MouseButtonWheelDown, true)
	r.Want("‹") // lines are cut at their beginning
	wheel(100, 10, tea.MouseButtonWheelUp, true)
	r.Absent("‹ ")
	wheel(100, 10, tea.MouseButtonWheelRight, false)
	wheel(100, 10, tea.MouseButtonWheelLeft, false)
	before := r.Text()
	wheel(5, 10, tea.MouseButtonWheelDown, true) // files have no sideways
	if r.Text() != before {
		t.Errorf("Shift and the wheel changed the files pane:\n%s", r)
	}
	r.Press(":")
	first := r.Row(20)
	for range 40 {
		wheel(5, 20, tea.MouseButtonWheelDown, false)
	}
	if r.Row(20) == first {
		t.Errorf("the wheel does not walk the list of the palette:\n%s", r)
	}
}

// A click on a row of a list chooses it; beside the list it does nothing.
func TestClicksInALists(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 120, 30)
	click := func(x, y int) {
		r.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	}
	r.Press("p")
	r.Send(uitest.Key("old"))
	click(110, 5)
	r.Want("file: old")
	x, y := r.At("deleted")
	click(x, y)
	r.Want("old_retry.go  deleted")
	r.Absent("file: old")
	x, y = r.At("7 R ready")
	click(x, y)
	r.Want("Checkpoint of turn 7") // the turn that is shown opens its card
}

// Lines that the mouse is drawn over are a range; a click closes it, and x stages it.
func TestDragIsARange(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	r.Press("j", "j", "j", "<enter>")
	_, y := r.At("@@ -35,7 +35,13 @@")
	drag(r, 60, y+4, y+5, y+6)
	r.Want("range: x stages its changed lines")
	r.Send(tea.MouseMsg{X: 60, Y: y + 2, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	r.Absent("range: x")
	drag(r, 60, y+4, y+5, y+6)
	r.Press("x")
	if s := e.View.Staged; len(s) != 1 || s[0].Lines == "" {
		t.Fatalf("staged: %+v\n%s", s, r)
	}
	drag(r, 60, y+4, 29, 29, 29, 0, 0) // beyond the pane it scrolls
	r.Want("range: x")
	r.Send(tea.MouseMsg{X: 5, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionMotion})
	drag(r, 5, 5, 7)
	r.Absent("range: x")
}
