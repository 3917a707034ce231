package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui/keymap"
)

// aheadLimit is the keys that are kept for what is still being read.
const aheadLimit = 64

// early tells whether what a key means needs something that is still being read.
// Such keys are kept, in order, and carried out when it is there. They never
// reach a dialog: see replay.
func (m *Model) early(i keymap.Intent) bool {
	switch i {
	case keymap.None, keymap.Quit, keymap.Kill, keymap.Back, keymap.Suspend, keymap.Redraw, keymap.Help, keymap.Theme:
		return false
	}
	if m.over == nil {
		return m.overErr == nil
	}
	if m.jobs.Running(jobStage) && (i == keymap.Stage || i == keymap.StageFile || i == keymap.Drop || i == keymap.Plan) {
		return true
	}
	if m.where != inReview {
		return false
	}
	if m.cmp == nil && m.jobs.Running(jobCompare) {
		return !elsewhere(i)
	}
	return m.shown.waiting && m.jobs.Running(jobDocument) && (m.inDiff && !elsewhere(i) || ofDiff(i))
}

// elsewhere holds the intents that leave what is being read.
func elsewhere(i keymap.Intent) bool {
	switch i {
	case keymap.ModeWorking, keymap.ModeBranch, keymap.BranchBase, keymap.ModeLatest, keymap.ModeSelected, keymap.TurnPrev, keymap.TurnNext,
		keymap.Refresh, keymap.Plan, keymap.History, keymap.Card, keymap.Undo, keymap.Redo, keymap.Palette, keymap.PaneNext, keymap.FileNext, keymap.FilePrev:
		return true
	}
	return false
}

// ofDiff holds the intents that act on the difference, wherever the focus is.
func ofDiff(i keymap.Intent) bool {
	switch i {
	case keymap.HunkNext, keymap.HunkPrev, keymap.Stage, keymap.Search, keymap.SearchNext, keymap.SearchPrev:
		return true
	}
	return false
}

// replay carries out the kept keys whose time has come. What is left when a
// dialog or a prompt opens is forgotten: it was not meant for that.
func (m *Model) replay() tea.Cmd {
	var cmds []tea.Cmd
	for len(m.ahead) > 0 && !m.early(m.keys.Find(m.ahead[0], m.places()...)) {
		key := m.ahead[0]
		m.ahead = m.ahead[1:]
		cmds = append(cmds, m.do(m.keys.Find(key, m.places()...)))
		if m.dialog != nil || m.prompt != nil {
			m.ahead = nil
		}
	}
	return tea.Batch(cmds...)
}
