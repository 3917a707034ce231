package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui/keymap"
)

// list is what moving keys move.
type list interface {
	Move(int)
	To(int)
	Page(int)
	Scroll(int)
}

// helpList lets moving keys scroll the help, which has no cursor.
type helpList struct{ m *Model }

func (h helpList) Move(n int)   { h.m.help.Scroll(n) }
func (h helpList) To(i int)     { h.m.help.To(i) }
func (h helpList) Page(n int)   { h.m.help.Page(n) }
func (h helpList) Scroll(n int) { h.m.help.Scroll(n) }

// focused is what has the keys.
func (m *Model) focused() list {
	switch {
	case m.where == inPlan:
		return &m.plan
	case m.where == inResult:
		return m.result.pane
	case m.where == inHistory:
		return m.history.Active()
	case m.where == inCard:
		return &m.card
	case m.where == inTurns:
		return m.spine.list.Sheet()
	case m.where == inFound:
		return &m.finding.pane
	case m.where == inComments:
		return &m.talk.pane
	case m.where == inSince:
		return &m.since
	case m.where == inHelp:
		return helpList{m}
	case m.inDiff:
		return m.diff
	}
	return m.files
}

// movements is what each moving intent does.
func (m *Model) movements() map[keymap.Intent]func() tea.Cmd {
	move := func(f func(list)) func() tea.Cmd {
		return func() tea.Cmd {
			l := m.focused()
			f(l)
			if l == list(m.files) {
				return tea.Batch(m.open(0), m.summaries())
			}
			return nil
		}
	}
	return map[keymap.Intent]func() tea.Cmd{
		keymap.Down:     move(func(l list) { l.Move(1) }),
		keymap.Up:       move(func(l list) { l.Move(-1) }),
		keymap.HalfDown: move(func(l list) { l.Page(1) }),
		keymap.HalfUp:   move(func(l list) { l.Page(-1) }),
		keymap.PageDown: move(func(l list) { l.Page(2) }),
		keymap.PageUp:   move(func(l list) { l.Page(-2) }),
		keymap.Top:      move(func(l list) { l.To(0) }),
		keymap.Bottom:   move(func(l list) { l.To(-1) }),
		keymap.PaneNext: func() tea.Cmd { m.inDiff = !m.inDiff; return nil },
		keymap.HunkNext: func() tea.Cmd { return m.walkHunks(1) },
		keymap.HunkPrev: func() tea.Cmd { return m.walkHunks(-1) },
		keymap.FileNext: func() tea.Cmd { return m.walkFiles(1, 1) },
		keymap.FilePrev: func() tea.Cmd { return m.walkFiles(-1, 1) },
		keymap.Left:     func() tea.Cmd { return m.sideways(-1) },
		keymap.Right:    func() tea.Cmd { return m.sideways(1) },
		keymap.Open:     m.enter,
	}
}

// walkHunks goes to the next hunk, over the borders of files.
func (m *Model) walkHunks(d int) tea.Cmd {
	if m.shown.waiting {
		return nil
	}
	if m.diff.NextHunk(d) {
		m.inDiff = true
		return nil
	}
	cmd := m.walkFiles(d, d)
	if cmd != nil {
		m.inDiff = true
	} else {
		m.say("no hunk beyond this one")
	}
	return cmd
}

// walkFiles goes to the next file and, in it, to its first hunk or its last.
func (m *Model) walkFiles(d, hunk int) tea.Cmd {
	if !m.files.NextFile(d) {
		return nil
	}
	return tea.Batch(m.open(hunk), m.summaries())
}

// columns is what a step sideways scrolls by.
const columns = 8

func (m *Model) sideways(d int) tea.Cmd {
	switch {
	case m.where == inPlan:
		m.plan.Sideways(d * columns)
	case m.where == inResult:
		m.result.pane.Sideways(d * columns)
	case m.where == inHistory:
		m.history.Active().Sideways(d * columns)
	case m.where == inReview && m.inDiff:
		m.diff.Sideways(d * columns)
	case m.where == inReview && m.files.Fold(d < 0):
		return m.open(0)
	}
	return nil
}

// enter opens what is under the cursor.
func (m *Model) enter() tea.Cmd {
	switch {
	case m.where == inPlan:
		return m.openResult()
	case m.where == inComments:
		return m.goToRemark()
	case m.where == inHistory:
		return m.openPatch()
	case m.where == inTurns:
		return m.enterTurn()
	case m.where == inFound:
		return m.openFound()
	case m.where != inReview:
		return nil
	case m.inDiff:
		m.diff.Unfold()
	case m.files.Toggle():
	case m.files.File() >= 0:
		m.inDiff = true
		return m.open(0)
	}
	return nil
}
