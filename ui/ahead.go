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
	case keymap.ModeWorking, keymap.ModeBranch, keymap.BranchBase, keymap.ModeLatest, keymap.ModeSelected, keymap.TurnPrev, keymap.TurnNext, keymap.TurnRange, keymap.TurnList, keymap.ThreadPick,
		keymap.Refresh, keymap.Plan, keymap.History, keymap.Card, keymap.Undo, keymap.Redo, keymap.Palette, keymap.PaneNext, keymap.FileNext, keymap.FilePrev, keymap.Comments, keymap.CopyPrompt:
		return true
	}
	return false
}

// ofDiff holds the intents that act on the difference, wherever the focus is.
func ofDiff(i keymap.Intent) bool {
	switch i {
	case keymap.HunkNext, keymap.HunkPrev, keymap.Stage, keymap.Search, keymap.SearchNext, keymap.SearchPrev, keymap.Copy, keymap.RemarkNext, keymap.RemarkPrev:
		return true
	}
	return false
}

// asksAhead tells whether a key that opens a prompt is kept, and not the Enter that
// ends it: what is typed then is text, whatever it means elsewhere.
func (m *Model) asksAhead() bool {
	asks := false
	for _, k := range m.ahead {
		switch m.keys.Find(k.String(), m.places()...) {
		case keymap.Search, keymap.SearchAll, keymap.Pick, keymap.BranchBase, keymap.Palette, keymap.ThreadPick, keymap.Comment:
			asks = true
		}
		asks = asks && (k.Type != tea.KeyEnter || k.Alt)
	}
	return asks
}

// replay carries out the kept keys whose time has come. What follows one that opens a
// prompt is typed into it, as it would have been; what is left when a dialog opens is
// forgotten: it was not meant for that.
func (m *Model) replay() tea.Cmd {
	var cmds []tea.Cmd
	for len(m.ahead) > 0 {
		if m.dialog != nil {
			m.ahead = nil
			break
		}
		k, do := m.ahead[0], m.typed
		switch {
		case m.prompt != nil:
		case m.talk.box != nil:
			do = m.written
		default:
			intent := m.keys.Find(k.String(), m.places()...)
			if m.early(intent) {
				return tea.Batch(cmds...)
			}
			do = func(tea.KeyMsg) tea.Cmd { return m.do(intent) }
		}
		m.ahead, m.dirty = m.ahead[1:], true
		cmds = append(cmds, do(k))
	}
	return tea.Batch(cmds...)
}
