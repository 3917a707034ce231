package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
	"overturn/ui/view"
)

// The keys of the jobs of what waits for the end of a turn.
const (
	jobKeep   = "keep"
	jobForget = "forget"
)

// queue is what the review knows of a take-back that waits for turns to end. It is
// carried out by a review that saw it wait: nothing is written in a work tree that
// nobody was looking at.
type queue struct {
	chosen bool   // the dialog was confirmed for later
	seen   string // what this review has seen waiting
	due    bool   // what is being written had waited
}

// keptToWait and forgotten are the answers of the two jobs.
type (
	keptToWait struct{}
	forgotten  struct{ missed bool }
)

// keep lets a confirmed plan wait for the turns that are open.
func (m *Model) keep(c Confirmed) tea.Cmd {
	return jobs.Start(m.jobs, jobKeep, func(ctx context.Context, _ jobs.Report) (keptToWait, error) {
		return keptToWait{}, m.cfg.Engine.Wait(ctx, c)
	})
}

func (m *Model) gotKept(d jobs.Done[keptToWait]) tea.Cmd {
	if d.Err != nil {
		m.fail(d.Err)
		return m.refresh()
	}
	m.where = inReview
	m.good("it waits for the turn to end; w in the plan lets go of it")
	return m.refresh()
}

// dropWaiting lets go of what waits.
func (m *Model) dropWaiting() tea.Cmd { return m.letGo(false) }

func (m *Model) letGo(missed bool) tea.Cmd {
	if m.over == nil || m.over.Queued == nil {
		m.say("nothing waits for the end of a turn")
		return nil
	}
	return jobs.Start(m.jobs, jobForget, func(ctx context.Context, _ jobs.Report) (forgotten, error) {
		return forgotten{missed}, m.cfg.Engine.Forget(ctx)
	})
}

func (m *Model) gotForgotten(d jobs.Done[forgotten]) tea.Cmd {
	w := m.over.Queued
	switch {
	case d.Err != nil:
		m.fail(d.Err)
		return nil
	case w == nil:
		return nil
	case d.Value.missed:
		m.warn(fmt.Sprintf("what was to go back at the end of %s was dropped: no review was open then. It is staged still: P shows the plan", w.For))
	default:
		m.say("it does not wait any more; it is staged still")
	}
	o := *m.over
	o.Queued = nil
	m.over = &o
	return nil
}

// due looks whether what waits may be carried out: all its turns have ended, this
// review saw it wait, and no question is open.
func (m *Model) due() tea.Cmd {
	w := m.over.Queued
	switch {
	case w == nil || m.writing != "" || m.jobs.Running(jobForget):
		return nil
	case w.Open:
		m.queue.seen = w.ID
		return nil
	case m.queue.seen != w.ID:
		return m.letGo(true)
	case m.dialog != nil:
		return nil
	}
	m.queue.seen, m.queue.due = "", true
	return m.write("rollback", func(ctx context.Context, report jobs.Report) (*model.Result, error) {
		r, err := m.cfg.Engine.Due(ctx, report)
		if err == nil && r == nil {
			err = model.Errorf(model.CodeCancelled, "what waited was carried out or let go elsewhere")
		}
		return r, err
	})
}

// gotDue reports what was carried out at the end of a turn, or why it was dropped.
// The screen stays where it is.
func (m *Model) gotDue(d jobs.Done[*model.Result]) {
	switch {
	case model.CodeOf(d.Err) == model.CodeStale:
		m.fail(model.Errorf(model.CodeStale, "what waited was dropped: the turn or you changed those files since; nothing was written").WithHint("it is staged still: P shows the plan"))
	case d.Err != nil:
		m.fail(d.Err)
	case d.Value.Outcome == model.OutcomeComplete:
		m.good("the turn ended · " + report("rollback", d.Value))
	default:
		m.warn("the turn ended · " + report("rollback", d.Value))
	}
}

// runningWords names open turns: "turn 7 of claude-code".
func runningWords(running []view.Turn) string {
	switch len(running) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("turn %d of %s", running[0].Number, running[0].Agent)
	}
	return view.Count(len(running), "open turn")
}
