package ui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/panes/confirm"
	"overturn/ui/panes/plan"
	"overturn/ui/sheet"
	"overturn/ui/view"
)

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
	c := Confirmed{Fingerprint: p.Fingerprint, Why: m.talk.why}
	title, number := "Roll back "+view.Count(len(p.Targets), "path")+"?", ToType(p)
	if n := conflicts(p); n == len(p.Targets) {
		m.warn("nothing of this can go back: later edits are in the way — X takes a path out, D gives up its later edits")
		return nil
	} else if n > 0 {
		c.Partial, number = true, len(p.Targets)-n
		title = fmt.Sprintf("Roll back %d of %s? What conflicts stays as it is.", number, view.Count(len(p.Targets), "path"))
	}
	m.plan.Review()
	m.ask(confirm.Ask{Title: title, Verb: "roll back", Number: number, Wait: func() string { return runningWords(m.over.Running) },
		Lines: func(width int) []sheet.Line { return append(whyLines(c.Why, width), planLines(p, width)...) }},
		func() tea.Cmd {
			if m.queue.chosen {
				return m.keep(c)
			}
			return m.execute(c)
		},
		func() tea.Msg { m.cfg.Engine.Declined(p); return nil })
	return nil
}

// conflicts is how many targets cannot be carried out.
func conflicts(p *model.Plan) int {
	n := 0
	for _, t := range p.Targets {
		if t.Verdict == model.VerdictConflict {
			n++
		}
	}
	return n
}

// discardEdits gives up the later edits of the path under the cursor, or keeps them
// again: the path is staged anew, as a whole, from the scope that it came from.
func (m *Model) discardEdits() tea.Cmd {
	path, ok := m.plan.Target()
	staged, found := m.stagedPath(path)
	if !ok || !found {
		m.say("D on a path gives up the edits that were made to it later")
		return nil
	}
	i := slices.IndexFunc(m.plan.Plan().Targets, func(t model.Target) bool { return t.Path == path })
	t := m.plan.Plan().Targets[i]
	if t.Method != model.Restore && (t.Verdict == model.VerdictClean || t.Verdict == model.VerdictAlready) {
		m.say(string(path) + " has no later edits that are in the way")
		return nil
	}
	scope, err := model.ParseScope(staged.Scope)
	if err != nil {
		m.fail(err)
		return nil
	}
	scope.Thread = staged.Thread
	m.say("the whole file is taken back, later edits are kept")
	if t.Method != model.Restore {
		m.warn("the whole file goes back to what it was before " + plan.Scope(staged.Scope) + ", with all later edits; D again keeps them")
		m.message.stays = false
	}
	return m.stage(StageRequest{Scope: scope, Paths: []model.Path{path}, Named: true, Discard: t.Method != model.Restore}, nil)
}

// ToType is the number to be typed: 0, for the key y, where the plan touches one
// path, deletes nothing, discards no edit, and leaves no lasting effect.
func ToType(p *model.Plan) int {
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
		if t.Verdict == model.VerdictConflict {
			out = append(out, sheet.Fold(sheet.L(sheet.W(themes.Bad, "stays  "), sheet.W(themes.Text, string(t.Path)), sheet.W(themes.Muted, "  conflict")), 7, width)...)
			continue
		}
		note := string(t.Verdict)
		if len(t.Hunks) > 0 {
			part := view.Count(len(t.Hunks), "hunk")
			if t.Lines != "" {
				part = "lines of " + part
			}
			note += " · " + part
		}
		if t.Discard {
			note += " · later edits are discarded"
		}
		out = append(out, sheet.Fold(sheet.L(sheet.W(role, fmt.Sprintf("%-7s", t.Op)), sheet.W(themes.Text, string(t.Path)), sheet.W(themes.Muted, "  "+note)), 7, width)...)
	}
	if len(p.Effects) > 0 {
		out = append(out, sheet.L(), sheet.L(sheet.W(themes.Muted, "Not taken back by this:")))
	}
	for _, e := range model.Distinct(p.Effects) {
		out = append(out, plan.Effect(e, width)...)
	}
	out = append(out, plan.Advice(p.Effects, width)...)
	return append(append(out, sheet.L()), sheet.Fill(themes.Muted, "A safety snapshot is taken first; u takes this back.", 0, width)...)
}
