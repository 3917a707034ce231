package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/themes"
	"overturn/ui/highlight"
	"overturn/ui/jobs"
	"overturn/ui/panes/diff"
	"overturn/ui/style"
	"overturn/ui/terminal"
	"overturn/ui/view"
)

// jobColour finds the colours of the document on the screen.
const jobColour = "colour"

// Colours are found in steps, each twice as long as the one before, and drawn
// after each: what is looked at first comes soon, and a long file is a few frames
// more. What is not found in all of them stays plain.
const (
	colourFirst = 50 * time.Millisecond
	colourSteps = 7
)

// coloured is what a step found.
type coloured struct {
	doc     *view.Document
	job     *highlight.Job
	step    int
	colours view.Colours
	more    bool
}

// colour begins to colour the document on the screen, which is drawn without
// meanwhile; colours that are known already are put on at once.
func (m *Model) colour() tea.Cmd {
	m.jobs.Cancel(jobColour)
	doc := m.diff.Document()
	if doc == nil {
		return nil
	}
	return m.colourOf(doc)
}

// colourOf begins to colour a document that is on the screen.
func (m *Model) colourOf(doc *view.Document) tea.Cmd {
	if m.cfg.Colours == nil {
		return m.readNext()
	}
	job, known := m.cfg.Colours.Begin(doc)
	if job == nil {
		m.paneOf(doc).SetColours(known)
		return m.readNext()
	}
	return m.colourOn(coloured{doc: doc, job: job})
}

// paneOf is the pane that shows a document, nil where none does any more.
func (m *Model) paneOf(doc *view.Document) *diff.Pane {
	switch {
	case m.where == inResult && m.result.pane.Document() == doc:
		return m.result.pane
	case m.diff.Document() == doc:
		return m.diff
	}
	return nil
}

// colourOn takes the next step.
func (m *Model) colourOn(c coloured) tea.Cmd {
	return jobs.Start(m.jobs, jobColour, func(ctx context.Context, _ jobs.Report) (coloured, error) {
		return c, c.advance(ctx)
	})
}

// advance takes one step.
func (c *coloured) advance(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, colourFirst<<c.step)
	defer cancel()
	c.colours, c.more, err = c.job.Step(ctx)
	return err
}

// gotColours puts colours on the document that they are of. A text that no lexer
// can read stays as it is: that is nothing to tell of.
func (m *Model) gotColours(d jobs.Done[coloured]) tea.Cmd {
	c := d.Value
	pane := m.paneOf(c.doc)
	if pane == nil {
		return nil
	}
	pane.SetColours(c.colours)
	if c.step++; d.Err != nil || !c.more || c.step == colourSteps {
		return m.readNext()
	}
	return m.colourOn(c)
}

// gotScheme follows the terminal's dark and light, unless the theme was chosen.
func (m *Model) gotScheme(s terminal.Scheme) {
	if !m.cfg.Follow || m.st.Theme.Dark == s.Dark {
		m.dirty = false
		return
	}
	theme := themes.Paper()
	if s.Dark {
		theme = themes.Dusk()
	}
	m.st = style.New(theme, m.cfg.Profile)
}
