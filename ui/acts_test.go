package ui_test

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui/uitest"
)

func TestSearch(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 120, 30)
	r.Press("j", "j", "j", "<enter>", "/", "t", "i", "m", "e", "o", "u", "t", "<enter>")
	r.Want("c.timeout")
	x, y := r.At("timeout")
	found := r.Term.Cells()[y][x].Style
	if plain := r.Term.Cells()[y][x-3].Style; found.BG == plain.BG {
		t.Errorf("the match is not marked")
	}
	r.Press("n", "n", "N", "<esc>")
	r.Press("/", "n", "o", "s", "u", "c", "h", "<enter>")
	r.Want("no match for nosuch")
}

func TestMouse(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 120, 30)
	click := func(text string) {
		x, y := r.At(text)
		r.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	}
	click("backoff.go")
	r.Want("backoff.go  added")
	click("1 Working tree")
	r.Want("HEAD 1a2b3c4 → on disk")
	click("4 M")
	r.Want("4 M missing")
	click("3 Latest turn")
	click("client.go")
	before := r.Row(5)
	r.Send(tea.MouseMsg{X: 100, Y: 10, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
	if r.Row(5) == before {
		t.Errorf("the wheel did not scroll the diff under the pointer")
	}
	click("⋯ ")
	r.Absent("keys came")
}

func TestFoldersStageWithoutNaming(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	r.Press("g", "j", "j", "X")
	if len(e.View.Staged) != 3 {
		t.Fatalf("staged: %+v\n%s", e.View.Staged, r)
	}
	r.Press("X")
	if len(e.View.Staged) != 0 {
		t.Fatalf("not unstaged: %+v", e.View.Staged)
	}
	r.Press("h")
	r.Want("▸ internal/client/")
	r.Absent("backoff.go")
	r.Press("<enter>")
	r.Want("backoff.go")
}

func TestRangeStagesItsLines(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	r.Press("j", "j", "j", "<enter>", "j", "j", "j", "j", "v", "j", "j", "x")
	if s := e.View.Staged; len(s) != 1 || s[0].Lines != "-38-38,38-39" {
		t.Fatalf("staged: %+v\n%s", s, r)
	}
}

// At rest nothing is drawn, and what changes nothing sends nothing.
func TestIdleIsStill(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 120, 30)
	frames, sent := r.Frames, r.Bytes
	r.Drain()
	time.Sleep(50 * time.Millisecond)
	r.Drain()
	if r.Frames != frames {
		t.Errorf("%d frames were drawn at rest", r.Frames-frames)
	}
	r.Send(tea.FocusMsg{}) // everything is read again, nothing is new
	if r.Bytes != sent {
		t.Errorf("%d bytes were sent though nothing changed", r.Bytes-sent)
	}
}

// What the help and the palette list works where they say.
func TestHelpAndPalette(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 160, 50)
	r.Press("?")
	r.Want("Take back", "stage hunk or range, unstage", "plan of what is staged")
	r.Press("<esc>", ":")
	r.Send(uitest.Key("split"))
	r.Want("split or unified")
	r.Press("<enter>")
	r.Want("split")
	r.Press("p")
	r.Send(uitest.Key("backoff"))
	r.Press("<enter>")
	r.Want("backoff.go  added")
}
