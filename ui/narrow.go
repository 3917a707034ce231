package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/view"
)

// toggleOnly shows the agent's files and hunks alone, or all again.
func (m *Model) toggleOnly() tea.Cmd {
	if m.cmp == nil {
		return nil
	}
	m.only = !m.only
	m.files.Only(m.only)
	m.hideHunks()
	m.say("everybody's changes")
	if m.only {
		m.say("only the agent's: X stages no more than these")
	}
	return tea.Batch(m.open(0), m.summaries())
}

// hideHunks hides the hunks of the document on the screen that are not to be shown.
func (m *Model) hideHunks() {
	doc := m.diff.Document()
	if doc == nil {
		return
	}
	var why map[int]string
	for _, h := range doc.Hunks {
		if word := m.hidden(h); word != "" {
			if why == nil {
				why = map[int]string{}
			}
			why[h.Number] = word
		}
	}
	m.diff.SetHidden(why)
}

// noneListed tells that no file is the agent's.
func (m *Model) noneListed() bool {
	_, of := m.files.Position()
	return of == 0
}

// hidden says why a hunk is not shown, or "".
func (m *Model) hidden(h view.Hunk) string {
	switch {
	case m.burn.only && h.Read:
		return "hidden: read"
	case !m.only:
		return ""
	case h.Owner == model.OwnerUser:
		return "hidden: the user's"
	case h.Owner == model.OwnerUnknown:
		return "hidden: nobody is known to have made it"
	case h.Thread != "" && m.over != nil && m.over.Thread != "" && h.Thread != m.over.Thread:
		return "hidden: another thread's"
	}
	return ""
}
