package ui_test

import (
	"strings"
	"testing"
	"time"

	"overturn/ui/uitest"
)

// rest lets jobs that were told to end come back.
func rest(r *uitest.Review, until func() bool) {
	for i := 0; i < 500 && !until(); i++ {
		time.Sleep(time.Millisecond)
		r.Drain()
	}
}

// Esc stops a write; what it says is what the engine did about it.
func TestEscStopsAWrite(t *testing.T) {
	e := uitest.Shop()
	r := openConfirm(t, e, client)
	e.Slow["execute"] = make(chan struct{}) // never opens: only its context ends it
	r.Press("y")
	r.Want("rollback …")
	r.Press("<esc>")
	rest(r, func() bool { return strings.Contains(r.Text(), "cancelled") })
	r.Want("cancelled", "Plan of what is staged")
	if len(e.Calls) > 0 {
		t.Errorf("it was written: %v", e.Calls)
	}
	r.Press("<esc>")
	r.Absent("cancelled")
	r.Want("Plan of what is staged")
}

// Who wanted to quit and thinks better of it stays, and the write goes on.
func TestEscTakesQuitBack(t *testing.T) {
	e := uitest.Shop()
	r := openConfirm(t, e, client)
	gate := make(chan struct{})
	e.Slow["execute"] = gate
	r.Press("y", "q")
	r.Want("waiting for the rollback")
	r.Press("<esc>")
	r.Absent("waiting")
	close(gate)
	rest(r, func() bool { return strings.Contains(r.Text(), "rolled back") })
	r.Want("rolled back: 1 restored")
	if r.Quit {
		t.Error("it quit all the same")
	}
}

// Esc stops what is read, when that takes long; a quick Esc means the screen.
func TestEscStopsReading(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	e.Slow["compare"] = make(chan struct{})
	r.Press("1")
	r.Want("Comparing …", "Esc stops it")
	r.Press("<esc>")
	r.Want("Comparing was stopped.", "R compares again")
	delete(e.Slow, "compare")
	r.Press("R")
	r.Want("4 files", "backoff.go")

	gate := make(chan struct{})
	e.Slow["document"] = gate
	r.Press("j", "j", "<tab>")
	r.Want("reading ")
	r.Send(uitest.Key("<tab>"))
	r.Press("<esc>")
	r.Want("reading was stopped", "R reads it again")
	r.Absent("reading …")
	delete(e.Slow, "document")
	r.Press("R")
	r.Want("hunk 1/")
	r.Absent("was stopped")
}

// Of what reads many paths it is told how far it has come; Esc stops it, and what is
// staged then is read anew.
func TestEscStopsStaging(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	e.Slow["stage"], e.Done = make(chan struct{}), map[string]int{"stage": 420, "plan": 70}
	r.Press("X")
	r.Want("staging: 420 of 1000 paths, 42 % · Esc stops it")
	r.After(time.Second)
	r.Press("<esc>")
	rest(r, func() bool { return !strings.Contains(r.Text(), "staging:") })
	r.Want("cancelled")
	delete(e.Slow, "stage")
	r.Press("<esc>", "X")
	r.Want("● 1 staged")
	r.Absent("staging:")
	e.Slow["plan"] = make(chan struct{})
	r.Press("P")
	r.Want("Working out the plan … 70 of 1000 paths, 7 %", "Esc leaves it")
	r.Press("<esc>")
	r.Absent("Working out")
}

// A plan that is being worked out ends with its screen.
func TestEscLeavesAPlanThatIsRead(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	e.Slow["plan"] = make(chan struct{})
	r.Press("X", "P")
	r.Want("Working out the plan")
	r.Press("<esc>")
	r.Absent("Working out the plan")
	r.Drain() // nothing is under way but what waits for news
	delete(e.Slow, "plan")
	r.Press("P")
	r.Want("fingerprint")
}
