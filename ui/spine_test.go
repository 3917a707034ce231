package ui_test

import (
	"testing"
	"time"

	"overturn/model"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

// twoThreads is the shop with a second agent at work beside the first.
func twoThreads() *uitest.Engine {
	e := uitest.Shop()
	e.Others = map[model.ThreadID][]view.Turn{"codex-0199-abcdef": {
		{Agent: "codex", Number: 1, Prompt: "Document the API", State: model.TurnCompleted, Status: model.StatusReady, Files: 1, Additions: 9,
			StartedAt: uitest.Now().Add(-30 * time.Minute), CompletedAt: uitest.Now().Add(-29 * time.Minute)},
		{Agent: "codex", Number: 2, Prompt: "Fix the typos", State: model.TurnCompleted, Status: model.StatusReady, Files: 2,
			StartedAt: uitest.Now().Add(-5 * time.Minute), CompletedAt: uitest.Now().Add(-4 * time.Minute)},
	}}
	return e
}

func TestRangeOfTurns(t *testing.T) {
	e := uitest.Shop()
	e.Changes["4..7"], e.Changes["5..7"] = e.Changes["7"][:3], e.Changes["7"][:2]
	r := uitest.Open(t, e, 120, 30)
	r.Press("V")
	r.Want("range from turn 7: ( and ) choose its other end")
	r.Press("(", "(")
	r.Want("4 Turns 5 to 7", "3 files", "[5 R ready", "7 R]")
	r.Press(")")
	r.Want("4 Turns 6 to 7", "2 files", "[6 R ready", "7 R]")
	r.Press("V")
	r.Want("4 Turn 6", "start of turn 6")
	r.Absent("7 R]")
	r.Press("V", "(", "<esc>") // Esc ends it too
	r.Want("one turn", "start of turn 5")
	r.Press("V", "(", "3")
	r.Want("start of turn 7")
	r.Press("(")
	r.Want("start of turn 6")
	r.Absent("..")
}

func TestARangeThatTheCommandLineNames(t *testing.T) {
	e := uitest.Shop()
	e.Changes["2..5"], e.Changes["2..4"] = e.Changes["7"][:3], e.Changes["7"][:2]
	r := uitest.Open(t, e, 120, 30, uitest.WithScope(model.Scope{Kind: model.ScopeRange, From: 2, To: 5}))
	r.Want("Turns 3 to 5", "3 files", "[3 R", "5 R ready")
	r.Press("(")
	r.Want("Turns 3 to 4", "2 files")
}

func TestListOfTurns(t *testing.T) {
	for _, size := range [][2]int{{140, 30}, {70, 20}} {
		e := twoThreads()
		r := uitest.Open(t, e, size[0], size[1])
		r.Press("L")
		r.Want("7 R ready", "Add retry with back", "2 R ready", "Fix the typos", "4 M missing", "interrupted", "1 lasting effect", "codex")
		if size[0] == 140 {
			r.Want("8 files    +180    −42", "codex codex-01", "claude-code 7f3c")
		}
		_, fix := r.At("Fix the typos")
		_, retry := r.At("1 lasting effect  Add retry")
		if fix >= retry {
			t.Errorf("the newest turn is not the first\n%s", r)
		}
		r.Press("j", "j", "<enter>")
		r.Want("4 Turn 6", "start of turn 6 → end of turn 6")
	}
}

func TestARangeFromTheList(t *testing.T) {
	e := twoThreads()
	e.Changes["3..6"] = e.Changes["7"][:3]
	r := uitest.Open(t, e, 120, 30)
	r.Press("L", "j", "j", "V")
	r.Want("range from turn 6: Enter on another turn", "▸6 R ready")
	r.Press("V")
	r.Want("no range")
	r.Press("V", "j", "j", "<enter>")
	r.Want("Turns 4 to 6", "3 files")
	r.Press("L", "g", "V")
	r.Want("a range is of one thread")
}

func TestTheListGrowsOnDemand(t *testing.T) {
	e := uitest.Shop()
	e.View.Turns = nil
	for i := range 130 {
		e.View.Turns = append(e.View.Turns, view.Turn{Number: i + 1, Prompt: "p", State: model.TurnCompleted, Status: model.StatusReady, StartedAt: uitest.Now().Add(time.Duration(i-200) * time.Minute)})
	}
	r := uitest.Open(t, e, 100, 20)
	r.Press("L", "G")
	r.Want("older turns: Enter lists them", " 31 R ready")
	r.Press("<enter>", "G")
	r.Want("  1 R ready")
	r.Absent("older turns")
}

func TestAnotherThread(t *testing.T) {
	e := twoThreads()
	e.Changes["2"] = e.Changes["7"][:1]
	r := uitest.Open(t, e, 120, 30)
	r.Want("claude-code 7f3c ")
	r.Press("O")
	r.Want("codex codex-01  Document the API", "2 turns", "shown")
	r.Press("<down>", "<enter>")
	r.Want("codex codex-01 ", "O news", "thread codex-01 of codex", "2 R ready Fix the typos", "1 file ")
	r.Press("L")
	r.Press("j", "<enter>") // to a turn of the first thread
	r.Want("claude-code 7f3c ")
	r.Absent("O news")
}

// A turn that another thread takes meanwhile is told of; what is on the screen stays.
func TestTheThreadOnTheScreenStays(t *testing.T) {
	e := twoThreads()
	r := uitest.Open(t, e, 120, 30)
	e.Lock()
	e.Others["7f3c"] = e.View.Turns // the thread that was shown is now the other one
	e.View.Thread, e.View.Agent, e.View.Turns = "new", "gemini", []view.Turn{{Number: 1, Prompt: "Something else", State: model.TurnOpen, StartedAt: uitest.Now()}}
	e.Unlock()
	e.News <- struct{}{}
	until(r, "O news")
	r.Want("7 R ready", "start of turn 7")
}

func TestTurnsThatEndOutOfSightAreCounted(t *testing.T) {
	e := uitest.Shop()
	e.View.Turns = append(e.View.Turns, view.Turn{Number: 8, Prompt: "More", State: model.TurnOpen, StartedAt: uitest.Now(), Files: -1})
	e.Changes["8"] = e.Changes["7"][:2]
	r := uitest.Open(t, e, 120, 30)
	r.Want("7 R ready", "8 O") // the latest is the last that ended
	r.Press(")")
	r.Want("Turn 8 is still running.", "It is shown when it ends.")
	r.Press("(", "(")
	r.Want("start of turn 6")
	e.Lock()
	e.View.Turns[7].State, e.View.Turns[7].Status, e.View.Turns[7].Files = model.TurnCompleted, model.StatusReady, 2
	e.Unlock()
	e.News <- struct{}{}
	until(r, "turn 8 ended: 2 files")
	r.Want("1 new turn", "start of turn 6")
	r.Press("3")
	r.Want("8 R ready More", "2 files")
	r.Absent("1 new turn")
}

// An open turn that is waited for is shown when it ends.
func TestTheTurnThatIsWaitedForIsShown(t *testing.T) {
	e := uitest.Shop()
	e.View.Turns = append(e.View.Turns, view.Turn{Number: 8, Prompt: "More", State: model.TurnOpen, StartedAt: uitest.Now(), Files: -1})
	e.Changes["8"] = e.Changes["7"][:2]
	r := uitest.Open(t, e, 120, 30)
	r.Press(")")
	r.Want("Turn 8 is still running.")
	e.Lock()
	e.View.Turns[7].State, e.View.Turns[7].Status, e.View.Turns[7].Files = model.TurnCompleted, model.StatusReady, 2
	e.Unlock()
	e.News <- struct{}{}
	until(r, "8 R ready")
	r.Want("turn 8 ended: 2 files", "client.go")
	r.Absent("new turn", "still running")
}

// A thread that is gone when it is chosen leaves the review where it is; one that goes
// while it is shown makes room for the newest.
func TestAThreadThatIsGone(t *testing.T) {
	e := twoThreads()
	r := uitest.Open(t, e, 120, 30)
	gone := func(err error) {
		e.Lock()
		defer e.Unlock()
		if delete(e.Fail, "overview"); err != nil {
			e.Fail["overview"] = err
		}
	}
	r.Press("O", "<down>")
	gone(model.Usagef("there is no thread codex-0199-abcdef"))
	r.Press("<enter>")
	r.Want("there is no thread codex-0199-abcdef", "7 R ready", "7 files  +37")
	gone(nil)
	r.Press("<esc>", "O", "<down>", "<enter>")
	r.Want("codex codex-01 ", "2 R ready")
	e.Lock()
	delete(e.Others, "codex-0199-abcdef")
	e.Unlock()
	r.Press("R")
	r.Want("7 R ready", "7 files  +37", "thread 7f3c of claude-code")
}

// News do not take away what failed and stays until Esc.
func TestNewsLeaveAFailure(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 30)
	e.Lock()
	e.Fail["card"] = model.Errorf(model.CodeFailed, "the card cannot be read")
	e.View.Turns = append(e.View.Turns, view.Turn{Number: 8, Prompt: "More", State: model.TurnOpen, StartedAt: uitest.Now(), Files: -1})
	e.Unlock()
	r.Press("i")
	r.Want("the card cannot be read")
	e.News <- struct{}{}
	until(r, "8 O")
	r.Want("the card cannot be read")
}

// A list that nothing in it fits says so when Enter is pressed, and what is on the
// screen stays; a folder tells that X keeps what is another thread's.
func TestNothingMatchesWhatWasTyped(t *testing.T) {
	r := uitest.Open(t, twoThreads(), 120, 30)
	for key, word := range map[string]string{"p": "file", ":": "command", "O": "thread"} {
		r.Press(key, "qqzzqq", "<enter>")
		r.Want("no "+word+" here matches qqzzqq", "logo.png  modified")
	}
	r.Press("<home>")
	r.Want("below it; what is", "another thread's stays.")
}
