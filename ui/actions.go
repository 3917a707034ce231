package ui

import (
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
		keymap.Refresh:      func() tea.Cmd { m.say("refreshed"); return m.refresh() },

		keymap.Split:  m.onDiff(func() { m.say(m.diff.ToggleSplit()) }),
		keymap.Wrap:   m.onDiff(func() { m.say(m.diff.ToggleWrap()) }),
		keymap.Expand: m.onDiff(func() { m.diff.Expand() }),
		keymap.Whole:  m.onDiff(func() { m.say(m.diff.ToggleWhole()) }),
		keymap.More:   m.onDiff(func() { m.say(view.Count(m.diff.Widen(2), "line") + " of context") }),
		keymap.Less:   m.onDiff(func() { m.say(view.Count(m.diff.Widen(-2), "line") + " of context") }),
		keymap.Space:  m.toggleSpace,
		keymap.Tree:   func() tea.Cmd { m.say(m.files.ToggleTree()); return nil },
		keymap.Theme:  m.nextTheme,

		keymap.Search:     m.askSearch,
		keymap.SearchNext: func() tea.Cmd { return m.search(1, false) },
		keymap.SearchPrev: func() tea.Cmd { return m.search(-1, false) },
		keymap.Pick:       m.pickFile,
		keymap.Palette:    m.palette,

		keymap.Range:     m.onDiff(func() { m.diff.ToggleRange() }),
		keymap.Stage:     m.stageHunk,
		keymap.StageFile: m.stageFile,
		keymap.Plan:      m.openPlan,
		keymap.Confirm:   m.confirmPlan,
		keymap.Drop:      m.unstageTarget,
		keymap.Undo:      func() tea.Cmd { return m.askUndo(false) },
		keymap.Redo:      func() tea.Cmd { return m.askUndo(true) },
		keymap.History:   m.openHistory,
		keymap.Card:      m.openCard,
		keymap.Editor:    m.edit,
		keymap.Help:      func() tea.Cmd { m.toggle(inHelp); return nil },

		keymap.Back:    m.back,
		keymap.Quit:    m.leave,
		keymap.Suspend: func() tea.Cmd { return tea.Suspend },
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
		return tea.Quit
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
	case m.message.stays:
		m.message = message{}
	case m.where == inHistory && m.history.InPatch():
		m.history.Focus(false)
	case m.where != inReview:
		m.where = inReview
	case m.diff.Ranged():
		m.diff.CloseRange()
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
	m.say("whitespace changes are hidden")
	if m.exact {
		m.say("whitespace changes are shown")
	}
	return m.open(0)
}

// nextTheme walks the themes that the terminal's colours allow.
func (m *Model) nextTheme() tea.Cmd {
	all := themes.All()
	for i, t := range all {
		if t.Name == m.st.Theme.Name {
			m.st = style.New(all[(i+1)%len(all)], m.cfg.Profile)
			break
		}
	}
	m.say("theme " + m.st.Theme.Name)
	return nil
}

// edited is the message of an editor that has ended.
type edited struct{ err error }

// edit opens the file that is shown at the line under the cursor.
func (m *Model) edit() tea.Cmd {
	path, _, _ := m.files.Selection()
	line := 1
	if m.shown.index >= 0 && (m.inDiff || path == m.shown.path) {
		path, line = m.shown.path, m.diff.Line()
	}
	if path == "" {
		return nil
	}
	cmd, foreground, err := m.cfg.Engine.Editor(path, line)
	if err != nil {
		m.fail(err)
		return nil
	}
	if !foreground || m.cfg.Lend == nil {
		return func() tea.Msg { return edited{cmd.Run()} }
	}
	return tea.Exec(m.cfg.Lend(cmd), func(err error) tea.Msg { return edited{err} })
}

func (m *Model) edited(e edited) tea.Cmd {
	if e.err != nil {
		m.fail(model.Failf(e.err, "the editor failed").WithHint("set VISUAL or EDITOR"))
	}
	return m.refresh()
}
