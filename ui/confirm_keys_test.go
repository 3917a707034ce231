package ui_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"overturn/model"
	"overturn/ui/uitest"
)

// The first letter of a word typed into the wrong window never confirms: the
// letters after it come while the confirmation is held.
func TestAWordInTheWrongWindow(t *testing.T) {
	e := uitest.Shop()
	r := openConfirm(t, e, client)
	r.After(time.Second)
	_, hold := r.Model.Update(uitest.Key("y"))
	if hold == nil {
		t.Fatal("y did not arm the dialog")
	}
	r.After(20 * time.Millisecond)
	r.Send(uitest.Key("e"))
	r.Send(hold())
	if len(e.Calls) > 0 {
		t.Errorf("it was written: %v", e.Calls)
	}
	r.Want("keys came too fast; nothing was written")
}

// D-05: a burst of random keys and a bracketed paste write nothing.
func TestRandomKeysWriteNothing(t *testing.T) {
	keys := []string{"j", "k", "x", "X", "P", "u", "U", "y", "1", "2", "3", "4", "<enter>", "<esc>", "<tab>", " ", "o", "i", "?", ":", "/", "n", "(", ")", "[", "]", ".", ",", "s", "w", "t", "v", "g", "G", "d", "r", "p"}
	for seed := range uint64(8) {
		e := uitest.Shop()
		r := uitest.Open(t, e, 100, 30)
		rng := rand.New(rand.NewPCG(seed, 9))
		var word strings.Builder
		for range 300 {
			k := keys[rng.IntN(len(keys))]
			r.After(time.Duration(rng.IntN(25)) * time.Millisecond)
			r.Send(uitest.Key(k))
			if len(k) == 1 {
				word.WriteString(k)
			}
			if r.Quit {
				break
			}
		}
		r.Send(uitest.Paste(word.String() + "\nPPy\n"))
		r.Send(uitest.Key(word.String()))
		if len(e.Calls) > 0 {
			t.Fatalf("seed %d: something was written: %v", seed, e.Calls)
		}
	}
}

func TestPasteIsNeverACommand(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 100, 30)
	before := r.Text()
	r.Send(uitest.Paste("XPq1"))
	if r.Quit || r.Text() != before || len(e.View.Staged) > 0 {
		t.Errorf("pasted text was obeyed")
	}
	r.Press("/")
	r.Send(uitest.Paste("retry"))
	r.Want("/retry")
}

// The dialog says that the number alone confirms; an Enter that follows from habit does
// not wipe the report. It lists every effect, reversible or not.
func TestNumberWithoutEnter(t *testing.T) {
	e := uitest.Shop()
	r := openConfirm(t, e, client, created)
	r.Want("type 2 to roll back, without Enter:", "Not taken back by this:", "go get golang.org/x/time", "reversible")
	r.Press("2")
	r.Want("rolled back: ")
	r.After(100 * time.Millisecond)
	r.Send(uitest.Key("<enter>"))
	r.Want("rolled back: ")
	r.After(300 * time.Millisecond)
	r.Send(uitest.Key("<enter>"))
	r.Absent("rolled back: ")
}

func TestFailuresNameTheNextStep(t *testing.T) {
	e := uitest.Shop()
	r := openConfirm(t, e, client)
	e.Lock()
	e.Fail["execute"] = model.Errorf(model.CodeStale, "README.md changed since the review").WithHint("look at `overturn plan --patch` again")
	e.Unlock()
	r.Press("y")
	r.Want("README.md changed since the review — the fresh plan is on the screen: review it, then P asks again", "Plan of what is staged")
	r.Press("<esc>")
	r.Absent("changed since the review")
	e.Lock()
	e.Fail["stage"] = errors.New("the disk is full")
	e.Unlock()
	r.Press("<esc>", "j", "X")
	r.Want("the disk is full")
}

// A long message takes the rows that it needs: its end is the next step.
func TestLongMessagesAreWhole(t *testing.T) {
	e := uitest.Shop()
	e.Fail["stage"] = model.Errorf(model.CodeRefused, "%s", strings.Repeat("a long reason ", 20)).WithHint("overturn the-next-step")
	r := uitest.Open(t, e, 80, 24)
	r.Press("j", "X")
	r.Want("overturn the-next-step")
	r.Press("<esc>")
	r.Absent("the-next-step", "a long reason")
}

func TestQuitWaitsForAWrite(t *testing.T) {
	e := uitest.Shop()
	r := openConfirm(t, e, client)
	gate := make(chan struct{})
	e.Slow["execute"] = gate
	r.Press("y")
	r.Want("rollback …")
	r.Press("q")
	r.Want("waiting for the rollback")
	if r.Quit {
		t.Fatal("it quit in the middle of a write")
	}
	close(gate)
	for i := 0; i < 100 && !r.Quit; i++ {
		time.Sleep(time.Millisecond)
		r.Drain()
	}
	if !r.Quit || len(e.Calls) != 1 {
		t.Errorf("quit %v, calls %v", r.Quit, e.Calls)
	}
}
