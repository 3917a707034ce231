package plan

import (
	"fmt"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/sheet"
	"overturn/ui/view"
)

// Reviewed is the plan that the user looked at last, or nil.
func (p *Pane) Reviewed() *model.Plan { return p.reviewed }

// Review says that the user looks at the plan that is shown.
func (p *Pane) Review() { p.reviewed = p.plan }

// SetDrift shows, before the plan, what is different in it from the one that was
// reviewed. The cursor comes to it.
func (p *Pane) SetDrift(list []view.Drift) {
	p.drift = list
	p.Set(func(width int) []sheet.Line { return p.lines(width) }, sheet.NewPatch(p.plan.Patch),
		func(width int) []sheet.Line { return foot(p.plan, width) })
	p.Reset()
}

// drifts is the difference in words and lines, nothing where there is none.
func drifts(list []view.Drift, width int) []sheet.Line {
	if len(list) == 0 {
		return nil
	}
	out := []sheet.Line{sheet.L(sheet.W(themes.Warn, " Changed since you reviewed the plan"),
		sheet.W(themes.Muted, "  nothing was written; P asks again"))}
	for _, d := range list {
		out = append(out, sheet.L(sheet.W(themes.Text, "  "+string(d.Path)), sheet.W(themes.Warn, "  "+d.Words)))
		for _, l := range d.Lines {
			out = append(out, sheet.L(sheet.W(role(l), "    "+l)))
		}
		if d.Cut > 0 {
			out = append(out, sheet.L(sheet.W(themes.Muted, fmt.Sprintf("    … and %s", view.Count(d.Cut, "line")))))
		}
	}
	return append(out, sheet.L())
}

func role(line string) themes.Role {
	switch {
	case line == "":
	case line[0] == '+':
		return themes.Add
	case line[0] == '-':
		return themes.Del
	case line[0] == '@':
		return themes.Hunk
	}
	return themes.Text
}
