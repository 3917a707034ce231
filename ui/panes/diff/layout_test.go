package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

type lines [][]byte

func (l lines) Lines() int        { return len(l) }
func (l lines) Line(i int) []byte { return l[i] }

func text(s string) lines {
	var out lines
	for _, l := range strings.Split(s, "\n") {
		out = append(out, []byte(l))
	}
	return out
}

// generate makes a document with n equal stretches and an edit after each.
func generate(rng *rand.Rand, edits int) *view.Document {
	var old, now lines
	doc := &view.Document{}
	fresh := func(what string) []byte { return fmt.Appendf(nil, "%s %d", what, rng.IntN(1<<20)) }
	last := -10
	for range edits {
		for range rng.IntN(12) + 1 {
			l := fresh("same")
			old, now = append(old, l), append(now, l)
		}
		e := view.Edit{OldFrom: len(old), NewFrom: len(now)}
		dels, adds := rng.IntN(4), rng.IntN(4)
		if dels+adds == 0 {
			adds = 1
		}
		for range dels {
			old = append(old, fresh("old"))
		}
		for range adds {
			now = append(now, fresh("new"))
		}
		e.OldTo, e.NewTo = len(old), len(now)
		if e.OldFrom-last > 2*reach || len(doc.Hunks) == 0 {
			doc.Hunks = append(doc.Hunks, view.Hunk{Number: len(doc.Hunks) + 1})
		}
		h := &doc.Hunks[len(doc.Hunks)-1]
		h.Edits = append(h.Edits, e)
		last = e.OldTo
	}
	for range rng.IntN(9) {
		l := fresh("same")
		old, now = append(old, l), append(now, l)
	}
	doc.Old, doc.New = old, now
	doc.OldNoNewline, doc.NewNoNewline = rng.IntN(2) == 0, rng.IntN(2) == 0
	return doc
}

// Whatever the shape, the rows and the hidden lines together are both sides in
// order, nothing twice, nothing missing.
func TestLayoutHoldsEveryLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 400 {
		doc := generate(rng, rng.IntN(8)+1)
		sh := shape{split: rng.IntN(2) == 0, context: rng.IntN(5), shown: map[int32]int{int32(rng.IntN(9)): rng.IntN(6)}}
		l := build(doc, sh)
		var old, now []byte
		heads := 0
		for i := range l.rows {
			r := l.at(i)
			switch r.kind {
			case head:
				if l.heads[heads] != i {
					t.Fatalf("round %d: header %d is at row %d, not %d", round, heads, i, l.heads[heads])
				}
				heads++
			case gap:
				for k := range int(l.segs[r.seg].n) {
					old = append(append(old, doc.Old.Line(r.old+k)...), '\n')
					now = append(append(now, doc.New.Line(r.new+k)...), '\n')
				}
			case equal, removed, added, pair:
				if r.old >= 0 {
					old = append(append(old, doc.Old.Line(r.old)...), '\n')
				}
				if r.new >= 0 {
					now = append(append(now, doc.New.Line(r.new)...), '\n')
				}
			}
		}
		if heads != len(doc.Hunks) {
			t.Fatalf("round %d: %d of %d hunks have a header", round, heads, len(doc.Hunks))
		}
		if !bytes.Equal(old, all(doc.Old)) || !bytes.Equal(now, all(doc.New)) {
			t.Fatalf("round %d: the sides are not whole; shape %+v", round, sh)
		}
	}
}

func all(l view.Lines) []byte {
	var b []byte
	for i := range l.Lines() {
		b = append(append(b, l.Line(i)...), '\n')
	}
	return b
}

func TestRowOfFindsWhatAtShows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		l := build(generate(rng, 4), shape{split: rng.IntN(2) == 0, context: 2})
		for i := range l.rows {
			r := l.at(i)
			if r.kind < equal || r.kind == note {
				continue
			}
			if r.old >= 0 && l.rowOf(r.old, true) != i || r.new >= 0 && l.rowOf(r.new, false) != i {
				t.Fatalf("row %d (%+v) is found at %d and %d", i, r, l.rowOf(r.old, true), l.rowOf(r.new, false))
			}
		}
	}
}

// A side that is not there, or a document that is only a header, is shown.
func TestSidesThatAreNotThere(t *testing.T) {
	for _, doc := range []*view.Document{
		{},
		{Header: []string{"mode 100644 → 100755"}},
		{New: text("a\nb"), Hunks: []view.Hunk{{Number: 1, Edits: []view.Edit{{NewTo: 2}}}}},
		{Old: text("a\nb"), Hunks: []view.Hunk{{Number: 1, Edits: []view.Edit{{OldTo: 2}}}}},
	} {
		p := New()
		p.Show(doc)
		p.Replace(doc)
		f := frame.New(60, 9)
		p.Draw(f.All(), style.New(themes.Dusk(), termenv.TrueColor), true)
		p.ToggleSplit()
		p.ToggleWrap()
		p.Draw(f.All(), style.New(themes.Dusk(), termenv.TrueColor), true)
		if p.Line() < 1 {
			t.Errorf("an editor would open at line %d", p.Line())
		}
		p.Lines()
		p.NextHunk(1)
		p.Expand()
	}
}

// In a very long line the window opens where it differs, and costs the window.
func TestALongLineOpensWhereItDiffers(t *testing.T) {
	long := strings.Repeat("abcdefghij", 100_000)
	doc := &view.Document{Old: text(long), New: text(long[:500_000] + "CHANGED" + long[500_010:]),
		Hunks: []view.Hunk{{Number: 1, Edits: []view.Edit{{OldTo: 1, NewTo: 1}}}}}
	st := style.New(themes.Mono(), termenv.Ascii)
	draw := func(p *Pane) string {
		f := frame.New(100, 6)
		p.Draw(f.All(), st, true)
		var b strings.Builder
		for y := range f.H {
			for _, part := range f.Parts(y) {
				b.Write(part.Text)
			}
		}
		return b.String()
	}
	early := New() // shown before it was ever drawn, as the first document of a review
	early.Show(doc)
	if s := draw(early); !strings.Contains(s, "CHANGED") {
		t.Errorf("at first %q is drawn", s)
	}
	p := New()
	draw(p)
	p.Show(doc)
	if s := draw(p); !strings.Contains(s, "CHANGED") || len(s) > 2000 {
		t.Errorf("%d bytes are drawn: %q", len(s), s)
	}
	p.ToggleWrap()
	if s := draw(p); len(s) > 2000 || !strings.Contains(s, "›") {
		t.Errorf("wrapped, %d bytes are drawn: %q", len(s), s)
	}
}
