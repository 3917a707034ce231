package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
)

// opener is an editor that is ready to run.
type opener struct {
	cmd        Command
	foreground bool // it needs the terminal
}

// edited is the message of an editor that has ended.
type edited struct{ err error }

// edit opens the file that is shown at the line under the cursor. Path and line are
// those of this moment, whatever is on the screen when the editor is found.
func (m *Model) edit() tea.Cmd {
	path, _, _ := m.files.Selection()
	line := 1
	if m.shown.index >= 0 && (m.inDiff || path == m.shown.path) {
		path, line = m.shown.path, m.diff.Line()
	}
	if path == "" {
		return nil
	}
	return jobs.Start(m.jobs, jobEditor, func(ctx context.Context, _ jobs.Report) (opener, error) {
		cmd, foreground, err := m.cfg.Engine.Editor(ctx, path, line)
		return opener{cmd, foreground}, err
	})
}

func (m *Model) gotEditor(d jobs.Done[opener]) tea.Cmd {
	cmd := d.Value.cmd
	switch {
	case d.Err != nil:
		m.fail(d.Err)
		return nil
	case m.dialog != nil: // it came to a question meanwhile
		return nil
	case !d.Value.foreground || m.cfg.Lend == nil:
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
