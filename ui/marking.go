package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
)

// mark shows at once what is asked for, and has it written: the disk is never waited
// for.
func (m *Model) mark(index, number int, read bool) tea.Cmd {
	w := marking{cmp: m.source, index: index, path: m.cmp.Files[index].Path, key: m.cmp.Files[index].Key, exact: m.exact, read: read}
	if number > 0 {
		w.hunks = []int{number}
	}
	m.burn.queue = append(m.burn.queue, w)
	f := &m.cmp.Files[index]
	switch {
	case f.Hunks < 0: // not counted yet: the answer tells
	case number == 0 && read:
		f.Read = f.Hunks
	case number == 0:
		f.Read = 0
	case read:
		f.Read = min(f.Read+1, f.Hunks)
	default:
		f.Read = max(f.Read-1, 0)
	}
	m.applyMarks()
	return m.writeMarks()
}

func (m *Model) writeMarks() tea.Cmd {
	if len(m.burn.queue) == 0 || m.jobs.Running(jobMark) {
		return nil
	}
	w := m.burn.queue[0]
	return jobs.StartWhole(m.jobs, jobMark, func(ctx context.Context, _ jobs.Report) (marked, error) {
		// What was said is written even while the review ends.
		of, done, err := m.cfg.Engine.Mark(context.WithoutCancel(ctx), w.cmp, w.index, DocumentOptions{IgnoreSpace: !w.exact}, w.hunks, w.read)
		return marked{w, of, done}, err
	})
}

// beforeQuit writes what is left to be written, then quits.
func (m *Model) beforeQuit() tea.Cmd {
	under := 0 // marks that are being written, which is waited for
	if m.jobs.Running(jobMark) {
		under = 1
	}
	rest := m.burn.queue[under:]
	m.burn.queue = m.burn.queue[:under]
	return func() tea.Msg {
		for _, w := range rest { // what fails now, nobody can be told
			_, _, _ = m.cfg.Engine.Mark(context.Background(), w.cmp, w.index, DocumentOptions{IgnoreSpace: !w.exact}, w.hunks, w.read)
		}
		return tea.Quit()
	}
}

func (m *Model) gotMarked(d jobs.Done[marked]) tea.Cmd {
	w := m.burn.queue[0]
	m.burn.queue = m.burn.queue[1:]
	if d.Err != nil {
		m.fail(d.Err)
		m.shown.key = "" // the document is read again, and says what holds
		m.countAgain()
		return tea.Batch(m.open(0), m.summaries(), m.writeMarks())
	}
	if later := m.waiting(w.path); m.cmp != nil && w.cmp == m.source && w.exact == m.exact && !later {
		f := &m.cmp.Files[w.index]
		f.Hunks, f.Read = d.Value.of, d.Value.done
	}
	m.applyMarks()
	return m.writeMarks()
}

func (m *Model) waiting(path model.Path) bool {
	for _, w := range m.burn.queue {
		if w.path == path {
			return true
		}
	}
	return false
}
