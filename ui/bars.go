package ui

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/keymap"
	"overturn/ui/panes/help"
	"overturn/ui/sheet"
	"overturn/ui/style"
	"overturn/ui/view"
)

// drawStatus draws the message, else what is compared; and the keys that help
// here.
func (m *Model) drawStatus(a frame.Area) {
	bar := m.st.Of(themes.Bar)
	out := a.Row(0)
	text, role := m.statusText()
	keys := ""
	if m.message.text == "" && m.writing == "" {
		room := a.W - frame.Width(text) - 4
		keys = m.keysBar.text(m, min(room, 72))
	}
	out.Text(m.st.On(role, style.OnBar), " "+text)
	if keys != "" {
		if w := ansi.StringWidth(keys); w+2 < out.Room() {
			out.To(bar, a.W-w-1)
			out.Styled(bar, keys)
		}
	}
	out.End(bar)
}

// longest is the rows that a message may take; a trace is longer than what helps.
const longest = 6

// drawLong draws a message that one row does not hold above the status row: the
// next step stands at its end.
func (m *Model) drawLong(all frame.Area) {
	text, role := m.statusText()
	if m.message.text == "" || frame.Width(text)+2 <= all.W {
		return
	}
	lines := wrapNote(text, all.W-1)
	n := min(len(lines), longest, all.H)
	box := all.Sub(0, all.H-n, all.W, n).Overlay()
	for y := range n {
		box.Row(y).Text(m.st.On(role, style.OnBar), " "+lines[y]).End(m.st.Of(themes.Bar))
	}
}

// bar keeps the keys of the status row: they are the same from frame to frame.
type bar struct {
	st    *style.Table
	where place
	diff  bool // it has a text, and the focus
	width int
	keys  string
}

func (b *bar) text(m *Model, width int) string {
	now := bar{m.st, m.where, m.onText(), width, b.keys}
	if now != *b {
		now.keys = help.Short(m.keys, m.st, width, m.hints()...)
		*b = now
	}
	return b.keys
}

func (m *Model) statusText() (string, themes.Role) {
	switch {
	case m.writing != "" && m.stopping:
		return "stopping the " + m.writing + ": what was written is put back …", themes.Warn
	case m.writing != "" && m.of > 0:
		return fmt.Sprintf("%s: %d of %d paths · Esc stops it and puts back what was written", m.writing, m.done, m.of), themes.Accent
	case m.jobs.Running(jobStage) && m.counted.words(jobStage) != "":
		return "staging: " + m.counted.words(jobStage) + " · Esc stops it", themes.Accent
	case m.writing != "" && m.message.text == "":
		return m.writing + " …", themes.Accent
	case m.message.text != "":
		return m.message.text, map[view.Level]themes.Role{view.Calm: themes.Text, view.Good: themes.Good, view.Warn: themes.Warn, view.Bad: themes.Bad}[m.message.level]
	case m.where == inPlan && m.plan.Plan() != nil && len(m.plan.Plan().Targets) > 0:
		return effectsWord(m.plan.Plan(), m.tight()), themes.Muted
	case m.where != inReview || m.cmp == nil:
		return "", themes.Muted
	case m.inDiff && m.wroteWords() != "":
		return m.wroteWords(), themes.Muted
	case m.diff.Ranged():
		return "range: x stages its changed lines, c comments on it, y copies it", themes.Accent
	case m.inDiff && m.remarkWords() != "":
		return m.remarkWords(), themes.Accent
	}
	s := m.cmp.Base + " → " + m.cmp.Target
	if at, of := m.files.Position(); of > 1 {
		place := fmt.Sprintf("file %d/%d", at, of)
		if m.tight() {
			s = place
		} else {
			s += " · " + place
		}
	}
	if m.cmp.Note != "" {
		s += " · " + m.cmp.Note
	}
	return s, themes.Muted
}

// tight tells that the status row has no room for what the header says already: the keys
// that help go before it.
func (m *Model) tight() bool { return m.w < 60 }

// effectsWord says whether what the scope did outside the files could be taken back.
func effectsWord(p *model.Plan, tight bool) string {
	switch {
	case tight && len(p.Effects) == 0:
		return ""
	case tight:
		return "effects, reversible: " + string(p.Reversible)
	case len(p.Effects) == 0:
		return "no effects outside the files are known"
	}
	return "effects outside the files, reversible: " + string(p.Reversible)
}

// hints are the keys worth showing where we are, the most needed first; the last
// is shown whatever room there is.
func (m *Model) hints() []keymap.Intent {
	switch m.where {
	case inPlan:
		return []keymap.Intent{keymap.Confirm, keymap.Open, keymap.Drop, keymap.Discard, keymap.Why, keymap.Back}
	case inResult:
		return []keymap.Intent{keymap.HunkNext, keymap.Split, keymap.Back}
	case inHistory:
		return []keymap.Intent{keymap.Undo, keymap.Redo, keymap.Back}
	case inFound:
		return []keymap.Intent{keymap.Open, keymap.SearchAll, keymap.Back}
	case inTurns:
		return []keymap.Intent{keymap.Open, keymap.TurnRange, keymap.Back}
	case inComments:
		return []keymap.Intent{keymap.Open, keymap.HandOver, keymap.CopyPrompt, keymap.Rewrite, keymap.Remove, keymap.Back}
	case inHelp:
		return []keymap.Intent{keymap.HelpSearch, keymap.Back}
	case inCard:
		return []keymap.Intent{keymap.Back}
	}
	if m.onText() {
		return []keymap.Intent{keymap.Stage, keymap.Plan, keymap.HunkNext, keymap.StageFile, keymap.Comment, keymap.Split, keymap.Help}
	}
	return []keymap.Intent{keymap.StageFile, keymap.Plan, keymap.Open, keymap.Card, keymap.Help}
}

// onText tells whether the focus is on the text of a file: beside a folder there is none.
func (m *Model) onText() bool { return m.inDiff && m.diff.Document() != nil }

// wrapNote breaks a sentence into lines of width cells.
func wrapNote(text string, width int) []string {
	var out []string
	for _, l := range sheet.Fill(themes.Text, text, 0, width) {
		s := ""
		for _, w := range l.Words {
			s += w.Text
		}
		out = append(out, s)
	}
	return out
}
