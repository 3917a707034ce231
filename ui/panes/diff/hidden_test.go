package diff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/uitest/vt"
	"overturn/ui/view"
)

// picture is what p shows, row by row.
func picture(p *Pane, w, h int) string {
	f := frame.New(w, h)
	p.Draw(f.All(), style.New(themes.Mono(), termenv.Ascii), true)
	term := vt.New(w, h)
	for y := range f.H {
		for _, part := range f.Parts(y) {
			term.Feed(fmt.Appendf(nil, "\x1b[%d;%dH%s", y+1, part.Col+1, part.Text))
		}
	}
	return term.Text()
}

// Of a hidden hunk nothing is left but its header; the lines around it, the headers
// and the other hunks are as they were.
func TestHiddenHunksAreTheirHeaders(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for round := range 300 {
		doc := generate(rng, rng.IntN(8)+1)
		why := map[int]string{}
		for _, h := range doc.Hunks {
			if rng.IntN(2) == 0 {
				why[h.Number] = "the user's"
			}
		}
		l := build(doc, shape{split: rng.IntN(2) == 0, context: rng.IntN(5), shown: map[int32]int{}, hidden: why})
		old, now := make([]bool, doc.Old.Lines()), make([]bool, doc.New.Lines())
		heads := 0
		for i := range l.rows {
			r := l.at(i)
			n := 1
			switch r.kind {
			case head:
				heads++
				continue
			case gap:
				n = int(l.segs[r.seg].n)
			case header, note:
				continue
			}
			for k := range n {
				if r.old >= 0 {
					old[r.old+k] = true
				}
				if r.new >= 0 {
					now[r.new+k] = true
				}
			}
		}
		if heads != len(doc.Hunks) {
			t.Fatalf("round %d: %d of %d hunks have a header", round, heads, len(doc.Hunks))
		}
		for _, h := range doc.Hunks {
			first, last := h.Edits[0], h.Edits[len(h.Edits)-1]
			_, hide := why[h.Number]
			for i := first.OldFrom; i < last.OldTo; i++ {
				if old[i] == hide {
					t.Fatalf("round %d: line %d of the old side in hunk %d (hidden: %v) is shown: %v", round, i, h.Number, hide, old[i])
				}
				old[i] = true
			}
			for i := first.NewFrom; i < last.NewTo; i++ {
				if now[i] == hide {
					t.Fatalf("round %d: line %d of the new side in hunk %d (hidden: %v) is shown: %v", round, i, h.Number, hide, now[i])
				}
				now[i] = true
			}
		}
		for i := range old {
			if !old[i] {
				t.Fatalf("round %d: line %d of the old side, in no hunk, is gone", round, i)
			}
		}
		for i := range now {
			if !now[i] {
				t.Fatalf("round %d: line %d of the new side, in no hunk, is gone", round, i)
			}
		}
	}
}

func TestWalkingPassesHiddenHunks(t *testing.T) {
	doc := &view.Document{Old: text(strings.Repeat("same\n", 60)), New: text(strings.Repeat("same\n", 60))}
	for i := range 4 {
		at := 10 * (i + 1)
		doc.Hunks = append(doc.Hunks, view.Hunk{Number: i + 1, Edits: []view.Edit{{OldFrom: at, OldTo: at + 1, NewFrom: at, NewTo: at + 1}}})
	}
	p := New()
	p.Show(doc)
	p.SetHidden(map[int]string{2: "the user's", 4: "reviewed"})
	if s := picture(p, 80, 60); !strings.Contains(s, "hunk 2  ▸ the user's") || !strings.Contains(s, "hunk 4  ▸ reviewed") {
		t.Errorf("what is hidden is not said:\n%s", s)
	}
	if !p.NextHunk(1) || p.hunk() != 2 || p.NextHunk(1) {
		t.Errorf("after hunk 1 comes hunk %d, and then there should be none", p.hunk()+1)
	}
	p.LastHunk()
	if p.hunk() != 2 {
		t.Errorf("the last hunk that is shown is %d", p.hunk()+1)
	}
	p.To(p.lay.heads[1])
	if !p.Unfold() || !p.NextHunk(-1) || !p.NextHunk(1) || p.hunk() != 1 {
		t.Errorf("Enter has not opened the hidden hunk")
	}
}

func TestAFoldedDocumentIsOneRow(t *testing.T) {
	doc := &view.Document{Old: text("a\nb"), New: text("a\nc"), Folded: "lock file", Header: []string{"mode 100644 → 100755"},
		Hunks: []view.Hunk{{Number: 1, Edits: []view.Edit{{OldFrom: 1, OldTo: 2, NewFrom: 1, NewTo: 2}}}}}
	doc.File.Path = "go.sum"
	p := New()
	p.Show(doc)
	if s := picture(p, 80, 8); !strings.Contains(s, "▸ folded: lock file · 1 hunk  +1 −1 — Enter opens") || !strings.Contains(s, "mode 100644") || strings.Contains(s, "@@") {
		t.Errorf("shown:\n%s", s)
	}
	if at, of := p.Position(); at != 0 || of != 0 || p.NextHunk(1) {
		t.Errorf("a folded document has hunk %d of %d", at, of)
	}
	if !p.Unfold() || !strings.Contains(picture(p, 80, 8), "+c") {
		t.Errorf("Enter has not opened it:\n%s", picture(p, 80, 8))
	}
	p.Clear()
	p.Show(doc)
	if !strings.Contains(picture(p, 80, 8), "+c") {
		t.Errorf("what was opened is folded again")
	}
}

// Two halves come with the width, until the user says otherwise.
func TestShapeByWidth(t *testing.T) {
	doc := &view.Document{Old: text("a\nb"), New: text("a\nc"), Hunks: []view.Hunk{{Number: 1, Edits: []view.Edit{{OldFrom: 1, OldTo: 2, NewFrom: 1, NewTo: 2}}}}}
	p := New()
	p.Show(doc)
	for _, c := range []struct {
		width int
		split bool
	}{{80, false}, {splitFrom, true}, {splitFrom - 1, false}} {
		if picture(p, c.width, 8); p.lay.shape.split != c.split {
			t.Errorf("%d cells wide: split %v", c.width, p.lay.shape.split)
		}
	}
	p.Show(&view.Document{New: text("a\nb"), Hunks: []view.Hunk{{Number: 1, Edits: []view.Edit{{NewTo: 2}}}}})
	if picture(p, splitFrom, 8); p.lay.shape.split {
		t.Error("an added file is shown in a half")
	}
	p.Show(doc)
	p.ToggleSplit()
	if picture(p, 80, 8); !p.lay.shape.split {
		t.Error("what the user chose is changed by the width")
	}
}
