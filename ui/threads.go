package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
	"overturn/ui/panes/prompt"
	"overturn/ui/panes/turns"
	"overturn/ui/view"
)

// openTurns shows the turns of all threads, or goes back to the review.
func (m *Model) openTurns() tea.Cmd {
	m.toggle(inTurns)
	if m.where != inTurns {
		return nil
	}
	if m.spine.depth == 0 {
		m.spine.depth = depthFirst
	}
	return m.readTurns()
}

func (m *Model) readTurns() tea.Cmd {
	depth := m.spine.depth
	return jobs.Start(m.jobs, jobTurns, func(ctx context.Context, _ jobs.Report) (turns.Shown, error) {
		list, more, err := m.cfg.Engine.Timeline(ctx, depth)
		return turns.Shown{Turns: list, More: more}, err
	})
}

func (m *Model) gotTurns(d jobs.Done[turns.Shown]) tea.Cmd {
	if d.Err != nil {
		m.fail(d.Err)
		m.where = inReview
		return nil
	}
	at := view.Turn{Number: m.turn}
	if m.over != nil {
		at.Thread = m.over.Thread
	}
	m.spine.list.Show(d.Value, at, m.cfg.Clock())
	return nil
}

// enterTurn looks at the turn under the cursor of the list, or at the range from the
// marked one to it.
func (m *Model) enterTurn() tea.Cmd {
	if m.spine.list.OnMore() {
		m.spine.depth *= depthStep
		return m.readTurns()
	}
	t, ok := m.spine.list.Selected()
	if !ok {
		return nil
	}
	m.spine.list.Mark(view.Turn{}, m.cfg.Clock())
	m.turn = t.Number
	if t.Thread == m.over.Thread {
		return m.compareTurns()
	}
	m.spine.anchor = 0
	return m.turnTo(t.Thread, model.Scope{Kind: model.ScopeTurn, Turn: t.Number})
}

// markTurn begins a range at the turn under the cursor of the list, or ends it.
func (m *Model) markTurn() tea.Cmd {
	t, ok := m.spine.list.Selected()
	switch {
	case !ok:
		return nil
	case m.spine.anchor == t.Number:
		m.spine.anchor = 0
		m.spine.list.Mark(view.Turn{}, m.cfg.Clock())
		m.say("no range")
	case t.Thread != m.over.Thread:
		m.say("a range is of one thread: Enter on one of its turns changes to it first")
	default:
		m.spine.anchor = t.Number
		m.spine.list.Mark(t, m.cfg.Clock())
		m.say(fmt.Sprintf("range from turn %d: Enter on another turn is its other end, V ends it", t.Number))
	}
	return nil
}

// titleLength is the characters that the list of threads shows of a title.
const titleLength = 40

// beginning is the first n characters of a text.
func beginning(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// pickThread asks for a thread.
func (m *Model) pickThread() tea.Cmd {
	return jobs.Start(m.jobs, jobThreads, func(ctx context.Context, _ jobs.Report) ([]view.Thread, error) {
		return m.cfg.Engine.Threads(ctx)
	})
}

func (m *Model) gotThreads(d jobs.Done[[]view.Thread]) tea.Cmd {
	switch {
	case d.Err != nil:
		m.fail(d.Err)
		return nil
	case m.dialog != nil || m.prompt != nil: // opened meanwhile: it has the keys
		return nil
	case len(d.Value) == 0:
		m.say("no thread is recorded yet")
		return nil
	}
	items := make([]prompt.Item, len(d.Value))
	for i, t := range d.Value {
		title := t.Agent + " " + view.ShortThread(t.ID) + "  " + beginning(t.Title, titleLength)
		note := view.Count(t.Turns, "turn")
		if t.Source != "" {
			note += " · " + t.Source
		}
		if t.WorkTree != m.over.WorkTree && t.WorkTree != "" {
			note += " in " + t.WorkTree
		}
		if ago := view.Ago(m.cfg.Clock(), t.LastAt); ago != "" {
			note += " · " + ago
		}
		if t.ID == m.over.Thread {
			note += " · shown"
		}
		items[i] = prompt.Item{Title: title, Note: note, ID: i}
	}
	p := prompt.List("thread: ", items)
	m.prompt, m.chosen = p, func() tea.Cmd {
		i, ok := p.Choice()
		switch {
		case !ok:
			return m.unmatched("thread", p)
		case d.Value[i].ID == m.over.Thread:
			return nil
		}
		return m.turnTo(d.Value[i].ID, model.Scope{Kind: model.ScopeLatest})
	}
	return nil
}

// turnTo shows another thread, and of it a scope.
func (m *Model) turnTo(id model.ThreadID, s model.Scope) tea.Cmd {
	m.spine.thread, m.spine.turned, m.spine.news = id, true, 0
	m.depth, m.picked = depthFirst, 0
	m.scope, m.where = s, inReview
	return m.readOverview()
}

// threadGone is what follows when a thread cannot be told of: the one on the screen
// stays; where it is that one (all its turns were taken out), the newest is shown.
func (m *Model) threadGone(err error) tea.Cmd {
	m.fail(err)
	switch {
	case m.spine.turned:
		m.spine.turned, m.spine.thread = false, m.over.Thread
		m.scope = model.Scope{Kind: model.ScopeLatest}
		return m.compare(m.scope)
	case m.spine.thread != "" && model.CodeOf(err) == model.CodeUsage:
		m.spine.thread, m.spine.turned, m.scope = "", true, model.Scope{Kind: model.ScopeLatest}
		return m.readOverview()
	}
	return nil
}

// turnedTo compares what another thread was chosen for.
func (m *Model) turnedTo() tea.Cmd {
	m.spine.turned = false
	if m.scope.Kind == model.ScopeTurn {
		m.turn = m.scope.Turn
	} else {
		m.turn = m.newestEnded()
	}
	m.say(fmt.Sprintf("thread %s of %s", view.ShortThread(m.over.Thread), m.over.Agent))
	return m.compareScope(m.scope)
}
