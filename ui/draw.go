package ui

import (
	"fmt"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/panes/timeline"
	"overturn/ui/style"
	"overturn/ui/view"
)

// narrowest is the width below which files and diff take turns.
const narrowest = 72

// draw makes the picture: header, turns, body, status, and what lies above them.
func (m *Model) draw() *frame.Frame {
	f := frame.New(m.w, m.h)
	all := f.All()
	top, bottom := 0, m.h
	m.areas = areas{}
	if m.h >= 4 {
		m.areas.header = all.Sub(0, 0, m.w, 1)
		m.drawHeader(m.areas.header)
		top = 1
	}
	if m.h >= 8 {
		m.areas.strip = all.Sub(0, 1, m.w, 1)
		m.strip.Draw(m.areas.strip, m.st, m.stripState())
		top = 2
	}
	if m.h >= 2 {
		bottom--
		m.areas.status = all.Sub(0, bottom, m.w, 1)
	}
	m.areas.body = all.Sub(0, top, m.w, bottom-top)
	m.drawBody(m.areas.body)
	if m.h >= 2 {
		m.drawStatus(m.areas.status)
		m.drawLong(all)
	}
	if m.prompt != nil {
		m.prompt.Draw(all, m.st)
	}
	if m.dialog != nil {
		m.dialog.Draw(all, m.st)
	}
	return f
}

func (m *Model) stripState() timeline.State {
	s := timeline.State{Selected: m.turn, Now: m.cfg.Clock()}
	if m.over != nil {
		s.Turns, s.Older = m.over.Turns, m.over.Older
	}
	s.Active = m.scope.OfTurns() && m.scope.Kind != model.ScopeRange && m.scope.Kind != model.ScopeThread
	return s
}

func (m *Model) drawBody(a frame.Area) {
	title := func(text, right string) frame.Area {
		out := a.Row(0)
		g := m.st.Of(themes.TitleOn)
		out.Text(g, " "+text).Right(g, right+" ").End(g)
		return a.Sub(0, 1, a.W, a.H-1)
	}
	if a.H <= 1 && m.where != inReview {
		a.Blank(0, m.st.Of(themes.Text))
		return
	}
	switch m.where {
	case inHelp:
		m.help.Draw(title("Help", "Esc closes"), m.st, m.keys)
	case inPlan:
		b := title("Plan of what is staged", "")
		if m.plan.Plan() == nil {
			m.note(b, "Working out the plan …", "")
			return
		}
		m.plan.Draw(b, m.st)
	case inHistory:
		m.areas.body = title("History", "Enter shows the patch, u undoes, U redoes")
		m.history.Draw(m.areas.body, m.st)
	case inCard:
		b := title(fmt.Sprintf("Checkpoint of turn %d", m.turn), "( ) other turns")
		if c := m.card.Card(); c == nil || c.Turn.Number != m.turn {
			m.note(b, "Reading the checkpoint …", "")
			return
		}
		m.card.Draw(b, m.st, false)
	default:
		m.drawReview(a)
	}
	if m.where == inPlan {
		m.areas.body = a.Sub(0, 1, a.W, a.H-1)
	}
}

// drawReview draws files and diff, beside each other where there is room.
func (m *Model) drawReview(a frame.Area) {
	if text, hint := m.nothing(); text != "" {
		m.note(a, text, hint)
		return
	}
	if a.W < narrowest {
		if m.inDiff {
			m.drawDiff(a)
		} else {
			m.drawFiles(a)
		}
		return
	}
	w := min(max(a.W*27/100, 26), 48)
	m.drawFiles(a.Sub(0, 0, w, a.H))
	a.Sub(w, 0, 1, a.H).Rule(m.st.Of(themes.Rule), "│")
	m.drawDiff(a.Sub(w+1, 0, a.W-w-1, a.H))
}

// titleGround is the ground of a pane's title.
func (m *Model) titleGround(focus bool) style.Ground {
	if focus {
		return style.OnTitleOn
	}
	return style.OnTitle
}

func (m *Model) drawFiles(a frame.Area) {
	g := m.titleGround(!m.inDiff)
	base := m.st.On(themes.Text, g)
	out := a.Row(0)
	out.Text(base, " "+view.Count(len(m.cmp.Files), "file"))
	if t := m.sum; t.adds+t.dels > 0 {
		out.Text(m.st.On(themes.Plus, g), fmt.Sprintf("  +%d", t.adds)).Text(m.st.On(themes.Minus, g), fmt.Sprintf(" −%d", t.dels))
		if !t.sure {
			out.Text(m.st.On(themes.Muted, g), " …")
		}
	}
	if n := len(m.cmp.LeftOut); n > 0 {
		out.Right(m.st.On(themes.Warn, g), fmt.Sprintf("%d left out ", n))
	}
	out.End(base)
	m.areas.files = a.Sub(0, 1, a.W, a.H-1)
	m.files.Draw(m.areas.files, m.st, !m.inDiff)
}

func (m *Model) drawDiff(a frame.Area) {
	m.drawDiffTitle(a.Sub(0, 0, a.W, 1))
	m.areas.diff = a.Sub(0, 1, a.W, a.H-1)
	doc := m.diff.Document()
	switch {
	case m.shown.err != nil:
		m.note(m.areas.diff, m.shown.err.Error(), model.HintOf(m.shown.err))
	case len(m.cmp.Files) == 0:
		text, hint := m.noFiles()
		m.note(m.areas.diff, text, hint)
	case doc == nil && m.shown.waiting:
		m.note(m.areas.diff, "Reading …", "")
	case doc == nil:
		if path, folder, files := m.files.Selection(); folder {
			m.note(m.areas.diff, string(path)+"/ · "+view.Count(len(files), "file"), "Enter folds and unfolds, X stages all that the scope changed below it.")
			return
		}
		m.note(m.areas.diff, "", "")
	case len(doc.Hunks) == 0 && len(doc.Header) == 0 && doc.HiddenSpace > 0:
		m.note(m.areas.diff, "Only whitespace differs, in "+view.Count(doc.HiddenSpace, "hunk")+".", "W shows it.")
	case len(doc.Hunks) == 0 && len(doc.Header) == 0:
		m.note(m.areas.diff, "The contents are the same.", "")
	default:
		m.diff.Draw(m.areas.diff, m.st, m.inDiff)
	}
}

func (m *Model) drawDiffTitle(a frame.Area) {
	g := m.titleGround(m.inDiff)
	base, muted := m.st.On(themes.Text, g), m.st.On(themes.Muted, g)
	out := a.Row(0)
	doc := m.diff.Document()
	if m.shown.index < 0 && doc == nil || m.shown.path == "" {
		out.End(base)
		return
	}
	tail := ""
	if at, of := m.diff.Position(); of > 0 && !m.shown.waiting {
		tail = fmt.Sprintf("hunk %d/%d ", at, of)
		if doc.HiddenSpace > 0 {
			tail = fmt.Sprintf("%d whitespace hidden · ", doc.HiddenSpace) + tail
		}
	}
	word := m.fileWords()
	room := out.Room() - frame.Width(tail) - 2
	out.Text(base, " ")
	if m.shown.waiting {
		out.Text(muted, "reading ")
	}
	out.CutLeft(base, string(m.shown.path), max(room, 10))
	if out.Room() > frame.Width(word)+frame.Width(tail)+4 {
		out.Text(muted, "  "+word)
	}
	out.Right(muted, tail).End(base)
}

// fileWords says in words what the list says in letters.
func (m *Model) fileWords() string {
	if m.cmp == nil || m.shown.index < 0 || m.shown.index >= len(m.cmp.Files) {
		return ""
	}
	f := m.cmp.Files[m.shown.index]
	s := string(f.Change)
	if f.Change == model.ModeOnly {
		s = "permissions"
	}
	if f.OldPath != "" {
		s += " from " + string(f.OldPath)
	}
	if f.Owner != "" {
		s += " · " + string(f.Owner)
	}
	switch {
	case f.Committed && f.Uncommitted:
		s += " · committed and uncommitted"
	case f.Committed:
		s += " · committed"
	case f.Uncommitted:
		s += " · uncommitted"
	}
	if staged, ok := m.stagedPath(f.Path); ok {
		s += " · staged"
		if !staged.Of(m.cmp.Scope) {
			s += " from " + staged.Scope
		} else if n := len(staged.Hunks); n > 0 {
			s += " " + view.Count(n, "hunk")
		}
	}
	return s
}

// note fills an area with a sentence and what to do.
func (m *Model) note(a frame.Area, text, hint string) {
	style, muted := m.st.Of(themes.Text), m.st.Of(themes.Muted)
	lines := wrapNote(text, a.W-4)
	hints := wrapNote(hint, a.W-4)
	y := max(min((a.H-len(lines)-len(hints)-1)/3, 6), 0)
	for i := range y {
		a.Row(i).End(style)
	}
	for _, l := range lines {
		if y < a.H {
			a.Row(y).Text(style, "  "+l).End(style)
			y++
		}
	}
	if y < a.H && len(lines) > 0 && len(hints) > 0 {
		a.Row(y).End(style)
		y++
	}
	for _, l := range hints {
		if y < a.H {
			a.Row(y).Text(muted, "  "+l).End(style)
			y++
		}
	}
	a.Blank(y, style)
}
