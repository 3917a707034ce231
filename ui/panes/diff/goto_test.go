package diff

import (
	"math/rand/v2"
	"testing"
)

// Whatever hides a line — a fold, a hidden hunk, a gap, context of any width — it can be
// gone to.
func TestEveryLineCanBeGoneTo(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for round := range 300 {
		doc := generate(rng, rng.IntN(8)+1)
		for rng.IntN(2) == 0 { // long stretches between edits
			doc = generate(rng, 2)
		}
		if rng.IntN(4) == 0 {
			doc.Folded = "lock file"
		}
		p := New()
		p.shape.split = rng.IntN(2) == 0
		p.Show(doc)
		p.Widen(rng.IntN(4) - 3)
		p.win.Resize(p.lay.rows, 10)
		for range 20 {
			why := map[int]string{}
			for _, h := range doc.Hunks {
				if rng.IntN(2) == 0 {
					why[h.Number] = "hidden"
				}
			}
			p.SetHidden(why)
			old := rng.IntN(2) == 0 && doc.Old.Lines() > 0
			n := doc.New.Lines()
			if old {
				n = doc.Old.Lines()
			}
			if n == 0 {
				continue
			}
			line := rng.IntN(n)
			p.GoToLine(line, old)
			if r := p.row(); r.kind == gap || r.kind == head || old && r.old != line || !old && r.new != line {
				t.Fatalf("round %d: sent to line %d (old side: %v), the cursor is on %+v", round, line, old, r)
			}
		}
	}
}
