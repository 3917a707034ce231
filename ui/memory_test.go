package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/kept"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

func at(r *uitest.Review, text string) bool {
	s, ok := where(r)
	return ok && strings.Contains(s, text)
}

// where is the place that the review would leave.
func where(r *uitest.Review) (string, bool) {
	s := r.Model.Kept()
	if s.Last == nil {
		return "", false
	}
	return fmt.Sprintf("%s %s:%d head=%v", s.Last.Scope, s.Last.Path, s.Last.Line, s.Last.Head), true
}

func wantAt(t *testing.T, r *uitest.Review, text string) {
	t.Helper()
	if s, _ := where(r); !at(r, text) {
		t.Fatalf("the cursor is at %q, want %q:\n%s", s, text, r.Text())
	}
}

// The next review finds each scope as it was left, but opens on the latest turn.
func TestTheNextReviewGoesOn(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 36)
	r.Press("p", "client.go", "<enter>", "]", "j", "j")
	line, _ := where(r)
	if !strings.HasPrefix(line, "7 internal/client/client.go:") || strings.HasSuffix(line, ":0 head=false") {
		t.Fatalf("the cursor is at %q", line)
	}
	r.Press("1", "p", "README", "<enter>", "q")
	if !r.Quit {
		t.Fatal("it goes on")
	}
	r = uitest.Open(t, e, 120, 36)
	wantAt(t, r, line)
	r.Want("file 3/7")
	r.Press("1")
	wantAt(t, r, "working README.md")
	r.Press("3")
	wantAt(t, r, line)

	e.Changes["7"][0].New = append(e.Changes["7"][0].New, "more\n"...) // the line is another one now
	r.Press("q")
	r = uitest.Open(t, e, 120, 36)
	wantAt(t, r, "7 internal/client/client.go:")
	if at(r, line) {
		t.Errorf("the line of other contents is taken for the same: %+v\n%s", r.Model.Kept(), r.Text())
	}
	e.Changes["7"] = e.Changes["7"][1:]
	r.Press("q")
	r = uitest.Open(t, e, 120, 36)
	r.Want("file 1/6")
}

// What the user chose himself is there again, and nothing else.
func TestChoicesLast(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 200, 40)
	r.Press("q")
	if s := e.Left; s.Split != nil || s.Context != nil || s.Theme != "" || s.List || s.Wrap || s.Exact || len(s.Folded) > 0 {
		t.Fatalf("chosen without the user: %+v", s)
	}
	r = uitest.Open(t, e, 200, 40)
	r.Press("g", "<enter>", "j", "s", "w", "W", "+", "Z", "T", "q") // the first row is a folder
	s := e.Left
	if s.Split == nil || !*s.Split || !s.Wrap || !s.Exact || s.Context == nil || *s.Context != 5 || s.Theme == "" || s.Theme == themes.Dusk().Name || len(s.Folded) != 1 {
		t.Fatalf("left: %+v", s)
	}
	r = uitest.Open(t, e, 200, 40)
	r.Want("▸ assets/")
	r.Press("s", "w", "W", "+", "t")
	r.Press("q")
	if s := e.Left; s.Split == nil || *s.Split || s.Wrap || s.Exact || *s.Context != 7 || !s.List || s.Theme == "" {
		t.Errorf("the second review began from something else: %+v", s)
	}
}

// One theme is no choice.
func TestNoThemeToChoose(t *testing.T) {
	e := uitest.Shop()
	e.Left.Theme = "tide"
	r := uitest.Open(t, e, 120, 36, uitest.WithTheme(themes.Mono(), termenv.Ascii))
	r.Press("T", "q")
	if e.Left.Theme != "tide" {
		t.Errorf("the theme that is left is %q", e.Left.Theme)
	}
}

// Whatever the state says, the review opens.
func TestOddStates(t *testing.T) {
	for name, s := range map[string]kept.State{
		"elsewhere": {Spots: []kept.Spot{{Scope: "7", Thread: "7f3c", Path: "gone", Line: 9}}, Folded: []model.Path{"nowhere"}},
		"far away":  {Spots: []kept.Spot{{Scope: "7", Thread: "7f3c", Path: "README.md", Line: 1 << 30}}},
		"a folder":  {Spots: []kept.Spot{{Scope: "7", Thread: "7f3c", Path: "internal/client", Folder: true}}},
		"context":   {Context: ptr(100_000)},
		"pruned":    {Last: &kept.Spot{Scope: "99", Thread: "gone", Path: "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := uitest.Shop()
			e.Left = s
			r := uitest.Open(t, e, 100, 30)
			r.Want("README.md", "7")
			r.Press("<c-o>", "j", "k")
			r.Want("README.md")
			r.Press("q")
		})
	}
}

func ptr[T any](v T) *T { return &v }

// Back leads through the places that were jumped from, over files, scopes and threads,
// and forth again.
func TestJumps(t *testing.T) {
	e := uitest.Shop()
	e.Others = map[model.ThreadID][]view.Turn{"other": {{Number: 1, Agent: "codex", Prompt: "Else", State: model.TurnCompleted, Status: model.StatusReady}}}
	e.Changes["1"] = e.Changes["7"][3:5]
	r := uitest.Open(t, e, 120, 36)
	forth := func() { r.Send(message(t, "ctrl+n")) }
	r.Press("<c-o>")
	r.Want("no place to go back to")
	first, _ := where(r)
	r.Press("p", "client.go", "<enter>", "<enter>", "]", "j", "j", "j")
	picked, _ := where(r)
	r.Press("/", "attempts", "<enter>")
	found, _ := where(r)
	r.Press("<c-f>", "with retries", "<enter>", "<enter>")
	wantAt(t, r, "7 README.md:3")
	r.Press("1", "O", "codex", "<enter>")
	wantAt(t, r, "1 assets/logo.png")
	other, _ := where(r)
	for _, place := range []string{"working ", "7 README.md:3", found, picked, first} {
		r.Press("<c-o>")
		wantAt(t, r, place)
	}
	r.Press("<c-o>")
	r.Want("no place to go back to")
	for _, place := range []string{picked, found, "7 README.md:3", "working ", other} {
		forth()
		wantAt(t, r, place)
	}
	forth()
	r.Want("no place to go forth to")
	r.Press("<c-o>", "<c-o>")
	wantAt(t, r, "7 README.md:3")
	r.Want("Add retry with back-off") // the strip is of that thread again
}

// Space, turns, ranges and comments are jumps too; the latest turn is its own mode.
func TestOtherJumps(t *testing.T) {
	e := uitest.Shop()
	e.Changes["6"], e.Changes["5..7"] = e.Changes["7"][:2], e.Changes["7"][:3]
	r := uitest.Open(t, e, 120, 36)
	r.Press("p", "backoff", "<enter>")
	start, _ := where(r)
	r.Press(" ")
	next, _ := where(r)
	if next == start {
		t.Fatal("Space went nowhere")
	}
	r.Press("c", "why?", "<enter>", "(", "V", ")")
	wantAt(t, r, "5..7 ")
	r.Press("C", "<enter>")
	r.Press("<c-o>", "<c-o>", "<c-o>", "<c-o>", "<c-o>", "<c-o>")
	r.Want("no place to go back to")
	wantAt(t, r, "7 ")
	r.Send(message(t, "ctrl+n"))
	r.Absent("no place to go forth to")
}

// A place that a filter hides is listed again; one that does not differ any more says so.
func TestJumpsToWhatIsHidden(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 36)
	r.Press("p", "logo", "<enter>", "p", "backoff", "<enter>", "A") // the logo is the user's
	r.Absent("logo.png")
	r.Press("<c-o>")
	wantAt(t, r, "7 assets/logo.png")
	r.Want("logo.png")
	r.Press("p", "backoff", "<enter>", "1", "<c-o>")
	e.Changes["7"] = e.Changes["7"][:4]
	r.Press("R", "<c-o>")
	r.Want("assets/logo.png does not differ any more")
}

// What is looked for when the comparison cannot be read is let go of.
func TestAJumpThatFails(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 36)
	r.Press("p", "backoff", "<enter>")
	place, _ := where(r)
	r.Press("1")
	e.Fail["compare"] = model.Errorf(model.CodeFailed, "the disk is on fire")
	r.Press("<c-o>")
	r.Want("The disk is on fire")
	delete(e.Fail, "compare")
	r.Press("3")
	wantAt(t, r, place) // as it was left
}
