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
	// PlanRevert works out what taking a thread back to the end of a turn, 0: to before the
	// first, would do. Keep leaves the agent's conversation as it is.
	PlanRevert(ctx context.Context, thread model.ThreadID, to int, keep bool) (*view.Revert, error)
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
	return m.workOutRevert(thread, turn, false)
}

// askRevertAll is askRevert to before the thread's first turn.
func (m *Model) askRevertAll() tea.Cmd {
	if m.over == nil {
		return nil
	}
	if m.writing != "" {
		m.say("one moment: the " + m.writing + " is under way")
		return nil
	}
	thread := m.over.Thread
	if t, ok := m.spine.list.Selected(); m.where == inTurns && ok {
		thread = t.Thread
	}
	return m.workOutRevert(thread, 0, false)
}

// workOutRevert works it out; a conversation that cannot be taken back now is left as it
// is, where that is all that stands in the way, and the question says so.
func (m *Model) workOutRevert(thread model.ThreadID, to int, keep bool) tea.Cmd {
	m.say("what goes back to " + boundary(to) + " is being worked out")
	return jobs.Start(m.jobs, jobRevert, func(ctx context.Context, _ jobs.Report) (*view.Revert, error) {
		r, err := m.cfg.Engine.PlanRevert(ctx, thread, to, keep)
		if err != nil || r.Refused == nil || keep || !r.Conversation.Supported {
			return r, err
		}
		without, err := m.cfg.Engine.PlanRevert(ctx, thread, to, true)
		if err != nil || without.Refused != nil {
			return r, nil
		}
		without.Blocked = r.Refused
		return without, nil
	})
}

func boundary(n int) string {
	if n == 0 {
		return "before the first turn"
	}
	return fmt.Sprintf("the end of turn %d", n)
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
	case r.Turns() == 0 && r.To == 0:
		m.say("the thread has no turns: there is nothing to take back")
		return nil
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
	title := fmt.Sprintf("Take the thread back to %s? %s: %s", boundary(r.To), leaving(r), view.Count(len(r.Plan.Targets), "path"))
	m.ask(confirm.Ask{Title: title, Verb: "take the thread back", Number: number, Lines: func(width int) []sheet.Line { return revertLines(r, width) }, Other: m.otherRevert(r)},
		func() tea.Cmd {
			return m.write("revert", func(ctx context.Context, report jobs.Report) (*model.Result, error) {
				return m.cfg.Engine.Revert(ctx, r, report)
			})
		},
		func() tea.Msg { m.cfg.Engine.Declined(r.Plan); return nil })
	return nil
}

// otherRevert is the same with another word about the conversation, where there is a
// choice.
func (m *Model) otherRevert(r *view.Revert) *confirm.Other {
	if !r.Conversation.Supported || r.Blocked != nil {
		return nil
	}
	words := "leave the conversation as it is instead"
	if r.Keep {
		words = "take the conversation back too instead"
	}
	return &confirm.Other{Key: "t", Words: words, Ask: func() tea.Cmd { return m.workOutRevert(r.Thread, r.To, !r.Keep) }}
}

// leaving names the turns that leave the thread.
func leaving(r *view.Revert) string {
	if r.Turns() == 1 {
		return fmt.Sprintf("turn %d leaves it", r.Latest)
	}
	return fmt.Sprintf("turns %d to %d leave it", r.To+1, r.Latest)
}

func revertLines(r *view.Revert, width int) []sheet.Line {
	lines := sheet.Fold(sheet.L(sheet.W(themes.Muted, "thread "), sheet.W(themes.Text, view.ShortThread(r.Thread)+" · "+leaving(r))), 2, width)
	if r.Base != "" {
		lines = append(lines, sheet.Fill(themes.Warn, "the snapshot before the first turn is not there; "+r.Base+" stands for it", 0, width)...)
	}
	lines = append(lines, sheet.Fill(themes.Text, "conversation of "+r.Conversation.Agent+": "+r.Conversation.Note, 0, width)...)
	if r.Blocked != nil {
		lines = append(lines, sheet.Fill(themes.Warn, "it cannot be taken back now: "+r.Blocked.Error(), 0, width)...)
		if hint := model.HintOf(r.Blocked); hint != "" {
			lines = append(lines, sheet.Fill(themes.Warn, "to have it go too, cancel, and "+hint, 0, width)...)
		}
	}
	lines = append(lines, sheet.L())
	for _, k := range r.Plan.Kept {
		lines = append(lines, sheet.Fold(sheet.L(sheet.W(themes.Muted, "stays  "), sheet.W(themes.Text, string(k.Path)), sheet.W(themes.Muted, "  "+k.Reason)), 7, width)...)
	}
	return append(lines, planLines(r.Plan, width)...)
}
