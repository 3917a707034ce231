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
		list[3] = tab{"4", m.scope.String(), model.ScopeTurn, true}
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
	case len(m.over.Staged) > 0:
		return fmt.Sprintf("● %d staged ", len(m.over.Staged))
	}
	return ""
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
	diff  bool
	width int
	keys  string
}

func (b *bar) text(m *Model, width int) string {
	now := bar{m.st, m.where, m.inDiff, width, b.keys}
	if now != *b {
		now.keys = help.Short(m.keys, m.st, width, m.hints()...)
		*b = now
	}
	return b.keys
}

func (m *Model) statusText() (string, themes.Role) {
	switch {
	case m.writing != "" && m.of > 0:
		return fmt.Sprintf("%s: %d of %d paths", m.writing, m.done, m.of), themes.Accent
	case m.writing != "" && m.message.text == "":
		return m.writing + " …", themes.Accent
	case m.message.text != "":
		return m.message.text, map[view.Level]themes.Role{view.Calm: themes.Text, view.Good: themes.Good, view.Warn: themes.Warn, view.Bad: themes.Bad}[m.message.level]
	case m.where == inPlan && m.plan.Plan() != nil && len(m.plan.Plan().Targets) > 0:
		return effectsWord(m.plan.Plan()), themes.Muted
	case m.where != inReview || m.cmp == nil:
		return "", themes.Muted
	case m.diff.Ranged():
		return "range: x stages its changed lines", themes.Accent
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
		return []keymap.Intent{keymap.Confirm, keymap.Drop, keymap.Back}
	case inHistory:
		return []keymap.Intent{keymap.Undo, keymap.Redo, keymap.Back}
	case inCard, inHelp:
		return []keymap.Intent{keymap.Back}
	}
	if m.inDiff {
		return []keymap.Intent{keymap.Stage, keymap.Plan, keymap.HunkNext, keymap.StageFile, keymap.Split, keymap.Help}
	}
	return []keymap.Intent{keymap.StageFile, keymap.Plan, keymap.Open, keymap.Card, keymap.Help}
}

// nothing says why there is nothing to review, and what to do; "" when there is.
func (m *Model) nothing() (text, hint string) {
	switch {
	case m.over == nil && m.overErr != nil:
		return sentence(m.overErr), model.HintOf(m.overErr)
	case m.over == nil:
		return "Reading the repository …", ""
	case m.scope.OfTurns() && len(m.over.Turns) == 0:
		return "No turn is recorded here yet.", m.firstSteps()
	case m.cmpErr != nil && m.cmp == nil && m.scope.Kind == model.ScopeBranch:
		return sentence(m.cmpErr), "B names a base. 1 working tree, 3 latest turn."
	case m.cmpErr != nil && m.cmp == nil:
		return sentence(m.cmpErr), model.HintOf(m.cmpErr)
	case m.cmp == nil:
		return "Comparing …", ""
	case len(m.cmp.Files) == 0 && len(m.cmp.LeftOut) == 0:
		return m.noFiles()
	}
	return "", ""
}

// sentence is an error as a sentence of its own.
func sentence(err error) string {
	s := err.Error()
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		s = string(s[0]-'a'+'A') + s[1:]
	}
	return s + "."
}

// noFiles says that nothing differs, and where to look instead.
func (m *Model) noFiles() (text, hint string) {
	text = "Nothing differs: " + m.cmp.Base + " → " + m.cmp.Target + "."
	if t, ok := m.selected(); ok && m.scope.OfTurns() && t.Status != model.StatusReady && t.State != model.TurnOpen {
		return text, "The checkpoint of this turn is " + view.BadgeOf(t).Word + ": files may have changed all the same. i tells why."
	}
	if len(m.over.Turns) == 0 {
		return text, m.firstSteps()
	}
	return text, "1 working tree, 2 branch, 3 latest turn, ( ) other turns."
}

func (m *Model) selected() (view.Turn, bool) {
	for _, t := range m.over.Turns {
		if t.Number == m.turn {
			return t, true
		}
	}
	return view.Turn{}, false
}

// firstSteps says how the first turn gets recorded.
func (m *Model) firstSteps() string {
	var on, off []string
	for _, h := range m.over.Hooks {
		if h.Installed {
			on = append(on, h.Agent)
		} else {
			off = append(off, h.Agent)
		}
	}
	switch {
	case len(on) > 0:
		return "The hooks of " + strings.Join(on, ", ") + " are in place: the next prompt given to it here is recorded. 1 shows the working tree."
	case len(off) > 0:
		return "No hook is installed. `overturn enable " + off[0] + "` puts it in place; then each prompt is recorded. 1 shows the working tree."
	}
	return "No agent was found. `overturn enable` says which are known; `overturn run -- COMMAND` records a command as a turn. 1 shows the working tree."
}

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
