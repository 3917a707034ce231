package ui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
	"overturn/ui/view"
)

// moves is what moved within a comparison.
type moves struct {
	cmp    *view.Comparison // that was asked about
	byPath map[model.Path][]view.Move
}

// readMoves asks what moved, once for each comparison, when all else about it is known.
func (m *Model) readMoves() tea.Cmd {
	if m.cmp == nil || m.moves.cmp == m.source || len(m.cmp.Files) > summaryAll {
		return nil
	}
	if m.moves.byPath != nil && alike(m.moves.cmp, m.source) { // read again, and nothing is new
		m.moves.cmp = m.source
		return nil
	}
	m.moves = moves{cmp: m.source}
	cmp := m.source
	return jobs.Start(m.jobs, jobMoves, func(ctx context.Context, _ jobs.Report) (moves, error) {
		byPath, err := m.cfg.Engine.Moves(ctx, cmp)
		return moves{cmp, byPath}, err
	})
}

// alike tells whether two comparisons are of the same contents.
func alike(a, b *view.Comparison) bool {
	return a != nil && slices.EqualFunc(a.Files, b.Files, func(x, y view.File) bool { return x.Path == y.Path && x.Key == y.Key })
}

// gotMoves takes what moved. That it could not be found is nothing to report: it is a
// hint.
func (m *Model) gotMoves(d jobs.Done[moves]) tea.Cmd {
	if d.Err == nil && d.Value.cmp == m.source {
		m.moves = d.Value
		m.markMoves()
	}
	return nil
}

func (m *Model) markMoves() {
	if m.moves.cmp == m.source {
		m.diff.SetMoves(m.moves.byPath[m.shown.path])
	}
}
