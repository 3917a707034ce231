package ui_test

import (
	"testing"

	"overturn/model"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

// running is the shop with turn 8 under way.
func running() *uitest.Engine {
	e := uitest.Shop()
	open := view.Turn{Thread: "7f3c", Agent: "claude-code", Number: 8, Prompt: "More", State: model.TurnOpen, StartedAt: uitest.Now(), Files: -1}
	e.View.Turns, e.View.Running = append(e.View.Turns, open), []view.Turn{open}
	return e
}

// starts begins turn 8 in a shop where nothing ran.
func starts(e *uitest.Engine) {
	later := running()
	e.Lock()
	e.View.Turns, e.View.Running = later.View.Turns, later.View.Running
	e.Unlock()
	e.News <- struct{}{}
}

// ends ends turn 8.
func ends(e *uitest.Engine, r *uitest.Review) {
	e.Lock()
	e.View.Turns[7].State, e.View.Turns[7].Status, e.View.Turns[7].Files, e.View.Running = model.TurnCompleted, model.StatusReady, 2, nil
	if e.View.Queued != nil {
		w := *e.View.Queued
		w.Open = false
		e.View.Queued = &w
	}
	e.Unlock()
	e.News <- struct{}{}
}

// waiting stages a file and confirms its plan for the end of turn 8.
func waiting(t *testing.T, e *uitest.Engine) *uitest.Review {
	t.Helper()
	r := openConfirm(t, e, "README.md")
	r.Want("turn 8 of claude-code runs   w waits for its end", "y roll back")
	r.Press("w")
	r.Want("● at the end of turn 8 of claude-code, by this review   w at once instead", "y roll back then")
	r.Press("y")
	r.Want("it waits for the turn to end", "waits for turn 8 of claude-code ● 1 staged")
	if len(e.Calls) != 0 {
		t.Fatalf("it was written at once: %v", e.Calls)
	}
	return r
}

func TestATakeBackWaitsForTheTurn(t *testing.T) {
	e := running()
	r := waiting(t, e)
	r.Press("R")
	if len(e.Calls) != 0 {
		t.Fatalf("it was written before the turn ended: %v", e.Calls)
	}
	ends(e, r)
	until(r, "the turn ended · rolled back: 1 restored")
	r.Absent("waits for turn 8")
	if len(e.Calls) != 1 {
		t.Errorf("calls: %v", e.Calls)
	}
}

func TestWhatWaitedAndIsStale(t *testing.T) {
	e := running()
	r := waiting(t, e)
	e.Lock()
	e.Fail["execute"] = model.Errorf(model.CodeStale, "the work tree changed since the review; nothing was written")
	e.Unlock()
	ends(e, r)
	until(r, "what waited was dropped: the turn or you changed those files since")
	r.Want("● 1 staged")
	r.Absent("waits for turn 8")
}

func TestWhatWaitsIsLetGo(t *testing.T) {
	e := running()
	r := waiting(t, e)
	r.Press("P", "w")
	r.Want("it does not wait any more; it is staged still")
	r.Absent("waits for turn 8")
	ends(e, r)
	until(r, "turn 8 ended")
	if len(e.Calls) != 1 || e.Calls[0] != "forget" {
		t.Errorf("calls: %v", e.Calls)
	}
}

// w twice is at once, as it was.
func TestNotToWaitAfterAll(t *testing.T) {
	e := running()
	r := openConfirm(t, e, "README.md")
	r.Press("w", "w", "y")
	r.Want("rolled back: 1 restored")
	if e.View.Queued != nil || len(e.Calls) != 1 {
		t.Errorf("waits: %v, calls: %v", e.View.Queued, e.Calls)
	}
}

// Nothing runs, nothing to wait for.
func TestNothingToWaitFor(t *testing.T) {
	e := uitest.Shop()
	r := openConfirm(t, e, "README.md")
	r.Absent("waits for its end")
	r.Press("w", "y")
	r.Want("rolled back: 1 restored")
	r.Press("P", "w")
	r.Want("nothing waits for the end of a turn")
}

// A question that stands already tells of a turn that starts.
func TestATurnStartsBehindTheQuestion(t *testing.T) {
	e := uitest.Shop()
	r := openConfirm(t, e, "README.md")
	r.Absent("waits for its end")
	starts(e)
	until(r, "turn 8 of claude-code runs   w waits for its end")
	r.Press("w", "y")
	r.Want("waits for turn 8 of claude-code ● 1 staged")
	if len(e.Calls) != 0 {
		t.Errorf("it was written at once: %v", e.Calls)
	}
}

// What ended behind the question is not waited for, and the question says so.
func TestATurnEndsBehindTheQuestion(t *testing.T) {
	e := running()
	r := openConfirm(t, e, "README.md")
	r.Press("w")
	r.Want("at the end of turn 8 of claude-code, by this review", "y roll back then")
	ends(e, r)
	until(r, "y roll back  ")
	r.Absent("roll back then", "at the end of turn 8", "waits for its end")
	r.Press("y")
	r.Want("rolled back: 1 restored")
	if e.View.Queued != nil {
		t.Errorf("waits: %v", e.View.Queued)
	}
}

// A review that did not see it wait writes nothing by itself.
func TestWhatWaitedWhileNobodyLooked(t *testing.T) {
	e := uitest.Shop()
	e.View.Staged = []view.Staged{{Path: "README.md", Scope: "7"}}
	e.View.Queued = &view.Queued{ID: "x", Paths: 1, For: "turn 7 of claude-code"}
	r := uitest.Open(t, e, 120, 30)
	r.Want("was dropped: no review was open then. It is staged still", "● 1 staged")
	if len(e.Calls) != 1 || e.Calls[0] != "forget" {
		t.Errorf("calls: %v", e.Calls)
	}
}

// A question on the screen comes first.
func TestItWaitsForTheDialogToo(t *testing.T) {
	e := running()
	r := waiting(t, e)
	r.Press("u")
	r.Want("Undo the rollback of 2 paths")
	ends(e, r)
	for range 20 {
		r.Drain()
	}
	if len(e.Calls) != 0 {
		t.Fatalf("it was written below a dialog: %v", e.Calls)
	}
	until(r, "8 R")
	r.Press("<esc>")
	until(r, "the turn ended · rolled back")
}
