package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
)

// away says that the user jumps to another place: there is a way back to this one.
func (m *Model) away() {
	if h, ok := m.here(); ok {
		m.memory.trail.Leave(h)
	}
}

// depart is away to another comparison, unless a jump leads there: that knows the way.
func (m *Model) depart() {
	m.remember()
	if m.memory.goal == nil {
		m.away()
	}
}

// jumpBack goes back to where the user jumped from; in a review that just opened, to
// where the one before ended.
func (m *Model) jumpBack() tea.Cmd {
	h, _ := m.here()
	v, ok := m.memory.trail.Back(h)
	if !ok {
		m.say("no place to go back to")
		return nil
	}
	return m.jump(v)
}

// jumpAhead goes where jumpBack came from.
func (m *Model) jumpAhead() tea.Cmd {
	h, _ := m.here()
	v, ok := m.memory.trail.Ahead(h)
	if !ok {
		m.say("no place to go forth to")
		return nil
	}
	return m.jump(v)
}

// jump shows a place, of this comparison or another.
func (m *Model) jump(v visit) tea.Cmd {
	if h, ok := m.here(); ok && h.Scope == v.Scope && h.Thread == v.Thread {
		return m.land(v)
	}
	s, err := model.ParseScope(v.Scope)
	if err != nil { // a review leaves no other
		return nil
	}
	m.memory.goal = &v
	switch {
	case s.OfTurns() && v.Thread != m.over.Thread:
		return m.turnTo(v.Thread, s)
	case s.Kind == model.ScopeTurn && s.Turn == m.newestEnded(): // it has a mode of its own
		s = model.Scope{Kind: model.ScopeLatest}
	}
	return m.compareScope(s)
}

// compareScope opens a comparison; a range is at its end, and began at its beginning.
func (m *Model) compareScope(s model.Scope) tea.Cmd {
	if s.Kind != model.ScopeRange {
		return m.compare(s)
	}
	m.turn = s.To
	cmd := m.compare(s)
	m.spine.anchor = s.From + 1
	return cmd
}
