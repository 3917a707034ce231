package ui

import (
	"overturn/themes"
	"overturn/ui/frame"
)

// note fills an area with a sentence and what to do.
func (m *Model) note(a frame.Area, text, hint string) {
	style, muted := m.st.Of(themes.Text), m.st.Of(themes.Muted)
	lines := wrapNote(text, a.W-4)
	hints := wrapNote(hint, a.W-4)
	y := max(min((a.H-len(lines)-len(hints)-1)/3, 6), 0)
	for i := range y {
		a.Row(i).End(style)
	}
	for _, l := range lines {
		if y < a.H {
			a.Row(y).Text(style, "  "+l).End(style)
			y++
		}
	}
	if y < a.H && len(lines) > 0 && len(hints) > 0 {
		a.Row(y).End(style)
		y++
	}
	for _, l := range hints {
		if y < a.H {
			a.Row(y).Text(muted, "  "+l).End(style)
			y++
		}
	}
	a.Blank(y, style)
}
