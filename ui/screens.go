package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
	"overturn/ui/view"
)

func (m *Model) readCard() tea.Cmd {
	turn, thread := m.turn, m.thread(model.Scope{Kind: model.ScopeTurn})
	return jobs.Start(m.jobs, jobCard, func(ctx context.Context, _ jobs.Report) (*view.Card, error) {
		return m.cfg.Engine.Card(ctx, thread, turn)
	})
}

func (m *Model) readPlan() tea.Cmd {
	m.counted = counted{}
	return jobs.Start(m.jobs, jobPlan, func(ctx context.Context, report jobs.Report) (*model.Plan, error) {
		return m.cfg.Engine.Plan(counting(ctx, report))
	})
}

func (m *Model) readHistory() tea.Cmd {
	return jobs.Start(m.jobs, jobHistory, func(ctx context.Context, _ jobs.Report) ([]model.HistoryEntry, error) {
		return m.cfg.Engine.History(ctx)
	})
}

// openPatch shows the patch of the entry under the cursor, and gives it the
// focus when it is on the screen already.
func (m *Model) openPatch() tea.Cmd {
	e, ok := m.history.Selected()
	if !ok {
		return nil
	}
	if m.history.Shown() == e.ID {
		m.history.Focus(!m.history.InPatch())
		return nil
	}
	return jobs.Start(m.jobs, jobPatch, func(ctx context.Context, _ jobs.Report) (patch, error) {
		text, err := m.cfg.Engine.HistoryPatch(ctx, e.ID)
		return patch{e.ID, text}, err
	})
}

func (m *Model) openPlan() tea.Cmd {
	m.where = inPlan
	m.plan.Clear()
	return m.readPlan()
}

func (m *Model) openHistory() tea.Cmd {
	m.toggle(inHistory)
	if m.where != inHistory {
		return nil
	}
	m.history.Focus(false)
	return m.readHistory()
}

func (m *Model) openCard() tea.Cmd {
	if m.where == inCard {
		m.where = inReview
		return nil
	}
	if m.turn == 0 {
		m.turn = m.newest()
	}
	if m.turn == 0 {
		m.say("no turn recorded yet")
		return nil
	}
	m.where = inCard
	return m.readCard()
}

// patch is the answer of a history patch.
type patch struct {
	id   model.ID
	text []byte
}
