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

// pair is a change of one line, far down in a file that holds the word in its n-th line
// too.
func pair(path, word string, owner model.Owner) uitest.Change {
	var b strings.Builder
	for i := range 90 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	text := strings.Replace(b.String(), "line 50\n", "fifty "+word+"\n", 1)
	return uitest.Change{Path: model.Path(path), Old: []byte(text), New: []byte(strings.Replace(text, "line 70\n", "seventy "+strings.ToUpper(word)+"\n", 1)), Owner: owner}
}

func shop(changes ...uitest.Change) *uitest.Engine {
	e := uitest.Shop()
	e.Changes["7"], e.LeftOut = changes, nil
	return e
}

// ctrl+f finds in all files, changed lines and others; Enter goes there, whatever hides
// the line; n and N walk on over the borders of files.
func TestSearchOverAllFiles(t *testing.T) {
	e := shop(pair("a.txt", "needle", model.OwnerAgent), pair("b/b.txt", "hay", model.OwnerAgent), pair("c.txt", "needle", model.OwnerUser))
	r := uitest.Open(t, e, 120, 30)
	r.Press("<c-f>")
	r.Send(uitest.Key("needle"))
	r.Want("search all files: needle")
	r.Press("<enter>")
	r.Want("Search: needle", "4 matches in 2 files", "50   fifty needle", "70 + seventy NEEDLE", "a.txt", "c.txt")
	r.Absent("b.txt", "searched")
	r.Press("<enter>")
	r.Want("match 1 of 4", "50  50  fifty needle", "a.txt  modified")
	r.Press("n")
	r.Want("match 2 of 4", "+seventy NEEDLE")
	r.Press("n")
	r.Want("match 3 of 4", "c.txt  modified", "50  50  fifty needle")
	r.Press("N", "N", "N")
	r.Want("match 4 of 4", "+seventy NEEDLE", "c.txt  modified")
	r.Press("<c-f>", "<enter>")
	r.Want("Search: needle", "4 matches")
	r.Press("g", "j", "j", "<enter>")
	r.Want("match 2 of 4", "a.txt  modified")
	r.Press("/")
	r.Send(uitest.Key("seventy"))
	r.Press("<enter>", "n")
	r.Absent("match 1 of 1")
	r.Press("<esc>")
	r.Press("<c-f>")
	r.Send(uitest.Key("x"))
	r.Press("<enter>")
	r.Want("No line of these files holds needlex.")
	r.Press("<esc>")
	r.Want("a.txt  modified")
}

// A search shows what it found as it goes, and Esc stops it without losing that.
func TestASearchCanBeStopped(t *testing.T) {
	e := shop(pair("a.txt", "needle", model.OwnerAgent), pair("b.txt", "needle", model.OwnerAgent))
	r := uitest.Open(t, e, 120, 30)
	gate := make(chan struct{})
	e.Lock()
	e.Slow["search"] = gate
	e.Unlock()
	r.Press("<c-f>")
	r.Send(uitest.Key("needle"))
	r.Press("<enter>")
	r.Want("Searching …", "0 of 2 searched", "Esc stops")
	gate <- struct{}{} // the first file
	for looked := 0; looked == 0; {
		time.Sleep(time.Millisecond)
		e.Lock()
		looked = e.Looked
		e.Unlock()
	}
	r.Press("<esc>")
	r.Want("the search was stopped", "2 matches in 1 file")
	r.Absent("Esc stops")
	r.Press("<enter>")
	r.Want("match 1 of 2", "a.txt  modified")
}

// A match that does not differ any more is said; one in a file that is not listed is
// shown all the same.
func TestMatchesOutliveARefresh(t *testing.T) {
	e := shop(pair("a.txt", "needle", model.OwnerUser), pair("b.txt", "needle", model.OwnerAgent))
	r := uitest.Open(t, e, 120, 30)
	r.Press("<c-f>")
	r.Send(uitest.Key("needle"))
	r.Press("<enter>", "<esc>", "A")
	r.Want("1 of 2 files agent's")
	r.Press("n")
	r.Want("match 1 of 4", "a.txt  modified", " 2 files")
	e.Lock()
	e.Changes["7"] = e.Changes["7"][1:]
	e.Unlock()
	r.Press("R", "n")
	r.Want("a.txt does not differ any more")
	r.Press("n")
	r.Want("match 3 of 4", "b.txt  modified")
}

// A: the agent's files and hunks alone; a folder and a file stage no more than these.
func TestOnlyTheAgents(t *testing.T) {
	e := shop(pair("lib/agent.txt", "x", model.OwnerAgent), pair("lib/user.txt", "x", model.OwnerUser), pair("lib/mixed.txt", "x", model.OwnerMixed), pair("odd.txt", "x", model.OwnerUnknown))
	r := uitest.Open(t, e, 120, 30)
	r.Want(" 4 files", "user.txt", "odd.txt")
	r.Press("A")
	r.Want(" 2 of 4 files agent's", "only the agent's", "agent.txt", "mixed.txt")
	r.Absent("user.txt", "odd.txt")
	r.Press("g", "X")
	r.Want("● 2 staged")
	r.Press("X")
	r.Absent("staged ") // again: none
	r.Press("j", "j", "X")
	r.Want("● 1 staged")
	if s := e.Stages[len(e.Stages)-1]; s.Named || len(s.Paths) != 1 || s.Paths[0] != "lib/mixed.txt" {
		t.Errorf("a mixed file was staged by %+v", s)
	}
	r.Press("A")
	r.Want("everybody's changes", "user.txt", " 4 files")
	none := shop(pair("user.txt", "x", model.OwnerUser))
	r = uitest.Open(t, none, 120, 30)
	r.Press("A")
	r.Want("Nothing here is the agent's.", "A shows everybody's changes.", " 0 of 1 file agent's")
	r.Press("j", "]", "x", "X", "<enter>", "A")
	r.Want("user.txt", " 1 file")
}

// The first line of a block that moved says where to, or from where.
func TestMovedLinesSayWhere(t *testing.T) {
	moved := func() *uitest.Engine {
		e := shop(pair("a.txt", "x", model.OwnerAgent))
		e.Moved = map[model.Path][]view.Move{"a.txt": {{Old: true, From: 69, To: 73, Path: "lib/b.txt", Line: 12}, {From: 69, To: 73, Path: "a.txt", Line: 5}}}
		return e
	}
	r := uitest.Open(t, moved(), 120, 30)
	r.Want("-line 70", "→ moved to b.txt:12, 4 lines", "+seventy X", "← moved from line 5, 4 lines")
	r.Press("w")
	r.Want("→ moved to b.txt:12, 4 lines")
	r.Press("w", "s")
	r.Want("→ moved to b.txt:12, 4 lines")
	r.Absent("← moved from line 5") // it does not fit beside its text
	r.Press("s")
	r.Send(tea.WindowSizeMsg{Width: 76, Height: 30})
	r.Want("→ moved to b.txt:12") // beside a short text
	r.Send(tea.WindowSizeMsg{Width: 72, Height: 30})
	r.Press("s")
	r.Absent("moved") // a half has no room for it
	r = uitest.Open(t, moved(), 200, 30)
	r.Want("→ moved to b.txt:12, 4 lines", "← moved from line 5, 4 lines")
}

// What moved is asked for once while the contents stay as they are.
func TestMovesAreAskedForOnce(t *testing.T) {
	e := shop(pair("a.txt", "x", model.OwnerAgent))
	e.Moved = map[model.Path][]view.Move{"a.txt": {{Old: true, From: 69, To: 73, Path: "lib/b.txt", Line: 12}}}
	r := uitest.Open(t, e, 120, 30)
	r.Want("→ moved to b.txt:12, 4 lines")
	r.Send(tea.FocusMsg{})
	r.Press("R")
	r.Want("→ moved to b.txt:12, 4 lines")
	if e.MovesAsked != 1 {
		t.Errorf("asked %d times", e.MovesAsked)
	}
	e.Lock()
	e.Changes["7"] = append(e.Changes["7"], pair("b.txt", "y", model.OwnerAgent))
	e.Unlock()
	r.Press("R")
	r.Want("→ moved to b.txt:12, 4 lines", "2 files")
	if e.MovesAsked != 2 {
		t.Errorf("asked %d times after a change", e.MovesAsked)
	}
}

// A folded file is one row: hunks are passed, x says what to do, X takes all of it, Enter
// opens it for as long as the review lasts.
func TestFoldedFilesAreOneRow(t *testing.T) {
	lock := pair("a.lock", "x", model.OwnerAgent)
	lock.Folded, lock.Alarms = "lock file", []string{"conflict markers in lines 1–5"}
	r := uitest.Open(t, shop(lock, pair("b.txt", "y", model.OwnerAgent)), 120, 30)
	r.Want("▸ folded: lock file · 1 hunk  +1 −1 — Enter opens", "! conflict markers in lines 1–5")
	r.Absent("seventy X")
	r.Press("<enter>", "x")
	r.Want("this file is folded: Enter opens it, X stages it as a whole")
	r.Press("X")
	r.Want("● 1 staged")
	r.Press("]")
	r.Want("b.txt  modified", "+seventy Y")
	r.Press("[")
	r.Want("a.lock  modified", "▸ folded: lock file")
	r.Press("<enter>")
	r.Want("+seventy X", "● staged")
	r.Press(".", ",")
	r.Want("a.lock  modified", "+seventy X")
	r.Press("c")
	r.Press("<esc>", "R")
	r.Want("+seventy X")
}
