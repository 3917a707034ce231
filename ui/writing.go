package ui

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/jobs"
	"overturn/ui/panes/confirm"
	"overturn/ui/panes/plan"
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
		return declined
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
	m.dialog, m.agreed, m.declined = nil, nil, nil
	return agreed()
}

// confirmPlan asks whether the plan on the screen is to be carried out. What is
// confirmed is the fingerprint that was shown.
func (m *Model) confirmPlan() tea.Cmd {
	p := m.plan.Plan()
	switch {
	case m.writing != "":
		m.say("one moment: the " + m.writing + " is under way")
		return nil
	case p == nil || m.jobs.Running(jobPlan) || m.jobs.Running(jobStage):
		m.say("the plan is being worked out")
		return nil
	case len(p.Targets) == 0:
		m.say("nothing is staged")
		return nil
	}
	for _, t := range p.Targets {
		if t.Verdict == model.VerdictConflict {
			m.warn("a conflict refuses the whole plan — X on its row takes the path out")
			return nil
		}
	}
	m.ask(confirm.Ask{Title: "Roll back " + view.Count(len(p.Targets), "path") + "?", Verb: "roll back",
		Number: toType(p), Lines: func(width int) []sheet.Line { return planLines(p, width) }},
		func() tea.Cmd { return m.execute(p.Fingerprint) },
		func() tea.Msg { m.cfg.Engine.Declined(p); return nil })
	return nil
}

// toType is the number to be typed: 0, for the key y, where the plan touches one
// path, deletes nothing, discards no edit, and leaves no lasting effect.
func toType(p *model.Plan) int {
	danger := len(p.Targets) > 1
	for _, t := range p.Targets {
		danger = danger || t.Op == model.OpDelete || t.Discard
	}
	for _, e := range p.Effects {
		danger = danger || e.Reversible == model.ReversibleNo
	}
	if danger {
		return len(p.Targets)
	}
	return 0
}

func planLines(p *model.Plan, width int) []sheet.Line {
	var out []sheet.Line
	for _, t := range p.Targets {
		role := themes.Text
		if t.Op == model.OpDelete {
			role = themes.Minus
		}
		note := string(t.Verdict)
		if len(t.Hunks) > 0 {
			note += " · " + view.Count(len(t.Hunks), "hunk")
		}
		if t.Discard {
			note += " · later edits are discarded"
		}
		out = append(out, sheet.L(sheet.W(role, fmt.Sprintf("%-7s", t.Op)), sheet.W(themes.Text, string(t.Path)), sheet.W(themes.Muted, "  "+note)))
	}
	if len(p.Effects) > 0 {
		out = append(out, sheet.L(), sheet.L(sheet.W(themes.Muted, "Not taken back by this:")))
	}
	for _, e := range p.Effects {
		out = append(out, plan.Effect(e, width)...)
	}
	return append(out, sheet.L(), sheet.L(sheet.W(themes.Muted, "A safety snapshot is taken first; u takes this back.")))
}

// write starts what writes in the work tree. There is one at a time.
func (m *Model) write(what string, f func(context.Context, jobs.Report) (*model.Result, error)) tea.Cmd {
	m.writing, m.done, m.of, m.message = what, 0, 0, message{}
	return jobs.Start(m.jobs, jobWrite, f)
}

func (m *Model) execute(fingerprint string) tea.Cmd {
	return m.write("rollback", func(ctx context.Context, report jobs.Report) (*model.Result, error) {
		return m.cfg.Engine.Execute(ctx, fingerprint, report)
	})
}

// undone is the answer of the question what undo would take back.
type undone struct {
	entry model.HistoryEntry
	redo  bool
}

// askUndo asks whether the newest rollback is to be undone, or its undo redone.
func (m *Model) askUndo(redo bool) tea.Cmd {
	if m.over == nil || m.writing != "" {
		return nil
	}
	id := m.over.Undoable
	if redo {
		id = m.over.Redoable
	}
	if id == "" {
		m.say(map[bool]string{false: "there is no rollback to undo", true: "there is no undo to redo"}[redo])
		return nil
	}
	return jobs.Start(m.jobs, jobUndo, func(ctx context.Context, _ jobs.Report) (undone, error) {
		list, err := m.cfg.Engine.History(ctx)
		if err != nil {
			return undone{}, err
		}
		i := slices.IndexFunc(list, func(e model.HistoryEntry) bool { return e.ID == id })
		if i < 0 {
			return undone{}, model.Errorf(model.CodeFailed, "rollback %s is not in the history", id).WithHint("R reads it again")
		}
		return undone{list[i], redo}, nil
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
	e, verb := d.Value.entry, "undo"
	if d.Value.redo {
		verb = "redo"
	}
	number := 0
	if len(e.Paths) > 1 {
		number = len(e.Paths)
	}
	when := view.Ago(m.cfg.Clock(), e.At) + " ago"
	if when == "now ago" {
		when = "just made"
	}
	title := fmt.Sprintf("Undo the %s of %s, %s?", e.Kind, view.Count(len(e.Paths), "path"), when)
	if d.Value.redo { // e is the undo; what comes again is what it took back
		title = fmt.Sprintf("Redo the rollback of %s, its undo %s?", view.Count(len(e.Paths), "path"), when)
	}
	m.ask(confirm.Ask{Title: title, Verb: verb, Number: number, Lines: func(int) []sheet.Line {
		var out []sheet.Line
		for _, p := range e.Paths {
			out = append(out, sheet.L(sheet.W(themes.Text, string(p))))
		}
		return append(out, sheet.L(), sheet.L(sheet.W(themes.Muted, "Paths that were edited since are refused, never overwritten.")))
	}}, func() tea.Cmd {
		return m.write(verb, func(ctx context.Context, report jobs.Report) (*model.Result, error) {
			if d.Value.redo {
				return m.cfg.Engine.Redo(ctx, report)
			}
			return m.cfg.Engine.Undo(ctx, e.ID, report)
		})
	}, nil)
	return nil
}

// gotResult reports what was written, and reads everything again.
func (m *Model) gotResult(d jobs.Done[*model.Result]) tea.Cmd {
	what := m.writing
	m.writing = ""
	if m.leaving {
		return tea.Quit
	}
	m.wrote = m.cfg.Clock()
	switch {
	case model.CodeOf(d.Err) == model.CodeStale && m.where == inPlan: // refresh shows the fresh plan
		m.fail(model.Errorf(model.CodeStale, "%s", d.Err.Error()).WithHint("the fresh plan is on the screen: review it, then P asks again"))
	case d.Err != nil:
		m.fail(d.Err)
	case d.Value.Outcome == model.OutcomeComplete || d.Value.Outcome == model.OutcomeUndone:
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
		s = map[string]string{"rollback": "rolled back", "undo": "undone", "redo": "redone"}[what] + ": "
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
	if what == "rollback" || what == "redo" {
		s += " · u undoes it"
	}
	return s
}
