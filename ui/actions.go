package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/keymap"
	"overturn/ui/style"
	"overturn/ui/view"
)

// actions is what each intent does, movements apart.
func (m *Model) actions() map[keymap.Intent]func() tea.Cmd {
	return map[keymap.Intent]func() tea.Cmd{
		keymap.ModeWorking:  func() tea.Cmd { return m.compare(model.Scope{Kind: model.ScopeWorking}) },
		keymap.ModeBranch:   func() tea.Cmd { return m.compare(model.Scope{Kind: model.ScopeBranch, Base: m.base}) },
		keymap.BranchBase:   m.askBase,
		keymap.ModeLatest:   func() tea.Cmd { return m.compare(model.Scope{Kind: model.ScopeLatest}) },
		keymap.ModeSelected: m.selectedTurn,
		keymap.TurnPrev:     func() tea.Cmd { return m.walkTurns(-1) },
		keymap.TurnNext:     func() tea.Cmd { return m.walkTurns(1) },
		keymap.TurnRange:    m.toggleRange,
		keymap.TurnList:     m.openTurns,
		keymap.ThreadPick:   m.pickThread,
		keymap.Refresh:      func() tea.Cmd { m.say("refreshed"); return m.refresh() },

		keymap.Split:   m.onDiff(func() { m.say(m.diff.ToggleSplit()) }),
		keymap.Wrap:    m.onDiff(func() { m.say(m.diff.ToggleWrap()) }),
		keymap.Expand:  m.onDiff(func() { m.diff.Expand() }),
		keymap.Whole:   m.onDiff(func() { m.say(m.diff.ToggleWhole()) }),
		keymap.More:    m.onDiff(func() { m.say(view.Count(m.diff.Widen(2), "line") + " of context") }),
		keymap.Less:    m.onDiff(func() { m.say(view.Count(m.diff.Widen(-2), "line") + " of context") }),
		keymap.Space:   m.toggleSpace,
		keymap.Tree:    func() tea.Cmd { m.say(m.files.ToggleTree()); return nil },
		keymap.Theme:   m.nextTheme,
		keymap.Writers: m.toggleWriters,
		keymap.Only:    m.toggleOnly,
		keymap.Unread:  m.toggleUnread,
		keymap.Read:    m.markRead,
		keymap.Since:   m.showSince,

		keymap.Search:     m.askSearch,
		keymap.SearchAll:  m.askSearchAll,
		keymap.SearchNext: func() tea.Cmd { return m.search(1, false) },
		keymap.SearchPrev: func() tea.Cmd { return m.search(-1, false) },
		keymap.Pick:       m.pickFile,
		keymap.JumpBack:   m.jumpBack,
		keymap.JumpAhead:  m.jumpAhead,
		keymap.Palette:    m.palette,

		keymap.Range:     m.onDiff(func() { m.diff.ToggleRange() }),
		keymap.Stage:     m.stageHunk,
		keymap.StageFile: m.stageFile,
		keymap.Plan:      m.openPlan,
		keymap.Confirm:   m.confirmPlan,
		keymap.Drop:      m.unstageTarget,
		keymap.Discard:   m.discardEdits,
		keymap.Forget:    m.dropWaiting,
		keymap.Undo:      func() tea.Cmd { return m.askUndo(false) },
		keymap.Redo:      func() tea.Cmd { return m.askUndo(true) },
		keymap.Revert:    m.askRevert,
		keymap.RevertAll: m.askRevertAll,
		keymap.History:   m.openHistory,
		keymap.Card:      m.openCard,
		keymap.Editor:    m.edit,
		keymap.Help:      m.openHelp,

		keymap.HelpSearch: m.searchHelp,
		keymap.Mouse:      m.toggleMouse,

		keymap.Back:    m.back,
		keymap.Quit:    m.leave,
		keymap.Suspend: m.suspend,
		keymap.Redraw:  func() tea.Cmd { return func() tea.Msg { return tea.ResumeMsg{} } },
	}
}

func (m *Model) onDiff(f func()) func() tea.Cmd {
	return func() tea.Cmd { f(); return nil }
}

// toggle opens a screen, or goes back to the review from it.
func (m *Model) toggle(p place) {
	if m.where == p {
		p = inReview
	}
	m.where = p
}

// leave quits, once what is being written has come to its end.
func (m *Model) leave() tea.Cmd {
	if m.writing == "" {
		return m.beforeQuit()
	}
	if m.leaving {
		m.jobs.Cancel(jobWrite)
		return tea.Quit
	}
	m.leaving = true
	m.warn("waiting for the " + m.writing + " to come to its end; once more cancels it")
	return nil
}

// back goes one level up.
func (m *Model) back() tea.Cmd {
	switch {
	case m.stop():
	case m.message.stays:
		m.message = message{}
	case m.where == inHistory && m.history.InPatch():
		m.history.Focus(false)
	case m.where == inHelp && m.help.Query() != "":
		m.help.Find("", m.keys)
	case m.where == inResult:
		m.closeResult()
	case m.where != inReview:
		m.where = inReview
	case m.diff.Ranged():
		m.diff.CloseRange()
	case m.spine.anchor > 0 && !m.inDiff:
		return m.toggleRange()
	case m.diff.Query() != "":
		m.diff.SetQuery("")
	case m.inDiff:
		m.inDiff = false
	}
	return nil
}

// toggleSpace shows or hides changes of whitespace alone.
func (m *Model) toggleSpace() tea.Cmd {
	m.exact = !m.exact
	m.countAgain()
	m.say("whitespace changes are hidden")
	if m.exact {
		m.say("whitespace changes are shown")
	}
	return tea.Batch(m.open(0), m.summaries())
}

// nextTheme walks the themes that the terminal's colours allow.
func (m *Model) nextTheme() tea.Cmd {
	all := style.Choices(m.cfg.Profile)
	at := slices.IndexFunc(all, func(t themes.Theme) bool { return t.Name == m.st.Theme.Name })
	m.st = style.New(all[(at+1)%len(all)], m.cfg.Profile)
	m.cfg.Follow = false // it was chosen
	if len(all) > 1 {
		m.memory.state.Theme = m.st.Theme.Name
	}
	m.say("theme " + m.st.Theme.Name + ", " + m.st.Theme.About)
	return nil
}
