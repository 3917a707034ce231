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

// mouse scrolls what is under the pointer, selects what is clicked, and makes a range of
// lines that it is drawn over. It never confirms anything.
func (m *Model) mouse(e tea.MouseEvent) tea.Cmd {
	d := map[tea.MouseButton]int{tea.MouseButtonWheelUp: -1, tea.MouseButtonWheelDown: 1}[e.Button]
	switch {
	case m.dialog != nil:
		m.dialog.Scroll(d)
		return nil
	case m.prompt != nil:
		return m.mouseInPrompt(e, d)
	case m.talk.box != nil: // what lies under it is not meant
		m.dirty = false
	case d != 0 && e.Shift:
		m.slide(e, d)
	case d != 0:
		m.wheel(e, d)
		return m.summaries()
	case e.Button == tea.MouseButtonWheelLeft:
		m.slide(e, -1)
	case e.Button == tea.MouseButtonWheelRight:
		m.slide(e, 1)
	case e.Button == tea.MouseButtonLeft && e.Action == tea.MouseActionPress:
		m.drag.press(m, e.X, e.Y)
		return m.click(e.X, e.Y)
	case e.Button == tea.MouseButtonLeft && e.Action == tea.MouseActionMotion:
		m.drag.motion(m, e.Y)
	default:
		m.dirty = false
	}
	return nil
}

// slide scrolls what is under the pointer sideways.
func (m *Model) slide(e tea.MouseEvent, d int) {
	switch {
	case m.where == inReview && m.areas.diff.Contains(e.X, e.Y):
		m.diff.Sideways(d * columns)
	case m.where == inPlan:
		m.plan.Sideways(d * columns)
	case m.where == inHistory:
		s, _ := m.history.At(e.Y-m.areas.body.Y, m.areas.body.H)
		s.Sideways(d * columns)
	}
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
		if turn := m.strip.At(x - a.strip.X); turn > 0 && turn == m.turn {
			return m.openCard()
		} else if turn > 0 {
			m.turn = turn
			return m.compareTurns()
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
		m.diff.Unfold()
	case m.where == inFound && a.body.Contains(x, y):
		if m.finding.pane.Click(y - a.body.Y) {
			return m.openFound()
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
	case inTurns:
		s = m.spine.list.Sheet()
	case inComments:
		s = &m.talk.pane.Sheet
	case inHistory:
		s, y = m.history.At(y, m.areas.body.H)
		m.history.Focus(s != m.history.List())
	default:
		return
	}
	s.Click(y)
}
