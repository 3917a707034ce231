package ui

import tea "github.com/charmbracelet/bubbletea"

// mouseInPrompt scrolls the list above a prompt, and chooses what is clicked; a click
// elsewhere closes nothing.
func (m *Model) mouseInPrompt(e tea.MouseEvent, d int) tea.Cmd {
	switch {
	case d != 0:
		m.prompt.Scroll(d)
	case e.Button == tea.MouseButtonLeft && e.Action == tea.MouseActionPress && m.prompt.Click(e.X, e.Y):
		return m.typed(tea.KeyMsg{Type: tea.KeyEnter})
	}
	return nil
}

// drag is the left button held down on lines of the diff: they become a range.
type drag struct {
	on   bool // it was pressed on a line
	made bool // the range that is open came so
}

// press notes where a drag may begin. A click closes the range of an earlier one.
func (d *drag) press(m *Model, x, y int) {
	if d.made && m.diff.Ranged() {
		m.diff.CloseRange()
	}
	*d = drag{on: m.where == inReview && m.areas.diff.Contains(x, y)}
}

// motion stretches the range to the row under the pointer, or scrolls towards it.
func (d *drag) motion(m *Model, y int) {
	if !d.on || m.where != inReview {
		m.dirty = false
		return
	}
	if !m.diff.Ranged() {
		m.diff.ToggleRange()
		d.made = true
	}
	a := m.areas.diff
	switch {
	case y < a.Y:
		m.diff.Move(-1)
	case y >= a.Y+a.H:
		m.diff.Move(1)
	default:
		m.diff.Click(y - a.Y)
	}
}
