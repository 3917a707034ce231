package ui_test

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/panes/confirm"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

// say types a text into the box and keeps it.
func say(r *uitest.Review, text string) {
	r.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
	r.Press("<enter>")
}

// c comments on the line, the range, the hunk or the file under the cursor; what is
// kept names its place by content.
func TestComment(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 36)
	r.Press("j", "j", "j", "c")
	r.Want("Comment on the file " + client)
	say(r, "too long")
	r.Want("the comment is kept", "1 comment")
	r.Press("<enter>", "c")
	r.Want(client + ", the hunk of lines")
	say(r, "this hunk")
	r.Press("j", "j", "j", "j", "c")
	say(r, "this line")
	r.Want("◆ this line")
	r.Press("j", "v", "j", "c")
	r.Want(client + ", lines")
	say(r, "these two")
	got := e.Talk.Comments
	if len(got) != 4 {
		t.Fatalf("%d comments\n%s", len(got), r)
	}
	doc := strings.Split(string(e.Changes["7"][0].New), "\n")
	old := strings.Split(string(e.Changes["7"][0].Old), "\n")
	for i, want := range []model.AnchorKind{model.AnchorFile, model.AnchorHunk, model.AnchorLines, model.AnchorLines} {
		c := got[i]
		if c.Anchor.Kind != want || c.Path != client || c.Turn != 7 || c.Thread != "7f3c" || c.Scope != "7" {
			t.Errorf("comment %d: %+v", i, c)
		}
		if want == model.AnchorFile {
			continue
		}
		lines := doc
		if c.Anchor.Old {
			lines = old
		}
		if quote := strings.Join(lines[c.Anchor.From-1:c.Anchor.To], "\n"); quote != c.Anchor.Quote {
			t.Errorf("comment %d quotes %q, at its lines stands %q", i, c.Anchor.Quote, quote)
		}
	}
	if got[1].Anchor.Hunk == "" || got[2].Anchor.From != got[2].Anchor.To || got[3].Anchor.To <= got[3].Anchor.From {
		t.Errorf("anchors: %+v", got)
	}
}

// What is typed into the box is no command, and Esc keeps it as a draft for its place.
func TestCommentBox(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 36)
	r.Press("j", "j", "j", "c")
	for _, k := range "qXPuY1?" {
		r.Press(string(k))
	}
	r.Send(tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune("\npasted q")})
	r.Want("▏ qXPuY1?", "▏ pasted q")
	if r.Quit || len(e.View.Staged)+len(e.Talk.Copied)+len(e.Talk.Comments) > 0 {
		t.Fatalf("a key was obeyed\n%s", r)
	}
	r.Press("<esc>")
	r.Want("not kept")
	r.Press("j", "c")
	r.Absent("pasted q")
	r.Press("<esc>", "k", "c")
	r.Want("▏ pasted q")
	r.Press("<enter>")
	if len(e.Talk.Comments) != 1 || e.Talk.Comments[0].Text != "qXPuY1?\npasted q" {
		t.Errorf("kept: %+v", e.Talk.Comments)
	}
	r.Press("c", "<enter>")
	r.Want("no comment was written")
	// Keys that come with the one that opens the box go into it.
	r.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("cfast")})
	r.Want("▏ fast")
}

func commented() *uitest.Engine {
	e := uitest.Shop()
	e.Talk.Comments = []model.Comment{
		{ID: "01a", Path: client, Scope: "7", Thread: "7f3c", Turn: 7, Text: "first", At: uitest.Now().Add(-time.Hour), Anchor: model.Anchor{Kind: model.AnchorFile}},
		{ID: "01b", Path: "README.md", Scope: "7", Thread: "7f3c", Turn: 7, Text: "second", At: uitest.Now(), Told: &model.Told{At: uitest.Now(), Turn: 7},
			Anchor: model.Anchor{Kind: model.AnchorLines, From: 3, To: 3, Quote: "A small shop, with retries.", Before: "# Shop\n"}},
		{ID: "01c", Path: "gone.go", Scope: "3", Thread: "7f3c", Text: "third", At: uitest.Now(), Anchor: model.Anchor{Kind: model.AnchorLines, From: 9, To: 9, Quote: "x := compute()"}},
	}
	e.Talk.Back = []model.TakenBack{{ID: "01r", At: uitest.Now(), Paths: model.Paths{"a.go"}, Why: "rounding"}}
	return e
}

// C lists the comments: Enter goes to the place, e changes, d deletes when y says so.
func TestCommentList(t *testing.T) {
	e := commented()
	r := uitest.Open(t, e, 120, 36)
	r.Press("C")
	r.Want("◆ "+client, "first", "second", "handed over just now at turn 7", "Taken back since the latest turn began", "why: rounding")
	r.Press("e")
	r.Want("▏ first")
	say(r, " and more")
	if got := e.Talk.Comments[0]; got.Text != "first and more" || got.ID != "01a" {
		t.Errorf("changed: %+v", got)
	}
	r.Press("d")
	r.Want("Delete this comment?", "first and more", "y delete")
	r.Press("<enter>")
	if len(e.Talk.Comments) != 3 {
		t.Fatal("Enter deleted it")
	}
	r.Press("d")
	r.After(confirm.Grace)
	r.Press("y")
	r.Want("1 comment deleted")
	if len(e.Talk.Comments) != 2 || e.Talk.Comments[0].ID != "01b" {
		t.Errorf("left: %+v", e.Talk.Comments)
	}
	r.Press("g", "<enter>")
	r.Want("README.md  ", "◆ second")
	r.Press("C", "G", "k", "k", "k", "k", "k", "k")
	for !strings.Contains(r.Text(), "◆ gone.go") {
		t.Fatalf("the list is not there\n%s", r)
	}
	r.Press("D")
	r.Want("Delete 1 comment that the agent was told of?")
	r.Press("<esc>", "<esc>")
	r.Absent("Taken back since")
}

// A comment whose file is not in this comparison opens the one it was written on.
func TestCommentOfAnotherComparison(t *testing.T) {
	e := commented()
	e.Talk.Comments = e.Talk.Comments[2:]
	e.Changes["3"] = []uitest.Change{{Path: "gone.go", Old: []byte("a\n"), New: []byte("a\nx := compute()\n"), Owner: model.OwnerAgent}}
	r := uitest.Open(t, e, 120, 36)
	r.Press("C", "<enter>")
	r.Want("Turn 3", "gone.go  modified", "◆ third")
	e.Talk.Comments[0].Path = "nowhere.go"
	r.Press("C", "<enter>")
	r.Want("nowhere.go does not differ in this comparison any more")
}

// H hands over what was not told, once more withdraws it; nothing is handed over
// without it.
func TestHandOverKey(t *testing.T) {
	e := commented()
	r := uitest.Open(t, e, 120, 36)
	r.Press("C")
	if e.Talk.Waiting != nil {
		t.Fatal("it was handed over")
	}
	r.Press("H")
	r.Want("◆ to be told", "the next prompt of claude-code", "Handed over with the next prompt of claude-code (thread 7f3c): 2 comments and 1 take-back")
	if w := e.Talk.Waiting; w == nil || w.Thread != "7f3c" {
		t.Fatalf("waiting: %+v", w)
	}
	r.Press("H")
	r.Want("withdrawn: nothing is handed over")
	r.Absent("◆ to be told")
	if e.Talk.Waiting != nil {
		t.Errorf("waiting: %+v", e.Talk.Waiting)
	}
	// What came since goes along.
	r.Press("H")
	e.Talk.Comments = append(e.Talk.Comments, model.Comment{ID: "01d", Path: client, Text: "new", Anchor: model.Anchor{Kind: model.AnchorFile}})
	r.Press("R", "C", "C", "H")
	if w := e.Talk.Waiting; w == nil || w.Comments != 3 {
		t.Errorf("waiting: %+v", w)
	}
}

// y copies the hunk or the range as plain source, Y all as one prompt; the terminal is
// told what the engine says, and nothing else of it.
func TestCopy(t *testing.T) {
	e := commented()
	e.Talk.Raw = []byte("\x1b]52;c;eA==\a")
	r := uitest.Open(t, e, 120, 36)
	r.Press("G", "k", "y")
	r.Want("copied 1 line of README.md · by the terminal")
	if got := e.Talk.Copied; len(got) != 1 || got[0] != "A small shop, with retries.\n" {
		t.Errorf("copied %q", got)
	}
	if string(r.Sent) != "\x1b]52;c;eA==\a" {
		t.Errorf("the terminal was told %q", r.Sent)
	}
	r.Press("<enter>", "j", "j", "v", "j", "j", "y")
	if got := e.Talk.Copied[1]; got != "\nA small shop, with retries.\n" {
		t.Errorf("of the range %q", got)
	}
	r.Press("Y")
	r.Want("copied 2 comments and 1 take-back as one prompt")
	if got := e.Talk.Copied[2]; !strings.Contains(got, "first") || strings.Contains(got, "second") {
		t.Errorf("the prompt is %q", got)
	}
	e.Talk.Comments, e.Talk.Back = nil, nil
	r.Press("Y")
	r.Want("there is nothing to say that was not handed over")
}

// What a terminal obeys is written out in what is copied from a file.
func TestCopyIsLegible(t *testing.T) {
	e := uitest.Shop()
	r := uitest.Open(t, e, 120, 36)
	r.Press("G", "k", "k", "y")
	if got := e.Talk.Copied; len(got) != 1 || !strings.Contains(got[0], `\x1b[2J`) || strings.ContainsAny(got[0], "\x1b\a\r") {
		t.Errorf("copied %q", got)
	}
}

// c in the plan takes a reason, which the dialog shows and the rollback gets.
func TestWhyKey(t *testing.T) {
	e := uitest.Shop()
	e.View.Staged = []view.Staged{{Path: client, Scope: "7"}}
	r := uitest.Open(t, e, 120, 36)
	r.Press("P")
	r.Want("c says why (it need not)")
	r.Press("c")
	say(r, "rounding stays in one place")
	r.Want("why: rounding stays in one place")
	r.Press("P")
	r.Want("Roll back 1 path?", "why: rounding stays in one place")
	r.After(confirm.Grace)
	r.Press("y")
	if len(e.Reasons) != 1 || e.Reasons[0] != "rounding stays in one place" {
		t.Fatalf("reasons %q", e.Reasons)
	}
	e.View.Staged = []view.Staged{{Path: client, Scope: "7"}}
	r.Press("R", "P")
	r.Want("c says why (it need not)")
}
