package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/frame"
	"overturn/ui/jobs"
	"overturn/ui/keymap"
	"overturn/ui/panes/diff"
	"overturn/ui/view"
)

// jobResult reads a path of the plan as it would be; jobDrift finds what is different in
// a plan that came anew.
const (
	jobResult = "result"
	jobDrift  = "drift"
)

// result is a path of the plan as a whole file, what would change in it marked.
type result struct {
	pane    *diff.Pane
	path    model.Path
	waiting bool
}

// openResult shows the path under the cursor of the plan as it would be.
func (m *Model) openResult() tea.Cmd {
	p, path, ok := m.plan.Plan(), model.Path(""), false
	if p != nil {
		path, ok = m.plan.Target()
	}
	if !ok {
		m.say("Enter on a path shows the whole file as it would be")
		return nil
	}
	pane := diff.New()
	pane.Choose(m.diff.Choices())
	pane.SetThread(m.threadShown())
	m.result = result{pane: pane, path: path, waiting: true}
	m.where = inResult
	m.wait()
	return jobs.Start(m.jobs, jobResult, func(ctx context.Context, _ jobs.Report) (resulting, error) {
		doc, err := m.cfg.Engine.Result(ctx, p, path)
		return resulting{doc}, err
	})
}

// resulting is the answer of openResult.
type resulting struct{ doc *view.Document }

func (m *Model) gotResulting(d jobs.Done[resulting]) tea.Cmd {
	if m.where != inResult {
		return nil
	}
	if m.result.waiting = false; d.Err != nil {
		m.fail(d.Err)
		m.where = inPlan
		return nil
	}
	m.result.pane.Show(d.Value.doc)
	m.result.pane.ToggleWhole()
	return m.colourOf(d.Value.doc)
}

// closeResult goes back to the plan.
func (m *Model) closeResult() {
	m.jobs.Cancel(jobResult)
	m.jobs.Cancel(jobColour)
	m.where, m.result = inPlan, result{}
}

// onResult carries out what keys of a text mean here; the others of the review mean
// nothing, as nothing is staged, read or answered here. It tells whether i was one.
func (m *Model) onResult(i keymap.Intent) bool {
	p := m.result.pane
	switch i {
	case keymap.HunkNext, keymap.HunkPrev:
		if d := map[keymap.Intent]int{keymap.HunkNext: 1, keymap.HunkPrev: -1}[i]; !p.NextHunk(d) {
			m.say("no change beyond this one")
		}
	case keymap.Split:
		m.say(p.ToggleSplit())
	case keymap.Wrap:
		m.say(p.ToggleWrap())
	case keymap.Whole:
		m.say(p.ToggleWhole())
	case keymap.Expand:
		p.Expand()
	case keymap.More:
		m.say(view.Count(p.Widen(2), "line") + " of context")
	case keymap.Less:
		m.say(view.Count(p.Widen(-2), "line") + " of context")
	case keymap.Plan, keymap.Open:
		m.closeResult()
	default:
		c, _ := m.keys.Command(i)
		if c.Place != keymap.InReview && c.Place != keymap.InDiff {
			return false
		}
		m.say("Esc leads back to the plan")
	}
	return true
}

func (m *Model) drawResult(title func(text, right string) frame.Area) {
	at := ""
	if n, of := m.result.pane.Position(); of > 0 {
		at = view.Count(of, "change") + " · "
		if n > 0 {
			at = fmt.Sprintf("change %d/%d · ", n, of)
		}
	}
	m.areas.body = title(string(m.result.path)+" as it would be", at+"Enter closes")
	if m.result.waiting {
		m.note(m.areas.body, "Reading …", "")
		return
	}
	if doc := m.result.pane.Document(); doc != nil && len(doc.Hunks) == 0 && len(doc.Header) == 0 && !doc.Binary {
		m.note(m.areas.body, "Nothing would change in it.", "")
		return
	}
	m.result.pane.Draw(m.areas.body, m.st, true)
}

// readDrift asks what is different in a plan that came without being asked for.
func (m *Model) readDrift(reviewed, now *model.Plan) tea.Cmd {
	return jobs.Start(m.jobs, jobDrift, func(ctx context.Context, _ jobs.Report) (drifted, error) {
		list, err := m.cfg.Engine.Drift(ctx, reviewed, now)
		return drifted{now, list}, err
	})
}

// drifted is the answer of readDrift.
type drifted struct {
	now  *model.Plan
	list []view.Drift
}

func (m *Model) gotDrift(d jobs.Done[drifted]) tea.Cmd {
	if d.Err == nil && m.plan.Plan() == d.Value.now { // else a newer one is asked about
		m.plan.SetDrift(d.Value.list)
	}
	return nil
}
