// Package since shows what changed in a hunk since it was read: the lines that it
// adds and removes now, against those that it did then.
//
// Invariants: it shows what was read, not what was there; a line says by its sign
// what its colour repeats. A crash leaves nothing behind.
package since

import (
	"overturn/model"
	"overturn/themes"
	"overturn/ui/sheet"
	"overturn/ui/view"
)

// Pane shows a hunk.
type Pane struct{ sheet.Sheet }

// Show shows what changed in h.
func (p *Pane) Show(path model.Path, h view.Hunk) {
	p.Reset()
	p.Set(func(int) []sheet.Line { return lines(path, h) }, nil, nil)
}

func lines(path model.Path, h view.Hunk) []sheet.Line {
	out := []sheet.Line{
		sheet.L(sheet.W(themes.Strong, " "+string(path)), sheet.W(themes.Muted, "  what the hunk did when it was read, and what it does now")),
		sheet.L(),
	}
	for _, line := range h.Since {
		role, word := themes.Muted, "   as read  "
		switch line[0] {
		case '-':
			role, word = themes.Minus, "   no more  "
		case '+':
			role, word = themes.Plus, "   now      "
		}
		out = append(out, sheet.L(sheet.W(themes.Muted, word), sheet.W(role, line[1:])))
	}
	return out
}
