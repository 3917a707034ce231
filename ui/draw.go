package ui

import (
	"fmt"
	"strings"

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
	if m.talk.box != nil {
		m.talk.box.Draw(all, m.st)
	}
	if m.dialog != nil {
		m.dialog.Draw(all, m.st)
	}
	return f
}

func (m *Model) stripState() timeline.State {
	s := timeline.State{Selected: m.turn, Now: m.cfg.Clock()}
	if m.over != nil {
		s.Turns, s.Older, s.AllOut = m.over.Turns, m.over.Older, m.over.AllOut
		if m.over.Others > 0 {
			s.Label = m.over.Agent + " " + view.ShortThread(m.over.Thread)
			s.Newer = m.over.Newest != "" && m.over.Newest != m.over.Thread
		}
	}
	s.Active = m.scope.OfTurns() && m.scope.Kind != model.ScopeThread
	s.From, s.To = m.rangeShown()
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
		b := title("Plan of what is staged", m.whyWords())
		if m.plan.Plan() == nil {
			m.note(b, strings.TrimSpace("Working out the plan … "+m.counted.words(jobPlan)), "Esc leaves it.")
			return
		}
		m.plan.Draw(b, m.st)
	case inResult:
		m.drawResult(title)
	case inComments:
		m.areas.body = title("Comments", "Enter goes there, Y copies all, H hands over")
		if m.talk.pane.Answer() == nil {
			m.note(m.areas.body, "Reading the comments …", "")
			return
		}
		m.talk.pane.Draw(m.areas.body, m.st)
	case inSince:
		m.since.Draw(title("Since you read it", "Esc closes"), m.st, false)
	case inHistory:
		m.areas.body = title("History", "Enter shows the patch, u undoes, U redoes")
		m.history.Draw(m.areas.body, m.st)
	case inTurns:
		b := title("Turns", "Enter looks at one, V begins a range")
		if !m.spine.list.Known() {
			m.note(b, "Reading the turns …", "")
			return
		}
		m.areas.body = b
		m.spine.list.Draw(b, m.st)
	case inFound:
		m.drawFound(title)
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
	m.drawFilesTitle(a.Sub(0, 0, a.W, 1))
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
	case m.only && m.files.File() < 0 && doc == nil && m.noneListed():
		m.note(m.areas.diff, "Nothing here is the agent's.", "A shows everybody's changes.")
	case m.burn.only && m.files.File() < 0 && doc == nil && m.noneListed():
		m.note(m.areas.diff, "Everything here is read.", "F shows it again.")
	case doc == nil && m.shown.waiting:
		m.note(m.areas.diff, "Reading …", "Esc stops it.")
	case doc == nil:
		if path, folder, files := m.files.Selection(); folder {
			hint := "Enter folds and unfolds, X stages all that the scope changed below it"
			if m.over.Others > 0 {
				hint += "; what is another thread's stays"
			}
			m.note(m.areas.diff, string(path)+"/ · "+view.Count(len(files), "file"), hint+".")
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
