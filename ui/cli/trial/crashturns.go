package trial

import (
	"strconv"
	"strings"
)

// turn is overturn.turn/1, as far as a crash needs it.
type turn struct {
	Turn         int
	Status       string
	StatusReason string `json:"status_reason"`
	Files        []struct{ Path, Change string }
}

func (t turn) names() string {
	var names []string
	for _, f := range t.Files {
		names = append(names, f.Path+" "+f.Change)
	}
	return strings.Join(names, ", ")
}

func (y *Yard) turnOf(thread, n string) turn {
	var t turn
	y.JSON(0, &t, "show", n, "--thread", thread)
	return t
}

// byID is the turn of thread T with an id, and how many there are.
func (y *Yard) byID(id string) (t turn, of int) {
	var list struct {
		Turns []struct {
			Turn   int
			TurnID string `json:"turn_id"`
		}
	}
	y.JSON(0, &list, "turns", "--thread", "T")
	n := 0
	for _, t := range list.Turns {
		if t.TurnID == id {
			n = t.Turn
		}
	}
	return y.turnOf("T", strconv.Itoa(n)), len(list.Turns)
}

// truthful holds that the turn with that id is captured as it was, or says why not.
func (y *Yard) truthful(id, files string) {
	t, of := y.byID(id)
	whole := t.Status == "ready" && t.names() == files
	said := t.Status != "ready" && t.StatusReason != "" && t.Files == nil
	if y.Err() == nil && !whole && !said {
		y.Faultf("turn %d of %d: %+v, want %q", t.Turn, of, t, files)
	}
}

// goesOn records one more turn, which must be whole.
func (y *Yard) goesOn() {
	y.Turn("T", func() { y.Sh("printf 'more\n' > more") })
	var list struct{ Turns []turn }
	y.JSON(0, &list, "turns", "--thread", "T")
	if y.Err() != nil || len(list.Turns) == 0 {
		return
	}
	if last := y.turnOf("T", strconv.Itoa(list.Turns[len(list.Turns)-1].Turn)); y.Err() == nil && (last.Status != "ready" || last.names() != "more added") {
		y.Faultf("the next turn: %+v", last)
	}
	y.Git("fsck", "--no-dangling", "--no-progress")
	y.wellButFor("turn", "turns", "inbox", "stat-table")
}
