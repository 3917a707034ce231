package ui

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/jobs"
	"overturn/ui/panes/confirm"
	"overturn/ui/sheet"
	"overturn/ui/view"
)

// ask opens the dialog; agreed is what a confirmation starts, declined, where not
// nil, what happens without one.
func (m *Model) ask(a confirm.Ask, agreed func() tea.Cmd, declined tea.Cmd) {
	m.asked++
	m.message = message{}
	m.dialog, m.agreed, m.declined = confirm.Open(a, m.cfg.Clock()), agreed, declined
}

// held is the message that a confirmation has stood its time.
type held struct{ asked uint64 }

// answer gives a key to the dialog.
func (m *Model) answer(k tea.KeyMsg) tea.Cmd {
	switch m.dialog.Key(k, m.cfg.Clock()) {
	case confirm.Closed:
		why, declined := m.dialog.Why(), m.declined
		m.dialog, m.agreed, m.declined = nil, nil, nil
		m.say("cancelled; nothing was written")
		if why != "" {
			m.warn(why + "; nothing was written")
		}
		return tea.Batch(declined, m.due())
	case confirm.Asks:
		other := m.dialog.Other()
		m.dialog, m.agreed, m.declined = nil, nil, nil
		return other.Ask()
	case confirm.Armed:
		asked := m.asked
		return tea.Tick(confirm.Hold, func(time.Time) tea.Msg { return held{asked} })
	}
	return nil
}

// held starts what was confirmed, when no other key has closed the dialog.
func (m *Model) held(h held) tea.Cmd {
	if m.dialog == nil || h.asked != m.asked || !m.dialog.Held() {
		return nil
	}
	agreed := m.agreed
	m.queue.chosen = m.dialog.Waits()
	m.dialog, m.agreed, m.declined = nil, nil, nil
	return agreed()
}

// write starts what writes in the work tree. There is one at a time.
func (m *Model) write(what string, f func(context.Context, jobs.Report) (*model.Result, error)) tea.Cmd {
	m.writing, m.done, m.of, m.message, m.stopping = what, 0, 0, message{}, false
	return jobs.StartWhole(m.jobs, jobWrite, f)
}

func (m *Model) execute(c Confirmed) tea.Cmd {
	return m.write("rollback", func(ctx context.Context, report jobs.Report) (*model.Result, error) {
		return m.cfg.Engine.Execute(ctx, c, report)
	})
}

// undone is the answer of the question what undo would take back.
type undone struct {
	entry, before *model.HistoryEntry // as view.Undoable finds them
	redo          bool
}

// askUndo asks whether the newest rollback is to be undone, or its undo redone. The
// history is read for it: what the header knows may be older than the last write.
func (m *Model) askUndo(redo bool) tea.Cmd {
	if m.over == nil || m.writing != "" {
		return nil
	}
	return jobs.Start(m.jobs, jobUndo, func(ctx context.Context, _ jobs.Report) (undone, error) {
		list, err := m.cfg.Engine.History(ctx)
		if err != nil {
			return undone{}, err
		}
		entry, before := view.Undoable(list, redo)
		return undone{entry, before, redo}, nil
	})
}

func (m *Model) gotUndone(d jobs.Done[undone]) tea.Cmd {
	if d.Err != nil {
		m.fail(d.Err)
		return nil
	}
	if m.dialog != nil || m.prompt != nil {
		return nil
	}
	if words, next := view.NothingToUndo(d.Value.entry, d.Value.before, d.Value.redo); words != "" {
		m.say(words)
		if d.Value.before != nil {
			m.warn(words + " — " + next)
		}
		return nil
	}
	e, verb := d.Value.entry, "undo"
	if d.Value.redo {
		verb = "redo"
	}
	number := 0
	if len(e.Paths) > 1 {
		number = len(e.Paths)
	}
	when := view.Since(m.cfg.Clock(), e.At)
	if when == "just now" {
		when = "just made"
	}
	title := fmt.Sprintf("Undo the %s of %s, %s?", e.Kind, view.Count(len(e.Paths), "path"), when)
	if d.Value.redo { // e is the undo; what comes again is what it took back
		title = fmt.Sprintf("Redo the rollback of %s, its undo %s?", view.Count(len(e.Paths), "path"), when)
	}
	m.ask(confirm.Ask{Title: title, Verb: verb, Number: number, Lines: func(width int) []sheet.Line {
		var out []sheet.Line
		for _, p := range e.Paths {
			out = append(out, sheet.L(sheet.W(themes.Text, string(p))))
		}
		return append(append(out, sheet.L()), sheet.Fill(themes.Muted, "Paths that were edited since are refused, never overwritten.", 0, width)...)
	}}, func() tea.Cmd {
		return m.write(verb, func(ctx context.Context, report jobs.Report) (*model.Result, error) {
			if d.Value.redo {
				return m.cfg.Engine.Redo(ctx, e.ID, report) // that very one: another review may have made a newer
			}
			return m.cfg.Engine.Undo(ctx, e.ID, report)
		})
	}, nil)
	return nil
}

// gotResult reports what was written, and reads everything again.
func (m *Model) gotResult(d jobs.Done[*model.Result]) tea.Cmd {
	what, due := m.writing, m.queue.due
	m.writing, m.queue.due = "", false
	if m.leaving {
		return m.beforeQuit()
	}
	m.wrote = m.cfg.Clock()
	switch {
	case due:
		m.gotDue(d)
	case model.CodeOf(d.Err) == model.CodeStale && m.where == inPlan: // refresh shows the fresh plan
		m.fail(model.Errorf(model.CodeStale, "%s", d.Err.Error()).WithHint("the fresh plan is on the screen: review it, then P asks again"))
	case d.Err != nil:
		m.fail(d.Err)
	case d.Value.Outcome == model.OutcomeComplete || d.Value.Outcome == model.OutcomeUndone:
		m.talk.why = ""
		m.good(report(what, d.Value))
		m.where = inReview
	default:
		m.warn(report(what, d.Value))
		m.where = inReview
	}
	return m.refresh()
}

// report is a result in one line.
func report(what string, r *model.Result) string {
	s := fmt.Sprintf("%s %s: ", what, r.Outcome)
	if r.Outcome == model.OutcomeComplete || r.Outcome == model.OutcomeUndone {
		s = map[string]string{"rollback": "rolled back", "undo": "undone", "redo": "redone", "revert": "taken back"}[what] + ": "
	}
	n := 0
	for _, part := range []struct {
		paths model.Paths
		word  string
	}{{r.Restored, "restored"}, {r.Created, "created"}, {r.Deleted, "deleted"}, {r.Merged, "merged"}} {
		if len(part.paths) > 0 {
			if n > 0 {
				s += ", "
			}
			s += fmt.Sprintf("%d %s", len(part.paths), part.word)
			n++
		}
	}
	if n == 0 {
		s += "nothing had to be written"
	}
	if len(r.Skipped) > 0 {
		s += fmt.Sprintf(", %d skipped (%s: %s)", len(r.Skipped), r.Skipped[0].Path, r.Skipped[0].Reason)
	}
	if r.Verified {
		s += " · verified"
	}
	if len(r.Residual) > 0 {
		s += " · " + view.Count(len(r.Residual), "effect") + " not taken back"
	}
	if c := r.Conversation; c != nil {
		s += " · conversation: " + c.Note
	}
	if what == "rollback" || what == "redo" || what == "revert" {
		s += " · u undoes it"
	}
	return s
}
