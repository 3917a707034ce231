package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/jobs"
	"overturn/ui/panes/confirm"
	"overturn/ui/sheet"
	"overturn/ui/view"
)

// Reverter takes whole threads back.
type Reverter interface {
	// PlanRevert works out what taking a thread back to the end of a turn would do.
	PlanRevert(ctx context.Context, thread model.ThreadID, to int) (*view.Revert, error)
	// Revert does it as long as the fingerprint of its plan is the one that was confirmed.
	Revert(ctx context.Context, r *view.Revert, progress func(done, of int)) (*model.Result, error)
}

// askRevert works out what taking the thread back to the selected turn would do, to
// ask whether it is to be done.
func (m *Model) askRevert() tea.Cmd {
	if m.over == nil {
		return nil
	}
	if m.writing != "" {
		m.say("one moment: the " + m.writing + " is under way")
		return nil
	}
	thread, turn := m.over.Thread, m.turn
	if t, ok := m.spine.list.Selected(); m.where == inTurns && ok {
		thread, turn = t.Thread, t.Number
	}
	if turn == 0 {
		m.say("no turn is selected: ( and ) choose one")
		return nil
	}
	m.say(fmt.Sprintf("what goes back to the end of turn %d is being worked out", turn))
	return jobs.Start(m.jobs, jobRevert, func(ctx context.Context, _ jobs.Report) (*view.Revert, error) {
		return m.cfg.Engine.PlanRevert(ctx, thread, turn)
	})
}

// gotRevert asks. What is confirmed is the fingerprint of what is shown.
func (m *Model) gotRevert(d jobs.Done[*view.Revert]) tea.Cmd {
	if d.Err != nil {
		m.fail(d.Err)
		return nil
	}
	if m.dialog != nil || m.prompt != nil {
		return nil
	}
	r := d.Value
	switch {
	case r.Turns() == 0:
		m.say(fmt.Sprintf("turn %d is the newest of its thread: there is nothing to take back to its end", r.To))
		return nil
	case r.Refused != nil:
		m.fail(r.Refused)
		return nil
	}
	number := len(r.Plan.Targets)
	if number == 0 {
		number = r.Turns()
	}
	title := fmt.Sprintf("Take the thread back to the end of turn %d? %s: %s", r.To, leaving(r), view.Count(len(r.Plan.Targets), "path"))
	m.ask(confirm.Ask{Title: title, Verb: "take the thread back", Number: number, Lines: func(width int) []sheet.Line { return revertLines(r, width) }},
		func() tea.Cmd {
			return m.write("revert", func(ctx context.Context, report jobs.Report) (*model.Result, error) {
				return m.cfg.Engine.Revert(ctx, r, report)
			})
		},
		func() tea.Msg { m.cfg.Engine.Declined(r.Plan); return nil })
	return nil
}

// leaving names the turns that leave the thread.
func leaving(r *view.Revert) string {
	if r.Turns() == 1 {
		return fmt.Sprintf("turn %d leaves it", r.Latest)
	}
	return fmt.Sprintf("turns %d to %d leave it", r.To+1, r.Latest)
}

func revertLines(r *view.Revert, width int) []sheet.Line {
	agent := r.Conversation.Agent
	lines := []sheet.Line{
		sheet.L(sheet.W(themes.Muted, "thread "), sheet.W(themes.Text, view.ShortThread(r.Thread)+" · "+leaving(r))),
		sheet.L(sheet.W(themes.Muted, "conversation of "+agent+": "), sheet.W(themes.Text, r.Conversation.Note)), sheet.L(),
	}
	for _, k := range r.Plan.Kept {
		lines = append(lines, sheet.L(sheet.W(themes.Muted, "stays  "), sheet.W(themes.Text, string(k.Path)), sheet.W(themes.Muted, "  "+k.Reason)))
	}
	return append(lines, planLines(r.Plan, width)...)
}
