package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
	"overturn/ui/view"
)

// The keys of the jobs that look beyond the document on the screen.
const (
	jobWriters = "writers"
	jobBack    = "back"
)

// writersKept is how many files it is remembered for who wrote their lines.
const writersKept = 32

// wroteKey names a document whose lines' writers were found.
type wroteKey struct {
	scope  string
	thread model.ThreadID
	path   model.Path
	key    string
	newest int // the newest turn then: it may have taught more
}

// writers is the answer who wrote the lines of a document.
type writers struct {
	key wroteKey
	doc *view.Document
	of  *view.Origins
}

// back is the answer which hunks of a document are not on disk any more.
type back struct {
	doc     *view.Document
	numbers []int
}

// toggleWriters shows who wrote each line, or hides it.
func (m *Model) toggleWriters() tea.Cmd {
	if !m.diff.ToggleWriters() {
		m.jobs.Cancel(jobWriters)
		m.say("line numbers alone")
		return nil
	}
	m.say("who wrote each line: a turn's number, ' another thread's, you, · before the first capture")
	return m.readWriters()
}

// beyond asks what is to be known of the document on the screen beside its text.
func (m *Model) beyond() tea.Cmd { return tea.Batch(m.readWriters(), m.readBack()) }

// readWriters asks who wrote the lines of the document, where that is shown.
func (m *Model) readWriters() tea.Cmd {
	doc := m.diff.Document()
	if !m.diff.Writers() || doc == nil || m.cmp == nil || m.shown.index < 0 || m.shown.waiting {
		return nil
	}
	key := wroteKey{m.cmp.Scope.String(), m.cmp.Scope.Thread, m.shown.path, m.shown.key, m.newestEnded()}
	if known, ok := m.spine.wrote[key]; ok {
		m.diff.SetWriters(known)
		return nil
	}
	cmp, index := m.source, m.shown.index
	return jobs.Start(m.jobs, jobWriters, func(ctx context.Context, _ jobs.Report) (writers, error) {
		of, err := m.cfg.Engine.Origins(ctx, cmp, index)
		return writers{key, doc, of}, err
	})
}

func (m *Model) gotWriters(d jobs.Done[writers]) tea.Cmd {
	w := d.Value
	if d.Err != nil {
		m.fail(d.Err)
		return nil
	}
	if m.spine.wrote == nil || len(m.spine.wrote) >= writersKept {
		m.spine.wrote = map[wroteKey]*view.Origins{}
	}
	m.spine.wrote[w.key] = w.of
	if m.diff.Document() == w.doc || m.shown.path == w.key.path && m.shown.key == w.key.key {
		m.diff.SetWriters(w.of)
	}
	return nil
}

// readBack asks which hunks of the document are back already.
func (m *Model) readBack() tea.Cmd {
	doc := m.diff.Document()
	if doc == nil || m.cmp == nil || !m.cmp.Scope.OfTurns() || m.shown.index < 0 || m.shown.waiting {
		return nil
	}
	cmp, index := m.source, m.shown.index
	return jobs.Start(m.jobs, jobBack, func(ctx context.Context, _ jobs.Report) (back, error) {
		numbers, err := m.cfg.Engine.Back(ctx, cmp, index)
		return back{doc, numbers}, err
	})
}

// gotBack marks what is back. That it cannot be told is no failure of the review.
func (m *Model) gotBack(d jobs.Done[back]) tea.Cmd {
	if d.Err == nil && d.Value.doc == m.diff.Document() {
		m.diff.SetBack(d.Value.numbers)
	}
	return nil
}

// wroteWords says who wrote the line under the cursor.
func (m *Model) wroteWords() string {
	w, ok := m.diff.Wrote()
	if !ok {
		return ""
	}
	s := fmt.Sprintf("line %d", w.Line)
	if w.Old {
		s = fmt.Sprintf("removed line %d", w.Line)
	}
	switch {
	case w.Before:
		return s + ": was there before the first capture"
	case !w.Known, w.By.Owner == model.OwnerUnknown, w.By.Owner == model.OwnerMixed:
		return s + ": nobody knows who wrote it"
	case w.By.Owner == model.OwnerUser && w.By.Turn > 0:
		return s + fmt.Sprintf(": written by you, during turn %d", w.By.Turn)
	case w.By.Owner == model.OwnerUser:
		return s + ": written by you"
	}
	s += fmt.Sprintf(": written in turn %d", w.By.Turn)
	if m.over == nil || w.By.Thread != m.over.Thread {
		return s + " of thread " + view.ShortThread(w.By.Thread)
	}
	if t, ok := turnOf(m.over, w.By.Turn); ok && t.Prompt != "" {
		s += " · " + t.Prompt
	}
	return s
}
