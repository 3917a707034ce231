// Package plan is the pane that shows what a rollback would do: a verdict for
// each path, what is kept, what is not covered, and the normalised patch itself,
// whitespace and all, whose hash is the fingerprint.
//
// Invariants: what is shown is what would be confirmed; every target and every
// kept path has a row of its own. A crash leaves nothing behind.
package plan

import (
	"fmt"
	"strconv"
	"strings"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/sheet"
	"overturn/ui/style"
	"overturn/ui/view"
)

// Pane shows a plan.
type Pane struct {
	plan   *model.Plan
	thread model.ThreadID // whose turns need no thread beside them

	reviewed *model.Plan // what the user looked at last
	drift    []view.Drift
	sheet.Sheet
}

// Show replaces the plan, seen from a thread. The cursor goes to the first target of a
// new one.
func (p *Pane) Show(plan *model.Plan, thread model.ThreadID) {
	fresh := p.plan == nil || len(p.plan.Targets) == 0
	p.plan, p.thread, p.drift = plan, thread, nil
	p.Set(func(width int) []sheet.Line { return p.lines(width) }, sheet.NewPatch(plan.Patch),
		func(width int) []sheet.Line { return foot(plan, width) })
	if fresh {
		p.Reset()
		p.GoTag(1)
	}
}

// Clear forgets the plan.
func (p *Pane) Clear() { p.plan, p.reviewed, p.drift = nil, nil, nil }

// Plan is what is shown, or nil.
func (p *Pane) Plan() *model.Plan { return p.plan }

// Target is the path of the target under the cursor.
func (p *Pane) Target() (model.Path, bool) {
	if tag := p.Tag(); p.plan != nil && tag > 0 {
		return p.plan.Targets[tag-1].Path, true
	}
	return "", false
}

// Draw draws the pane.
func (p *Pane) Draw(a frame.Area, st *style.Table) { p.Sheet.Draw(a, st, true) }

// Counts is the plan in one line: "3 paths · 2 clean · 1 conflict".
func Counts(plan *model.Plan) string {
	count := map[model.Verdict]int{}
	for _, t := range plan.Targets {
		count[t.Verdict]++
	}
	s := view.Count(len(plan.Targets), "path")
	for _, v := range []model.Verdict{model.VerdictClean, model.VerdictMerged, model.VerdictAlready, model.VerdictDrifted, model.VerdictConflict} {
		if count[v] > 0 {
			s += fmt.Sprintf(" · %d %s", count[v], v)
		}
	}
	return s
}

func (p *Pane) lines(width int) []sheet.Line {
	plan := p.plan
	if len(plan.Targets) == 0 {
		out := []sheet.Line{sheet.L(), sheet.L(sheet.W(themes.Text, "  Nothing is staged.")), sheet.L()}
		return append(out, sheet.Fill(themes.Muted, "In the review x stages a hunk, X a file or folder.", 2, width)...)
	}
	out := append(drifts(p.drift, width), sheet.Fold(sheet.L(sheet.W(themes.Strong, " "+Counts(plan)),
		sheet.W(themes.Muted, " · of "+scopes(plan.Scopes))), 1, width)...)
	for i, t := range plan.Targets {
		out = append(out, p.target(t, i+1, width)...)
	}
	return append(out, sheet.L(), sheet.L(sheet.W(themes.Accent, " Patch"), sheet.W(themes.Muted, "  fingerprint "+plan.Fingerprint)))
}

// foot is what stands below the patch: what is kept, and what is not covered.
func foot(plan *model.Plan, width int) []sheet.Line {
	var out []sheet.Line
	if len(plan.Targets) == 0 {
		return nil
	}
	if len(plan.Kept) > 0 {
		out = append(out, sheet.Heading("Kept as it is")...)
		for _, k := range plan.Kept {
			out = append(out, sheet.Fold(sheet.L(sheet.W(themes.Text, "  "+string(k.Path)), sheet.W(themes.Muted, "  "+k.Reason)), 6, width)...)
		}
	}
	out = append(out, effects(plan, width)...)
	return append(out, domains(plan, width)...)
}

// scopes spells scopes as people say them.
func scopes(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, Scope(s))
	}
	return strings.Join(out, ", ")
}

// Scope spells a scope as people say it.
func Scope(s string) string {
	if scope, err := model.ParseScope(s); err == nil {
		return view.ScopeWords(scope)
	}
	return s
}

// VerdictRole is the role that a verdict is painted in.
func VerdictRole(v model.Verdict) themes.Role {
	switch v {
	case model.VerdictClean, model.VerdictAlready:
		return themes.Good
	case model.VerdictConflict:
		return themes.Bad
	}
	return themes.Warn
}

// reasons is the cells by which what is said of a target stands below its row.
const reasons = 11

// target is a row of the verdict list, and its reason below it.
func (p *Pane) target(t model.Target, tag, width int) []sheet.Line {
	what := "whole file"
	if len(t.Hunks) > 0 {
		what = "hunk"
		if len(t.Hunks) > 1 {
			what = "hunks"
		}
		for i, h := range t.Hunks {
			if i > 0 {
				what += ","
			} else {
				what += " "
			}
			if h == model.ModeHunk {
				what += "mode"
			} else {
				what += strconv.Itoa(h)
			}
		}
	}
	if t.Lines != "" {
		what += " lines " + t.Lines
	}
	note := what + " · " + string(t.Method)
	if t.Owner != "" {
		note += " · " + string(t.Owner)
	}
	if words := view.TurnsOf(t.Turns, t.Thread, p.thread); words != "" {
		note += " · " + words
	}
	row := sheet.L(sheet.W(VerdictRole(t.Verdict), fmt.Sprintf("  %-9s", t.Verdict)), sheet.W(opRole(t.Op), fmt.Sprintf("%-7s", t.Op)),
		sheet.W(themes.Text, string(t.Path)), sheet.W(themes.Muted, "  "+note))
	row.Tag = tag
	list := sheet.Fold(row, reasons, width)
	if t.Discard {
		list = append(list, sheet.Fill(themes.Warn, "edits that the scope did not make are discarded", reasons, width)...)
	}
	if t.Reason != "" {
		list = append(list, sheet.Fill(themes.Muted, t.Reason, reasons, width)...)
	}
	return list
}

func opRole(o model.Op) themes.Role {
	switch o {
	case model.OpDelete:
		return themes.Minus
	case model.OpCreate:
		return themes.Plus
	}
	return themes.Text
}

func effects(plan *model.Plan, width int) []sheet.Line {
	if len(plan.Effects) == 0 {
		return nil
	}
	out := sheet.Heading("Effects outside these files, not taken back")
	for _, e := range model.Distinct(plan.Effects) {
		out = append(out, Effect(e, width)...)
	}
	return append(out, Advice(plan.Effects, width)...)
}

// Advice is what to think of before turns with such effects are taken back.
func Advice(effects []model.Effect, width int) []sheet.Line {
	if advice := model.Advice(effects); advice != "" {
		return sheet.Fill(themes.Warn, advice, 2, width)
	}
	return nil
}

// Effect is an effect in words: what was done, whether it can be reversed, and
// what would make up for it.
func Effect(e model.Effect, width int) []sheet.Line {
	role, word := themes.Warn, "may be reversible"
	switch e.Reversible {
	case model.ReversibleYes:
		role, word = themes.Good, "reversible"
	case model.ReversibleNo:
		role, word = themes.Bad, "not reversible"
	}
	out := []sheet.Line{sheet.L(sheet.W(themes.Text, fmt.Sprintf("  %-12s ", e.Domain)), sheet.W(themes.Text, e.Summary), sheet.W(role, "  "+word))}
	if e.Compensation != "" {
		out = append(out, sheet.Fill(themes.Muted, "to make up for it: "+e.Compensation, 15, width)...)
	}
	return out
}

// domains says what is covered, and for what is not the reason, once for all
// that share it.
func domains(plan *model.Plan, width int) []sheet.Line {
	var covered, reasons []string
	left := map[string][]string{}
	for _, d := range plan.Domains {
		if d.Covered {
			covered = append(covered, string(d.Domain))
			continue
		}
		if left[d.Note] == nil {
			reasons = append(reasons, d.Note)
		}
		left[d.Note] = append(left[d.Note], string(d.Domain))
	}
	if len(plan.Domains) == 0 {
		return nil
	}
	out := append(sheet.Heading("Covered"), sheet.Fill(themes.Text, strings.Join(covered, ", "), 2, width)...)
	if len(reasons) > 0 {
		out = append(out, sheet.Heading("Not covered")...)
	}
	for _, r := range reasons {
		text := strings.Join(left[r], ", ")
		if r != "" {
			text += ": " + r
		}
		out = append(out, sheet.Fill(themes.Muted, text, 2, width)...)
	}
	return out
}
