// Package history is the pane of past rollbacks, newest first, with the patch
// that was confirmed for the one under the cursor.
//
// Invariant: the pane shows what the journal says and derives nothing. A crash
// leaves nothing behind.
package history

import (
	"fmt"
	"time"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/sheet"
	"overturn/ui/style"
	"overturn/ui/view"
)

// Pane lists entries.
type Pane struct {
	list    sheet.Sheet
	patch   sheet.Sheet
	entries []model.HistoryEntry
	shown   model.ID // whose patch is shown
	focus   bool     // the patch has the focus
}

// Show replaces the entries, the newest first.
func (p *Pane) Show(entries []model.HistoryEntry, now time.Time) {
	p.entries = entries
	p.list.Set(func(width int) []sheet.Line { return lines(entries, now, width) }, nil, nil)
}

// ShowPatch shows the patch of an entry.
func (p *Pane) ShowPatch(id model.ID, patch []byte) {
	p.shown = id
	p.patch.Set(nil, sheet.NewPatch(patch), nil)
	p.patch.Reset()
}

// Selected is the entry under the cursor.
func (p *Pane) Selected() (model.HistoryEntry, bool) {
	if t := p.list.Tag(); t > 0 && t <= len(p.entries) {
		return p.entries[t-1], true
	}
	return model.HistoryEntry{}, false
}

// Shown is the entry whose patch is shown.
func (p *Pane) Shown() model.ID { return p.shown }

// Active is the sheet that keys move.
func (p *Pane) Active() *sheet.Sheet {
	if p.focus {
		return &p.patch
	}
	return &p.list
}

// Focus gives keys to the patch, or back to the list; it tells where they go.
func (p *Pane) Focus(patch bool) { p.focus = patch && p.shown != "" }

// InPatch tells whether the patch has the focus.
func (p *Pane) InPatch() bool { return p.focus }

// At is the sheet at a cell of the pane, and the row within it.
func (p *Pane) At(y, height int) (*sheet.Sheet, int) {
	if top := p.split(height); y > top {
		return &p.patch, y - top - 1
	}
	return &p.list, y
}

// split is the rows of the list: a third, no more than it needs; all where it is empty,
// and there is no patch.
func (p *Pane) split(height int) int {
	if len(p.entries) == 0 {
		return height
	}
	return min(len(p.entries), max(height/3, 3))
}

// Draw draws the list above the patch.
func (p *Pane) Draw(a frame.Area, st *style.Table) {
	top := p.split(a.H)
	p.list.Draw(a.Sub(0, 0, a.W, top), st, !p.focus)
	rest := a.Sub(0, top, a.W, a.H-top)
	if rest.H == 0 {
		return
	}
	g := themes.Title
	if p.focus {
		g = themes.TitleOn
	}
	title := " patch as confirmed"
	if p.shown == "" {
		title = " Enter shows the patch that was confirmed"
	}
	rest.Row(0).Text(st.Of(g), title).End(st.Of(g))
	body := rest.Sub(0, 1, rest.W, rest.H-1)
	if p.shown == "" {
		body.Blank(0, st.Of(themes.Text))
		return
	}
	p.patch.Draw(body, st, p.focus)
}

func lines(entries []model.HistoryEntry, now time.Time, width int) []sheet.Line {
	if len(entries) == 0 {
		return sheet.Fill(themes.Muted, "Nothing was rolled back here yet. x and X stage, P shows the plan.", 2, width)
	}
	var out []sheet.Line
	for i, e := range entries {
		role := themes.Good
		switch e.Outcome {
		case model.OutcomePartial, model.OutcomeStale, model.OutcomeUndone, model.OutcomeCancelled:
			role = themes.Warn
		case model.OutcomeRefused:
			role = themes.Bad
		}
		l := sheet.L(sheet.W(themes.Muted, fmt.Sprintf("  %4s ", view.Ago(now, e.At))), sheet.W(themes.Strong, fmt.Sprintf("%-9s", e.Kind)),
			sheet.W(role, fmt.Sprintf("%-10s", e.Outcome)), sheet.W(themes.Text, paths(e.Paths)))
		if e.Why != "" {
			l.Words = append(l.Words, sheet.W(themes.Accent, "  “"+e.Why+"”"))
		}
		if e.UndoneBy != "" {
			l.Words = append(l.Words, sheet.W(themes.Warn, "  undone"))
		}
		l.Words = append(l.Words, sheet.W(themes.Muted, "  "+string(e.ID)))
		l.Tag = i + 1
		out = append(out, l)
	}
	return out
}

func paths(list model.Paths) string {
	switch len(list) {
	case 0:
		return "no paths"
	case 1:
		return string(list[0])
	}
	return fmt.Sprintf("%s and %d more", list[0], len(list)-1)
}

// List is the sheet of the entries.
func (p *Pane) List() *sheet.Sheet { return &p.list }
