// Package turns is the list of turns of all threads of a work tree, the newest
// first: a row each, with its badge, its age, what it changed, whose it is, and the
// words of its prompt. It is what the strip is when there is room.
//
// Invariants: a row says by letter and word what its colour repeats; the cursor
// stays on its turn when newer ones come. A crash leaves nothing behind.
package turns

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/sheet"
	"overturn/ui/style"
	"overturn/ui/view"
)

// Pane lists turns.
type Pane struct {
	list  sheet.Sheet
	turns []view.Turn
	more  bool
	known bool
	mark  view.Turn // where a range begins; Number 0 where none does
}

// Shown is what the pane shows: the turns, the newest first, and whether there are
// older ones.
type Shown struct {
	Turns []view.Turn
	More  bool
}

// Show replaces the turns. The cursor stays on its turn; of a list that was empty it
// goes to the turn named by at.
func (p *Pane) Show(s Shown, at view.Turn, now time.Time) {
	if t, ok := p.Selected(); ok {
		at = t
	}
	before := p.index(at)
	p.turns, p.more, p.known = s.Turns, s.More, true
	p.lay(now)
	if i := p.index(at); i >= 0 && i != before {
		p.list.GoTag(i + 1)
	}
}

// Mark tells where a range begins; a turn without a number ends it.
func (p *Pane) Mark(t view.Turn, now time.Time) {
	p.mark = t
	p.lay(now)
}

func (p *Pane) lay(now time.Time) {
	r := rows{turns: p.turns, more: p.more, mark: p.mark, now: now}
	r.measure()
	p.list.Set(r.lines, nil, nil)
}

// Known tells whether there was anything to show yet.
func (p *Pane) Known() bool { return p.known }

// Sheet is what keys move.
func (p *Pane) Sheet() *sheet.Sheet { return &p.list }

func (p *Pane) index(t view.Turn) int {
	for i := range p.turns {
		if p.turns[i].Number == t.Number && p.turns[i].Thread == t.Thread {
			return i
		}
	}
	return -1
}

// Selected is the turn under the cursor.
func (p *Pane) Selected() (view.Turn, bool) {
	if tag := p.list.Tag(); tag > 0 && tag <= len(p.turns) {
		return p.turns[tag-1], true
	}
	return view.Turn{}, false
}

// OnMore tells whether the cursor is on the row that stands for older turns.
func (p *Pane) OnMore() bool { return p.more && p.list.Tag() == len(p.turns)+1 }

// Draw draws the list.
func (p *Pane) Draw(a frame.Area, st *style.Table) { p.list.Draw(a, st, true) }

// rows makes the lines of the list.
type rows struct {
	turns []view.Turn
	more  bool
	mark  view.Turn
	now   time.Time

	number, agent int // cells of the columns
	several       bool
}

func (r *rows) measure() {
	threads := map[model.ThreadID]bool{}
	for _, t := range r.turns {
		threads[t.Thread] = true
		r.number = max(r.number, len(strconv.Itoa(t.Number)))
		r.agent = max(r.agent, frame.Width(whose(t)))
	}
	r.several = len(threads) > 1
}

// roomy is the width from which on counts and the thread have columns.
const roomy = 90

func (r *rows) lines(width int) []sheet.Line {
	if len(r.turns) == 0 {
		return []sheet.Line{sheet.L(), sheet.L(sheet.W(themes.Text, "  No turn is recorded here yet."))}
	}
	out := make([]sheet.Line, 0, len(r.turns)+1)
	for i, t := range r.turns {
		l := r.line(t, width >= roomy)
		l.Tag = i + 1
		out = append(out, l)
	}
	if r.more {
		l := sheet.L(sheet.W(themes.Accent, "  … older turns: Enter lists them"))
		l.Tag = len(r.turns) + 1
		out = append(out, l)
	}
	return out
}

func (r *rows) line(t view.Turn, wide bool) sheet.Line {
	b := view.BadgeOf(t)
	mark := " "
	if r.mark.Number == t.Number && r.mark.Thread == t.Thread {
		mark = "▸"
	}
	l := sheet.L(sheet.W(themes.Accent, mark), sheet.W(themes.Text, fmt.Sprintf("%*d ", r.number, t.Number)),
		sheet.W(level(b.Level), fmt.Sprintf("%s %-8s", b.Letter, b.Word)), sheet.W(themes.Muted, fmt.Sprintf("%4s  ", ago(t, r.now))))
	if wide {
		l.Words = append(l.Words, counts(t)...)
	}
	switch {
	case r.several && wide:
		l.Words = append(l.Words, sheet.W(themes.Agent, pad(whose(t), r.agent)+"  "))
	case r.several:
		l.Words = append(l.Words, sheet.W(themes.Agent, t.Agent+"  "))
	}
	if end := view.Ending(t.State); end != "" {
		l.Words = append(l.Words, sheet.W(themes.Warn, end+"  "))
	}
	if t.Irreversible > 0 {
		l.Words = append(l.Words, sheet.W(themes.Bad, view.Count(t.Irreversible, "lasting effect")+"  "))
	}
	return sheet.Line{Words: append(l.Words, sheet.W(themes.Strong, prompt(t)))}
}

// counts is what a turn changed, in columns.
func counts(t view.Turn) []sheet.Word {
	const files, lines = 11, 8
	if t.Files < 0 || t.State == model.TurnOpen {
		return []sheet.Word{sheet.W(themes.Muted, strings.Repeat(" ", files+2*lines))}
	}
	sign := func(mark string, n int) string {
		if n == 0 {
			return pad("", lines)
		}
		return pad(mark+strconv.Itoa(n), lines)
	}
	return []sheet.Word{sheet.W(themes.Text, pad(view.Count(t.Files, "file"), files)),
		sheet.W(themes.Plus, sign("+", t.Additions)), sheet.W(themes.Minus, sign("−", t.Deletions))}
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-frame.Width(s), 0))
}

// whose names the thread of a turn: its agent, and the beginning of its id.
func whose(t view.Turn) string { return t.Agent + " " + view.ShortThread(t.Thread) }

// prompt is the first line of what was asked for.
func prompt(t view.Turn) string {
	first, _, _ := strings.Cut(strings.TrimSpace(t.Prompt), "\n")
	return first
}

func ago(t view.Turn, now time.Time) string {
	if t.CompletedAt.IsZero() {
		return view.Ago(now, t.StartedAt)
	}
	return view.Ago(now, t.CompletedAt)
}

func level(l view.Level) themes.Role {
	return map[view.Level]themes.Role{view.Good: themes.Good, view.Warn: themes.Warn, view.Bad: themes.Bad, view.Calm: themes.Muted}[l]
}
