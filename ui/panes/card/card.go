// Package card is the checkpoint card of a turn: badge, status and reason, what
// was dirty at its boundaries, files, effects, and how to repair what is missing.
//
// Invariants: state (how the turn ended) and status (whether it was captured) are
// told apart; a missing or broken checkpoint always says that files may have
// changed all the same. A crash leaves nothing behind.
package card

import (
	"fmt"
	"strings"
	"time"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/sheet"
	"overturn/ui/view"
)

// Pane shows a card.
type Pane struct {
	sheet.Sheet
	card *view.Card
}

// Show replaces the card.
func (p *Pane) Show(c *view.Card, now time.Time) {
	if p.card == nil || p.card.Turn.Number != c.Turn.Number {
		p.Reset()
	}
	p.card = c
	p.Set(func(width int) []sheet.Line { return lines(c, now, width) }, nil, nil)
}

// Clear forgets the card.
func (p *Pane) Clear() { p.card = nil; p.Set(nil, nil, nil) }

// Card is what is shown, or nil.
func (p *Pane) Card() *view.Card { return p.card }

func lines(c *view.Card, now time.Time, width int) []sheet.Line {
	t := c.Turn
	b := view.BadgeOf(view.Turn{State: t.State, Status: t.Status})
	out := []sheet.Line{
		sheet.L(sheet.W(themes.Strong, fmt.Sprintf(" Turn %d", t.Number)), sheet.W(role(b.Level), "  "+b.Letter+" "+b.Word),
			sheet.W(themes.Muted, "  "+string(t.State))),
	}
	out = append(out, sheet.Fill(themes.Text, t.Prompt, 2, width)...)
	if t.StatusReason != "" {
		out = append(out, sheet.Heading("Reason")...)
		out = append(out, sheet.Fill(themes.Warn, t.StatusReason, 2, width)...)
	}
	if t.Status != model.StatusReady && t.State != model.TurnOpen {
		out = append(out, sheet.Fill(themes.Warn, "Files may have changed in this turn all the same.", 2, width)...)
	}
	if len(c.Repair) > 0 {
		out = append(out, sheet.Heading("Repair")...)
		for _, r := range c.Repair {
			out = append(out, sheet.L(sheet.W(themes.Accent, "  "+r)))
		}
	}
	out = append(out, about(c, now)...)
	out = append(out, boundary("Start", t.Start)...)
	out = append(out, boundary("End", t.End)...)
	out = append(out, files(t)...)
	return append(out, effects(t, width)...)
}

func role(l view.Level) themes.Role {
	return map[view.Level]themes.Role{view.Good: themes.Good, view.Warn: themes.Warn, view.Bad: themes.Bad, view.Calm: themes.Muted}[l]
}

func about(c *view.Card, now time.Time) []sheet.Line {
	t := c.Turn
	field := func(name, value string) []sheet.Line {
		if value == "" {
			return nil
		}
		return []sheet.Line{sheet.Field(name, sheet.W(themes.Text, value))}
	}
	out := sheet.Heading("Checkpoint")
	out = append(out, field("id", string(t.Checkpoint))...)
	out = append(out, field("kept in", c.Backend)...)
	out = append(out, field("ref", t.Ref)...)
	out = append(out, field("thread", string(t.Thread))...)
	out = append(out, field("agent", t.Agent)...)
	out = append(out, field("work tree", t.WorkTree)...)
	out = append(out, field("started", when(t.StartedAt, now))...)
	if t.CompletedAt != nil {
		out = append(out, field("ended", when(*t.CompletedAt, now))...)
	}
	if t.HeadMoved {
		out = append(out, sheet.Field("HEAD", sheet.W(themes.Warn, "moved during the turn")))
	}
	return out
}

func when(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02 15:04:05") + ", " + view.Since(now, t)
}

func boundary(name string, b *model.Boundary) []sheet.Line {
	out := sheet.Heading(name)
	if b == nil {
		return append(out, sheet.L(sheet.W(themes.Warn, "  not captured")))
	}
	head := b.Head
	if head == "" {
		head = "no commit yet"
	}
	branch := strings.TrimPrefix(b.Branch, "refs/heads/")
	if branch == "" {
		branch = "detached"
	}
	out = append(out, sheet.Field("HEAD", sheet.W(themes.Text, head), sheet.W(themes.Muted, "  "+branch)))
	if b.Operation != "" {
		out = append(out, sheet.Field("in progress", sheet.W(themes.Warn, b.Operation)))
	}
	inv := b.Inventory
	if len(inv.Staged)+len(inv.Unstaged)+len(inv.Untracked)+len(inv.Submodules) == 0 {
		return append(out, sheet.Field("work tree", sheet.W(themes.Text, "clean")))
	}
	out = append(out, noted("staged", inv.Staged)...)
	out = append(out, noted("unstaged", inv.Unstaged)...)
	out = append(out, noted("untracked", inv.Untracked)...)
	for _, s := range inv.Submodules {
		out = append(out, sheet.Field("submodule", sheet.W(themes.Text, string(s.Path)), sheet.W(themes.Muted, "  "+s.Head)))
	}
	return out
}

func noted(name string, list []model.Noted) []sheet.Line {
	var out []sheet.Line
	for _, n := range list {
		out = append(out, sheet.Field(name, sheet.W(themes.Text, string(n.Path)), sheet.W(themes.Muted, "  "+n.Reason)))
		name = ""
	}
	return out
}

func files(t model.Turn) []sheet.Line {
	out := append(sheet.Heading("Files"), total(t)...)
	switch {
	case t.Files == nil && t.State != model.TurnOpen:
		return append(out, sheet.L(sheet.W(themes.Warn, "  no summary could be made")))
	case len(t.Files) == 0:
		return append(out, sheet.L(sheet.W(themes.Muted, "  none changed")))
	}
	for _, f := range t.Files {
		l := sheet.L(sheet.W(themes.Text, fmt.Sprintf("  %-9s", f.Change)), sheet.W(themes.Text, string(f.Path)))
		if f.Additions > 0 {
			l.Words = append(l.Words, sheet.W(themes.Plus, fmt.Sprintf(" +%d", f.Additions)))
		}
		if f.Deletions > 0 {
			l.Words = append(l.Words, sheet.W(themes.Minus, fmt.Sprintf(" −%d", f.Deletions)))
		}
		l.Words = append(l.Words, sheet.W(themes.Muted, "  "+string(f.Owner)))
		out = append(out, l)
	}
	for _, n := range t.LeftOut {
		out = append(out, sheet.L(sheet.W(themes.Warn, "  left out "), sheet.W(themes.Text, string(n.Path)), sheet.W(themes.Muted, "  "+n.Reason)))
	}
	return out
}

// total is what the files add up to.
func total(t model.Turn) []sheet.Line {
	sum := model.SumOf(t.Files)
	if sum == nil || sum.Files < 2 {
		return nil
	}
	l := sheet.Field("in all", sheet.W(themes.Text, view.Count(sum.Files, "file")))
	if sum.Additions > 0 {
		l.Words = append(l.Words, sheet.W(themes.Plus, fmt.Sprintf(" +%d", sum.Additions)))
	}
	if sum.Deletions > 0 {
		l.Words = append(l.Words, sheet.W(themes.Minus, fmt.Sprintf(" −%d", sum.Deletions)))
	}
	if sum.Uncounted > 0 {
		l.Words = append(l.Words, sheet.W(themes.Muted, "  "+view.Count(sum.Uncounted, "text")+" too long to be counted"))
	}
	return []sheet.Line{l}
}

func effects(t model.Turn, width int) []sheet.Line {
	if len(t.Effects) == 0 {
		return nil
	}
	out := sheet.Heading("Effects outside the files")
	for _, e := range model.Distinct(t.Effects) {
		word, r := "may be reversible", themes.Warn
		switch e.Reversible {
		case model.ReversibleYes:
			word, r = "reversible", themes.Good
		case model.ReversibleNo:
			word, r = "not reversible", themes.Bad
		}
		out = append(out, sheet.L(sheet.W(themes.Text, fmt.Sprintf("  %-12s ", e.Domain)), sheet.W(themes.Text, e.Summary), sheet.W(r, "  "+word)))
		if e.Compensation != "" {
			out = append(out, sheet.Fill(themes.Muted, "to make up for it: "+e.Compensation, 15, width)...)
		}
		if e.Identity != "" {
			out = append(out, sheet.Fill(themes.Muted, e.Identity, 15, width)...)
		}
	}
	if advice := model.Advice(t.Effects); advice != "" {
		out = append(out, sheet.Fill(themes.Warn, advice, 2, width)...)
	}
	return out
}
