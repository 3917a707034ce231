package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui/jobs"
	"overturn/ui/view"
)

// jobNext reads the file that is likely to be looked at next.
const jobNext = "next"

// nextLimit bounds the texts that wait to be looked at, in bytes of both: more is read
// when it is asked for.
const nextLimit = 4 << 20

// prepared is a document that was read, and coloured, before it is asked for.
type prepared struct {
	cmp   *view.Comparison // whose index it is
	index int
	exact bool
	doc   *view.Document
}

// readNext reads the file beside the one on the screen, on the side that the last step
// went to, once all that is on the screen stands.
func (m *Model) readNext() tea.Cmd {
	if m.cmp == nil || m.shown.index < 0 || m.shown.waiting || m.shown.err != nil {
		return nil
	}
	way := 1
	if m.shown.back {
		way = -1
	}
	want := prepared{cmp: m.source, index: m.files.Beside(way), exact: m.exact}
	if have := m.next; want.index < 0 || m.cmp.Files[want.index].Binary || have.cmp == want.cmp && have.index == want.index && have.exact == want.exact {
		return nil
	}
	m.next = prepared{}
	return jobs.Start(m.jobs, jobNext, func(ctx context.Context, _ jobs.Report) (prepared, error) {
		var err error
		want.doc, err = m.cfg.Engine.Document(ctx, want.cmp, want.index, DocumentOptions{IgnoreSpace: !want.exact})
		if err != nil || large(want.doc) {
			return prepared{}, err
		}
		if m.cfg.Colours == nil {
			return want, nil
		}
		if job, _ := m.cfg.Colours.Begin(want.doc); job != nil {
			for step, more := 0, true; more && step < colourSteps && ctx.Err() == nil; step++ {
				c := coloured{doc: want.doc, job: job, step: step}
				c.advance(ctx)
				more = c.more
			}
		}
		return want, nil
	})
}

// gotNext keeps it. What could not be read is read again, and told of, when it is
// asked for.
func (m *Model) gotNext(d jobs.Done[prepared]) tea.Cmd {
	m.dirty = false
	if p := d.Value; d.Err == nil && p.cmp == m.source {
		m.next = p
	}
	return nil
}

// large tells whether the texts of doc are longer than nextLimit.
func large(doc *view.Document) bool {
	size := 0
	for _, text := range []view.Lines{doc.Old, doc.New} {
		for i := range text.Lines() {
			if size += len(text.Line(i)) + 1; size > nextLimit {
				return true
			}
		}
	}
	return false
}

// take is the document of the file at index if it was prepared, else nil.
func (m *Model) take(index int) *view.Document {
	m.jobs.Cancel(jobNext)
	p := m.next
	m.next = prepared{}
	if p.cmp != m.source || p.index != index || p.exact != m.exact {
		return nil
	}
	return p.doc
}
