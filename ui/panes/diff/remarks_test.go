package diff

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"overturn/model"
	"overturn/model/anchor"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

func drawn(p *Pane, w, h int) string {
	f := frame.New(w, h)
	p.Draw(f.All(), style.New(themes.Mono(), termenv.Ascii), true)
	var b strings.Builder
	for y := range f.H {
		for _, part := range f.Parts(y) {
			b.Write(part.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func remarked() (*Pane, *view.Document) {
	var old, now []string
	for i := range 60 {
		line := "line " + strings.Repeat("x", i%7) + string(rune('a'+i%26))
		old, now = append(old, line), append(now, line)
	}
	now[30] = "CHANGED"
	doc := &view.Document{Old: text(strings.Join(old, "\n")), New: text(strings.Join(now, "\n")),
		Hunks: []view.Hunk{{Number: 1, Edits: []view.Edit{{OldFrom: 30, OldTo: 31, NewFrom: 30, NewTo: 31}}, Turns: []int{2, 5}}}}
	p := New()
	p.Show(doc)
	return p, doc
}

// Comments stand at their lines, in both shapes, also after lines came above; a place
// that a gap hides is opened to go there.
func TestRemarksStandAtTheirLines(t *testing.T) {
	p, doc := remarked()
	on := func(from, to int, kind model.AnchorKind, old bool, text string) view.Remark {
		side := doc.New
		if old {
			side = doc.Old
		}
		return view.Remark{Comment: model.Comment{ID: model.ID(text), Text: text, Anchor: anchor.Of(side, from, to, kind, old)}}
	}
	list := []view.Remark{on(30, 31, model.AnchorLines, false, "on the new line"), on(30, 31, model.AnchorLines, true, "on the old line"), on(3, 5, model.AnchorLines, false, "far above")}
	hunk := on(30, 31, model.AnchorHunk, false, "on the hunk")
	hunk.Anchor.Hunk = p.hash(0)
	list = append(list, hunk, view.Remark{Comment: model.Comment{ID: "f", Text: "on the file", Anchor: model.Anchor{Kind: model.AnchorFile}}},
		view.Remark{Comment: model.Comment{ID: "g", Text: "gone", Anchor: model.Anchor{Kind: model.AnchorLines, From: 9, To: 9, Quote: "what is nowhere"}}})
	p.SetRemarks(list)
	s := drawn(p, 100, 20)
	for _, want := range []string{"◆ comment", "-line", "+CHANGED", "◆ on the new line", "◆ on the old line"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not drawn:\n%s", want, s)
		}
	}
	if !p.GoToRemark("far above") || p.row().new != 3 || len(p.Remarked()) != 1 {
		t.Errorf("went to %+v", p.row())
	}
	if s = drawn(p, 100, 40); strings.Count(s, "◆") < 5 || strings.Count(s, "far above") != 1 {
		t.Errorf("two lines of one comment:\n%s", s)
	}
	if !p.GoToRemark("on the hunk") || p.row().kind != head {
		t.Errorf("went to %+v", p.row())
	}
	if p.GoToRemark("g") || p.GoToRemark("nobody") {
		t.Error("went to what is not there")
	}
	p.ToggleSplit()
	if s = drawn(p, 100, 40); strings.Count(s, "◆") < 4 {
		t.Errorf("split:\n%s", s)
	}
	p.ToggleSplit()
	shifted := *doc
	shifted.Old, shifted.New = text("new\nnew\n"+string(all(doc.Old))), text("new\nnew\n"+string(all(doc.New)))
	shifted.Hunks = []view.Hunk{{Number: 1, Edits: []view.Edit{{OldFrom: 32, OldTo: 33, NewFrom: 32, NewTo: 33}}}}
	p.Replace(&shifted)
	if !p.GoToRemark("on the new line") || p.row().new != 32 {
		t.Errorf("after lines came above: %+v", p.row())
	}
}

// The place of a comment is what is under the cursor, and y copies what it shows.
func TestAnchorAndSource(t *testing.T) {
	p, _ := remarked()
	drawn(p, 100, 20)
	if a := p.Anchor(); a.Kind != model.AnchorHunk || a.From != 31 || a.To != 31 || a.Hunk == "" || a.Old {
		t.Errorf("on the header: %+v", a)
	}
	if s, n := p.Source(); s != "CHANGED\n" || n != 1 {
		t.Errorf("source of the hunk: %q, %d", s, n)
	}
	if got := p.HunkTurns(); len(got) != 2 {
		t.Errorf("turns %v", got)
	}
	p.To(p.lay.rowOf(30, true))
	if a := p.Anchor(); a.Kind != model.AnchorLines || !a.Old || a.From != 31 {
		t.Errorf("on a removed line: %+v", a)
	}
	p.ToggleRange()
	if s, n := p.Source(); n != 1 || s == "CHANGED\n" {
		t.Errorf("source of a removed line: %q", s)
	}
	p.Move(1)
	if a := p.Anchor(); a.Old || a.Quote != "CHANGED" {
		t.Errorf("on a range over both sides: %+v", a)
	}
	p.CloseRange()
	p.To(0)
	if a := p.Anchor(); a.Kind != model.AnchorFile || a.Quote != "" {
		t.Errorf("on a gap: %+v", a)
	}
	empty := New()
	if a := empty.Anchor(); a.Kind != model.AnchorFile {
		t.Errorf("without a document: %+v", a)
	}
	if s, n := empty.Source(); s != "" || n != 0 {
		t.Errorf("source of nothing: %q", s)
	}
	empty.SetRemarks([]view.Remark{{}})
	if empty.GoToRemark("x") || empty.Remarked() != nil {
		t.Error("something is there")
	}
	gone, _ := remarked()
	gone.lay.doc.Hunks[0].Edits[0].NewTo = 30
	if s := changed(gone.lay.doc.Hunks[0]); !s.old || s.from != 30 || s.to != 31 {
		t.Errorf("a hunk that only takes out: %+v", s)
	}
}
