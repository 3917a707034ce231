package ui_test

import (
	"strings"
	"testing"

	"overturn/model"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

// written is the shop with what is known of who wrote client.go: the first line was
// there before, the second is the user's, the rest of turn 3, and what turn 7 added of
// another thread's turn 12.
func written(e *uitest.Engine) *uitest.Engine {
	c := e.Changes["7"][0]
	lines := func(b []byte) int { return strings.Count(string(b), "\n") }
	o := &view.Origins{By: []view.Writer{{Owner: model.OwnerUser}, {Owner: model.OwnerAgent, Thread: "7f3c", Turn: 3}, {Owner: model.OwnerAgent, Thread: "other-thread", Turn: 12}}}
	for i := range lines(c.Old) {
		o.Old = append(o.Old, map[int]int32{0: view.BeforeRecords, 1: 0}[i])
		if i > 1 {
			o.Old[i] = 1
		}
	}
	for i, text := range strings.Split(strings.TrimSuffix(string(c.New), "\n"), "\n") {
		by := int32(1)
		switch {
		case i < 2:
			by = o.Old[i]
		case strings.Contains(text, "attempt"):
			by = 2
		case strings.Contains(text, "timeout"):
			by = view.Untraced
		}
		o.New = append(o.New, by)
	}
	e.Writers = map[model.Path]*view.Origins{client: o}
	return e
}

func TestWhoWroteEachLine(t *testing.T) {
	e := written(uitest.Shop())
	r := uitest.Open(t, e, 120, 40)
	r.Press("j", "j", "j", "<enter>")
	r.Absent("'12")
	r.Press("b")
	r.Want("a turn's number, ' another thread's", "  3   36  36", "'12       38 +", "  3   38     -")
	r.Press("j", "j", "j", "j")
	r.Want("removed line 38: written in turn 3 · Write tests")
	r.Press("j")
	r.Want("line 38: written in turn 12 of thread other-th")
	r.Press("Z", "g")
	r.Want("line 1: was there before the first capture", "  ·    1   1")
	r.Press("j")
	r.Want("line 2: written by you", "you    2   2")
	r.Press("s")
	r.Want("you    2 ")
	r.Press("s", "b")
	r.Want("line numbers alone")
	r.Absent("'12")
}

// It is asked once for each document, and for the one that is looked at.
func TestWritersAreRemembered(t *testing.T) {
	e := written(uitest.Shop())
	r := uitest.Open(t, e, 120, 40)
	r.Press("j", "j", "j", "<enter>", "b")
	r.Want("'12")
	before := e.Found
	r.Press(".")
	r.Absent("'12")
	r.Press(",")
	r.Want("'12")
	if made := e.Found - before; made != 1 {
		t.Errorf("writers were found %d times, want once, of the other document", made)
	}
}

// The gutter takes its cells from the text at every width, wrapped or not.
func TestWritersFitEveryWidth(t *testing.T) {
	for _, w := range []int{20, 41, 63, 64, 80, 120} {
		r := uitest.Open(t, written(uitest.Shop()), w, 20)
		r.Press("j", "j", "j", "<enter>", "b", "w", "s", "j", "j", "s", "G")
	}
}

func TestAHunkThatIsBack(t *testing.T) {
	e := uitest.Shop()
	e.Gone = map[model.Path][]int{client: {2}}
	r := uitest.Open(t, e, 140, 60)
	r.Press("j", "j", "j", "<enter>")
	r.Want("already back  hunk 2")
	r.Absent("already back  hunk 1")
	e.Lock()
	e.Gone = map[model.Path][]int{client: {1, 2}}
	e.Unlock()
	r.Press("R")
	r.Want("already back  hunk 1", "already back  hunk 2")
	r.Press("1", "3", "<enter>")
	r.Want("already back  hunk 2")
}
