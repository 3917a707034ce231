// Package comments is the pane that lists what the user has to say to the agent: the
// comments with where they stand now, what was taken back, and what waits to be handed
// over.
//
// Invariant: the pane shows what the engine gathered and derives nothing. A crash
// leaves nothing behind.
package comments

import (
	"fmt"
	"strings"
	"time"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/sheet"
	"overturn/ui/style"
	"overturn/ui/view"
)

// Pane lists an answer. Its zero value is ready.
type Pane struct {
	sheet.Sheet
	answer *view.Answer // nil: not known yet
}

// Answer is what is shown, or nil.
func (p *Pane) Answer() *view.Answer { return p.answer }

// Show replaces what is shown.
func (p *Pane) Show(a *view.Answer, now time.Time) {
	p.answer = a
	p.Set(func(width int) []sheet.Line { return lines(a, now, width) }, nil, nil)
}

// Selected is the comment under the cursor.
func (p *Pane) Selected() (view.Remark, bool) {
	if t := p.Tag(); p.answer != nil && t > 0 && t <= len(p.answer.Remarks) {
		return p.answer.Remarks[t-1], true
	}
	return view.Remark{}, false
}

// Draw draws the list.
func (p *Pane) Draw(a frame.Area, st *style.Table) { p.Sheet.Draw(a, st, true) }

func lines(a *view.Answer, now time.Time, width int) []sheet.Line {
	if len(a.Remarks)+len(a.TakenBack) == 0 && a.Waiting == nil {
		return []sheet.Line{sheet.L(sheet.W(themes.Muted, "  Nothing is said yet. c on a line, a range, a hunk or a file writes a comment."))}
	}
	var out []sheet.Line
	if w := a.Waiting; w != nil {
		out = append(out, sheet.Fill(themes.Good, waiting(w, now), 2, width)...)
		out = append(out, sheet.L())
	}
	for i, r := range a.Remarks {
		out = append(out, remark(r, i+1, now, width)...)
	}
	if len(a.TakenBack) > 0 {
		out = append(out, sheet.Heading("Taken back since the latest turn began")...)
		for _, b := range a.TakenBack {
			out = append(out, takenBack(b, now, width)...)
		}
	}
	return out
}

func waiting(w *view.Waiting, now time.Time) string {
	s := view.Count(w.Comments, "comment")
	if w.TakenBack > 0 {
		s += " and " + view.Count(w.TakenBack, "take-back")
	}
	return fmt.Sprintf("Handed over with the next prompt of %s (thread %s): %s, asked for %s. H withdraws it.", w.Agent, w.Thread, s, view.Since(now, w.At))
}

func remark(r view.Remark, tag int, now time.Time, width int) []sheet.Line {
	head := sheet.L(sheet.W(themes.Accent, " ◆ "), sheet.W(themes.Strong, r.Where), sheet.W(themes.Muted, "  "+about(r, now)))
	if r.Told != nil {
		head.Words = append(head.Words, sheet.W(themes.Good, "  "+told(r.Told, now)))
	}
	out := []sheet.Line{head}
	if quote, _, _ := strings.Cut(r.Anchor.Quote, "\n"); strings.TrimSpace(quote) != "" {
		role := themes.Muted
		if r.Anchor.Old {
			role = themes.Minus
		}
		out = append(out, sheet.L(sheet.W(role, "     │ "+strings.TrimSpace(quote))))
	}
	for _, l := range strings.Split(r.Text, "\n") {
		out = append(out, sheet.Fill(themes.Text, l, 5, width)...)
	}
	out = append(out, sheet.L())
	for i := range out {
		out[i].Tag = tag
	}
	return out
}

func about(r view.Remark, now time.Time) string {
	s := ""
	if r.Anchor.Kind != model.AnchorLines {
		s = string(r.Anchor.Kind) + " · "
	}
	if r.Turn > 0 {
		s += fmt.Sprintf("turn %d · ", r.Turn)
	}
	return s + view.Since(now, r.At)
}

func told(t *model.Told, now time.Time) string {
	s := "handed over " + view.Since(now, t.At)
	if t.Turn > 0 {
		s += fmt.Sprintf(" at turn %d", t.Turn)
	}
	return s
}

func takenBack(b model.TakenBack, now time.Time, width int) []sheet.Line {
	names := make([]string, len(b.Paths))
	for i, p := range b.Paths {
		names[i] = string(p)
	}
	out := sheet.Fill(themes.Text, strings.Join(names, ", ")+" · "+view.Since(now, b.At), 3, width)
	if b.Why != "" {
		out = append(out, sheet.Fill(themes.Accent, "why: "+b.Why, 5, width)...)
	}
	return out
}
