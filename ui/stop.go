package ui

import (
	"time"

	"overturn/model"
)

// slow is how long something is read before Esc stops it: before that, Esc is meant for
// the screen.
const slow = 300 * time.Millisecond

// stop ends what takes long and is waited for; it tells whether there was anything. A
// write is asked to end: what it wrote is put back, and its answer says so.
func (m *Model) stop() bool {
	late := m.cfg.Clock().Sub(m.began) > slow
	switch {
	case m.writing != "" && m.leaving:
		m.leaving, m.message = false, message{}
	case m.writing != "":
		m.stopping, m.message = true, message{}
		m.jobs.Interrupt(jobWrite)
	case m.stopFinding():
	case m.jobs.Running(jobStage) && late:
		m.jobs.Interrupt(jobStage) // its answer says what is staged
	case m.where != inReview:
		m.left()
		return false
	case m.jobs.Running(jobSearch) && late:
		m.jobs.Cancel(jobSearch)
		m.say("the search was stopped")
	case m.cmp == nil && m.jobs.Running(jobCompare) && late:
		m.jobs.Cancel(jobCompare)
		m.cmpErr = model.Errorf(model.CodeCancelled, "comparing was stopped").WithHint("R compares again")
	case m.shown.waiting && m.jobs.Running(jobDocument) && late:
		m.jobs.Cancel(jobDocument)
		m.diff.Clear()
		m.shown.waiting, m.shown.err = false, model.Errorf(model.CodeCancelled, "reading was stopped").WithHint("R reads it again")
	default:
		return false
	}
	return true
}

// left ends what was read for the screen that is being left.
func (m *Model) left() {
	switch m.where {
	case inPlan:
		m.jobs.Cancel(jobPlan)
	case inResult:
		m.jobs.Cancel(jobResult)
	case inHistory:
		m.jobs.Cancel(jobHistory)
		m.jobs.Cancel(jobPatch)
	case inCard:
		m.jobs.Cancel(jobCard)
	}
}

// wait notes that something that may take long begins.
func (m *Model) wait() { m.began = m.cfg.Clock() }
