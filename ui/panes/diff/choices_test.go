package diff

import (
	"math/rand/v2"
	"testing"
)

// Where the cursor stands is where GoToLine leads, on every row that shows a line, in
// every shape.
func TestPlaceIsWhereGoToLineLeads(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for round := range 60 {
		split := round%2 == 0
		p := New()
		p.Choose(Choices{Split: &split})
		p.Show(generate(rng, rng.IntN(6)+3))
		p.win.Resize(p.lay.rows, 7)
		lines := 0
		for i := range p.lay.rows {
			p.To(i)
			line, old, head, ok := p.Place()
			if !ok || p.row().kind == note { // a note is about the line above
				continue
			}
			lines++
			p.To(p.lay.rows - 1 - i)
			p.GoToLine(line, old)
			if head {
				p.NextHunk(-1)
			}
			if p.win.Cursor != i {
				t.Fatalf("round %d: from row %d to line %d (old %v, head %v) and back to row %d", round, i, line, old, head, p.win.Cursor)
			}
		}
		if lines < 3 {
			t.Errorf("round %d: %d rows have a place", round, lines)
		}
	}
	if _, _, _, ok := New().Place(); ok {
		t.Error("there is a place without a document")
	}
}

// Choices are what the user chose, and make another pane choose the same.
func TestChoices(t *testing.T) {
	p := New()
	if c := p.Choices(); c.Split != nil || c.Context != nil || c.Wrap {
		t.Errorf("chosen by nobody: %+v", c)
	}
	p.ToggleSplit()
	p.ToggleWrap()
	p.Widen(-2)
	p.ToggleWhole()
	q := New()
	q.Choose(p.Choices())
	if c := q.Choices(); c.Split == nil || !*c.Split || !c.Wrap || c.Context == nil || *c.Context != 1 || q.auto {
		t.Errorf("the other pane chose %+v", c)
	}
}
