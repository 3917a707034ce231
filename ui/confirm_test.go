package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

// openConfirm stages paths and opens the dialog.
func openConfirm(t *testing.T, e *uitest.Engine, paths ...string) *uitest.Review {
	t.Helper()
	for _, p := range paths {
		e.View.Staged = append(e.View.Staged, view.Staged{Path: model.Path(p), Scope: "7"})
	}
	r := uitest.Open(t, e, 120, 36)
	r.Press("P", "P")
	r.Want("Roll back " + view.Count(len(paths), "path"))
	return r
}

const (
	client  = "internal/client/client.go"
	created = "internal/client/backoff.go"
)

func TestStagePlanConfirmUndo(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 36)
	r.Press("j", "j", "j", "<enter>", "x")
	r.Want("● 1 staged", "hunk 2/6", "staged 1 hunk")
	r.Press("[", "x")
	r.Absent("● 1 staged")
	r.Press("X")
	r.Want("● 1 staged", "agent · staged")
	r.Press("]", "x")
	if s := e.View.Staged; len(s) != 1 || fmt.Sprint(s[0].Hunks) != "[1 3 4 5 6]" {
		t.Fatalf("unstaging hunk 2 of the whole file left %+v", s)
	}
	r.Press("X", "P")
	r.Want("Plan of what is staged", "1 path · 1 clean", "clean    write  internal/client/client.go", "fingerprint", "diff --git a/internal/client/client.go")
	r.Press("P")
	r.Want("Roll back 1 path?", " Cancel ", "y roll back")
	if len(e.Calls) > 0 {
		t.Fatalf("written before it was confirmed: %v", e.Calls)
	}
	plan, _ := e.Plan(t.Context())
	r.Press("y")
	if len(e.Calls) != 1 || e.Calls[0] != "execute "+plan.Fingerprint {
		t.Fatalf("calls: %v", e.Calls)
	}
	r.Want("rolled back: 1 restored · verified · u undoes it")
	r.Press("u")
	r.Want("Undo the rollback of 1 path, 1m ago?", "y undo")
	r.Press("y")
	r.Want("undone: 1 restored")
	r.Press("U")
	r.Want("Redo the rollback of 1 path")
	r.Press("y")
	if want := "redo 01hundo00000000000000000000"; len(e.Calls) != 3 || e.Calls[2] != want {
		t.Fatalf("calls: %v", e.Calls)
	}
}

// What is to be typed, and what was, is on the smallest screen.
func TestTheTypedNumberIsSeen(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {24, 12}, {60, 14}, {120, 40}} {
		r := uitest.Open(t, uitest.Shop(), size[0], size[1])
		r.Press("X", "X", "P", "P")
		r.Want("type 2", "▏")
		r.After(time.Second)
		r.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'7'}})
		r.Want("7▏")
	}
}

func TestConflictsAreNotConfirmed(t *testing.T) {
	e := uitest.Shop()
	e.Verdicts["README.md"] = model.VerdictConflict
	r := uitest.Open(t, e, 120, 36)
	r.Press("G", "k", "X", "P")
	r.Want("1 conflict", "lines 10 to 12 were changed again")
	r.Press("P")
	r.Want("nothing of this can go back: later edits are in the way")
	r.Absent("Cancel")
	r.Press("<esc>", "X")
	r.Want("Nothing is staged")
	if len(e.View.Staged) != 0 || len(e.Calls) != 0 {
		t.Errorf("staged %v, calls %v", e.View.Staged, e.Calls)
	}
}

// What conflicts does not keep the rest from going back: the number of paths that do
// is typed, whatever they are.
func TestTheRestOfAConflict(t *testing.T) {
	e := uitest.Shop()
	e.Verdicts["README.md"] = model.VerdictConflict
	e.View.Staged = []view.Staged{{Path: "README.md", Scope: "7"}, {Path: client, Scope: "7"}}
	r := uitest.Open(t, e, 120, 36)
	r.Press("P", "P")
	r.Want("Roll back 1 of 2 paths? What conflicts stays as it is.", "stays  README.md  conflict", "type 1 to roll back")
	r.Press("y")
	if len(e.Calls) != 0 {
		t.Fatalf("y confirmed: %v", e.Calls)
	}
	r.Press("1")
	if len(e.Calls) != 1 || !strings.HasSuffix(e.Calls[0], " partial") {
		t.Fatalf("calls: %v", e.Calls)
	}
	r.Want("rollback partial: 1 restored, 1 skipped (README.md: edited since")
}

// D gives up the later edits of a path, shown and confirmed as such, and keeps them
// again.
func TestLaterEditsAreGivenUp(t *testing.T) {
	e := uitest.Shop()
	e.Verdicts["README.md"] = model.VerdictConflict
	r := uitest.Open(t, e, 120, 36)
	r.Press("G", "k", "X", "P", "D")
	r.Want("1 drifted", "edits that the scope did not make are discarded", "before turn 7, with all later edits; D again keeps them")
	r.Press("P")
	r.Want("later edits are discarded", "type 1 to roll back")
	r.Press("<esc>", "D")
	r.Want("1 conflict", "later edits are kept")
	r.Press("D", "P", "1")
	if len(e.Calls) != 1 || strings.Contains(e.Calls[0], "partial") {
		t.Fatalf("calls: %v", e.Calls)
	}
}

func TestNoLaterEditsToGiveUp(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 120, 36)
	r.Press("G", "k", "X", "P", "D")
	r.Want("README.md has no later edits that are in the way", "1 clean")
}

func TestWhatConfirms(t *testing.T) {
	for _, c := range []struct {
		name    string
		paths   []string
		set     func(*uitest.Engine)
		keys    []string
		written bool
	}{
		{"y for one file", []string{client}, nil, []string{"y"}, true},
		{"enter never", []string{client}, nil, []string{"<enter>"}, false},
		{"the key that opened it never", []string{client}, nil, []string{"P", "P", "P"}, false},
		{"space never", []string{client}, nil, []string{" ", "<tab>", "Y", "x"}, false},
		{"the number for two", []string{client, "README.md"}, nil, []string{"2"}, true},
		{"y not for two", []string{client, "README.md"}, nil, []string{"y", "y"}, false},
		{"a wrong number", []string{client, "README.md"}, nil, []string{"3", "<enter>"}, false},
		{"a number mended", []string{client, "README.md"}, nil, []string{"3", "<backspace>", "2"}, true},
		{"a number and enter", []string{client, "README.md"}, nil, []string{"1", "<enter>"}, false},
		{"y not for a deletion", []string{created}, nil, []string{"y"}, false},
		{"1 for a deletion", []string{created}, nil, []string{"1"}, true},
		{"y not beside a lasting effect", []string{client}, func(e *uitest.Engine) { e.Effects[0].Reversible = model.ReversibleNo }, []string{"y"}, false},
		{"y then nothing after esc", []string{client}, nil, []string{"<esc>", "y"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := uitest.Shop()
			if c.set != nil {
				c.set(e)
			}
			r := openConfirm(t, e, c.paths...)
			r.Press(c.keys...)
			if written := len(e.Calls) > 0; written != c.written {
				t.Errorf("written: %v, want %v\n%s", written, c.written, r)
			}
		})
	}
}

func TestWhatClosesTheDialog(t *testing.T) {
	for _, c := range []struct {
		name   string
		do     func(*uitest.Review)
		closed bool
	}{
		{"paste", func(r *uitest.Review) { r.After(time.Second); r.Send(uitest.Paste("y")) }, true},
		{"a burst in one read", func(r *uitest.Review) { r.After(time.Second); r.Send(uitest.Key("yy")) }, true},
		{"a word in one read, at once", func(r *uitest.Review) { r.Send(uitest.Key("yes")) }, true},
		{"a burst of keys", func(r *uitest.Review) {
			r.After(time.Second)
			r.Send(uitest.Key("a"))
			r.After(5 * time.Millisecond)
			r.Send(uitest.Key("y"))
		}, true},
		{"y in the first moment", func(r *uitest.Review) { r.After(200 * time.Millisecond); r.Send(uitest.Key("y")) }, false},
		{"the mouse", func(r *uitest.Review) {
			r.After(time.Second)
			for x := range r.W {
				for y := range r.H {
					r.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
				}
			}
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := uitest.Shop()
			r := openConfirm(t, e, client)
			c.do(r)
			if len(e.Calls) > 0 {
				t.Errorf("it was written: %v", e.Calls)
			}
			if closed := !strings.Contains(r.Text(), "Roll back 1 path?"); closed != c.closed {
				t.Errorf("closed: %v, want %v\n%s", closed, c.closed, r)
			}
		})
	}
}
