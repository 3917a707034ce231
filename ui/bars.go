package ui

import (
	"fmt"
	"path/filepath"
	"strings"

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

// drawHeader draws where we are and the four modes.
func (m *Model) drawHeader(a frame.Area) {
	bar, muted := m.st.Of(themes.Bar), m.st.On(themes.Muted, style.OnBar)
	out := a.Row(0)
	out.Text(m.st.On(themes.Accent, style.OnBar), " overturn ")
	tail := m.alarm()
	modes := m.modes()
	room := a.W - out.Col() - frame.Width(tail) - 1
	for _, b := range modes {
		room -= frame.Width(b.text) + 3
	}
	if m.over != nil && room > 8 {
		name := filepath.Base(m.over.Root)
		if m.over.WorkTree != "" && m.over.WorkTree != "main" {
			name += "@" + m.over.WorkTree
		}
		branch := m.over.Branch
		switch {
		case branch == "" && len(m.over.Head) >= 7:
			branch = "at " + m.over.Head[:7]
		case branch == "":
			branch = "detached"
		}
		if m.over.Operation != "" {
			branch += " (" + m.over.Operation + ")"
		}
		out.Cut(m.st.On(themes.Strong, style.OnBar), name, room/2)
		out.Cut(muted, " "+branch+" ", max(room-out.Col()+10, 0))
	}
	out.Text(bar, " ")
	for _, b := range modes {
		g := style.OnBar
		if b.active {
			g = style.OnTitleOn
		}
		from, role := out.Col(), themes.Text
		if b.active {
			role = themes.Strong
		}
		out.Text(m.st.On(themes.BarKey, g), " "+b.key).Text(m.st.On(role, g), " "+b.text+" ")
		m.areas.modes = append(m.areas.modes, mode{from, out.Col(), b.scope})
	}
	role := themes.Staged
	if m.over != nil && m.over.Interrupted != nil {
		role = themes.Bad
	}
	out.Right(m.st.On(role, style.OnBar), tail).End(bar)
}

type tab struct {
	key, text string
	scope     model.ScopeKind
	active    bool
}

// modes are the four comparisons, in short words where the screen is narrow.
func (m *Model) modes() []tab {
	words := []string{"Working tree", "Branch", "Latest turn", "Turn"}
	if m.w < 100 {
		words = []string{"Working", "Branch", "Latest", "Turn"}
	}
	if n := m.pickedTurn(); n > 0 {
		words[3] = fmt.Sprintf("Turn %d", n)
	}
	kinds := []model.ScopeKind{model.ScopeWorking, model.ScopeBranch, model.ScopeLatest, model.ScopeTurn}
	list := make([]tab, 4)
	for i, k := range kinds {
		list[i] = tab{fmt.Sprint(i + 1), words[i], k, m.scope.Kind == k}
	}
	if k := m.scope.Kind; k == model.ScopeRange || k == model.ScopeThread {
		words := view.ScopeWords(m.scope)
		list[3] = tab{"4", strings.ToUpper(words[:1]) + words[1:], model.ScopeTurn, true}
	}
	return list
}

// alarm is what must not be overlooked, at the right of the header.
func (m *Model) alarm() string {
	switch {
	case m.over == nil:
		return ""
	case m.over.Interrupted != nil:
		return "interrupted rollback "
	case m.over.Damage != "":
		return "damaged "
	}
	s := ""
	if m.spine.news > 0 {
		s = view.Count(m.spine.news, "new turn") + " "
	}
	if w := m.over.Queued; w != nil {
		s += "waits for " + w.For + " "
	}
	if a := m.talk.pane.Answer(); a != nil && a.Waiting != nil {
		s += "◆ to be told "
	}
	if n := len(m.over.Staged); n > 0 {
		s += fmt.Sprintf("● %d staged ", n)
	}
	return s
}

// drawStatus draws the message, else what is compared; and the keys that help
// here.
func (m *Model) drawStatus(a frame.Area) {
	bar := m.st.Of(themes.Bar)
	out := a.Row(0)
	text, role := m.statusText()
	keys := ""
	if m.message.text == "" && m.writing == "" && a.W >= 60 {
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
		return effectsWord(m.plan.Plan()), themes.Muted
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
		s += fmt.Sprintf(" · file %d/%d", at, of)
	}
	if m.cmp.Note != "" {
		s += " · " + m.cmp.Note
	}
	return s, themes.Muted
}

// effectsWord says whether what the scope did outside the files could be taken back.
func effectsWord(p *model.Plan) string {
	if len(p.Effects) == 0 {
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
