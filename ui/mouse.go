package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/frame"
	"overturn/ui/sheet"
)

// areas is where things are on the screen: the hit map of the mouse.
type areas struct {
	header, strip, files, diff, body, status frame.Area
	modes                                    []mode // with their columns
}

type mode struct {
	from, to int
	scope    model.ScopeKind
}

// Rows that a notch of the wheel scrolls.
const (
	notchText = 3
	notchList = 1
)

// mouse scrolls what is under the pointer and selects what is clicked. It never
// confirms anything.
func (m *Model) mouse(e tea.MouseEvent) tea.Cmd {
	d := map[tea.MouseButton]int{tea.MouseButtonWheelUp: -1, tea.MouseButtonWheelDown: 1}[e.Button]
	switch {
	case m.dialog != nil:
		m.dialog.Scroll(d)
		return nil
	case m.prompt != nil:
		return nil
	case d != 0:
		m.wheel(e, d)
		return m.summaries()
	case e.Button == tea.MouseButtonWheelLeft || e.Button == tea.MouseButtonWheelRight:
		if m.where == inReview && m.areas.diff.Contains(e.X, e.Y) {
			m.diff.Sideways(map[tea.MouseButton]int{tea.MouseButtonWheelLeft: -columns, tea.MouseButtonWheelRight: columns}[e.Button])
		}
		return nil
	case e.Button == tea.MouseButtonLeft && e.Action == tea.MouseActionPress:
		return m.click(e.X, e.Y)
	}
	m.dirty = false
	return nil
}

func (m *Model) wheel(e tea.MouseEvent, d int) {
	switch {
	case m.where == inReview && m.areas.files.Contains(e.X, e.Y):
		m.files.Scroll(d * notchList)
	case m.where == inReview:
		m.diff.Scroll(d * notchText)
	case m.where == inHistory:
		s, _ := m.history.At(e.Y-m.areas.body.Y, m.areas.body.H)
		s.Scroll(d * notchText)
	default:
		m.focused().Scroll(d * notchText)
	}
}

func (m *Model) click(x, y int) tea.Cmd {
	a := m.areas
	switch {
	case a.header.Contains(x, y):
		for _, b := range a.modes {
			if x >= b.from && x < b.to {
				return m.clickMode(b.scope)
			}
		}
	case a.strip.Contains(x, y):
		if turn := m.strip.At(x - a.strip.X); turn > 0 {
			m.turn = turn
			return m.compare(model.Scope{Kind: model.ScopeTurn, Turn: turn})
		}
	case m.where == inReview && a.files.Contains(x, y):
		m.inDiff = false
		if m.files.Click(y - a.files.Y) {
			m.files.Toggle()
			return tea.Batch(m.open(0), m.summaries())
		}
	case m.where == inReview && a.diff.Contains(x, y):
		m.inDiff = true
		m.diff.Click(y - a.diff.Y)
		if m.diff.OnGap() {
			m.diff.Expand()
		}
	case a.body.Contains(x, y):
		m.clickSheet(y - a.body.Y)
	}
	return nil
}

func (m *Model) clickMode(k model.ScopeKind) tea.Cmd {
	if k == model.ScopeTurn {
		return m.selectedTurn()
	}
	s := model.Scope{Kind: k}
	if k == model.ScopeBranch {
		s.Base = m.base
	}
	return m.compare(s)
}

func (m *Model) clickSheet(y int) {
	var s *sheet.Sheet
	switch m.where {
	case inPlan:
		s = &m.plan.Sheet
	case inHistory:
		s, y = m.history.At(y, m.areas.body.H)
		m.history.Focus(s != m.history.List())
	default:
		return
	}
	s.Click(y)
}
