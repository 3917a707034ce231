package ui

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui/view"
)

// walkRemarks goes to the next comment, or the one before, over the borders of files.
func (m *Model) walkRemarks(d int) tea.Cmd {
	if m.where != inReview || m.cmp == nil {
		return nil
	}
	if id, ok := m.diff.RemarkBeyond(d); ok && !m.shown.waiting {
		m.away()
		m.inDiff = true
		m.diff.GoToRemark(id)
		return nil
	}
	i := m.files.Beyond(d, func(i int) bool { return len(m.remarksOn(&m.cmp.Files[i])) > 0 })
	if i < 0 {
		m.say("no comment beyond this one")
		if a := m.talk.pane.Answer(); a == nil || len(a.Remarks) == 0 {
			m.say("no comment yet: c writes one")
		}
		return nil
	}
	list := m.remarksOn(&m.cmp.Files[i])
	byLine := func(a, b view.Remark) int { return cmp.Compare(a.Anchor.From, b.Anchor.From) }
	goal := slices.MinFunc(list, byLine)
	if d < 0 {
		goal = slices.MaxFunc(list, byLine)
	}
	m.away()
	m.talk.goal = &goal
	return tea.Batch(m.followGoal(), m.summaries())
}
