package ui

import (
	"fmt"
	"path/filepath"
	"strings"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

// drawHeader draws where we are and the four modes.
func (m *Model) drawHeader(a frame.Area) {
	bar, muted := m.st.Of(themes.Bar), m.st.On(themes.Muted, style.OnBar)
	out := a.Row(0)
	head, tail, modes, room := m.header(a.W)
	out.Text(m.st.On(themes.Accent, style.OnBar), head)
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
		out.Text(m.st.On(themes.BarKey, g), " "+b.key).Text(m.st.On(role, g), " "+b.words())
		m.areas.modes = append(m.areas.modes, mode{from, out.Col(), b.scope})
	}
	role := themes.Staged
	if m.over != nil && m.over.Interrupted != nil {
		role = themes.Bad
	}
	out.Right(m.st.On(role, style.OnBar), tail).End(bar)
}

// header is what of the header fits into width cells, and the room it leaves. Which mode
// is on, and what must not be overlooked, are there however narrow the screen is: the
// words of the other modes go first, then those of the alarm, our own name last.
func (m *Model) header(width int) (head, tail string, modes []tab, room int) {
	head, tail, modes = " overturn ", m.alarm(), m.modes()
	for shorter := 0; ; shorter++ {
		room = width - frame.Width(head) - frame.Width(tail) - 1
		for _, b := range modes {
			room -= frame.Width(b.words()) + 3
		}
		if room >= 0 || shorter == 3 {
			return head, tail, modes, room
		}
		switch shorter {
		case 0:
			for i := range modes {
				if !modes[i].active {
					modes[i].text = ""
				}
			}
		case 1:
			tail = strings.Replace(tail, " staged", "", 1)
		case 2:
			head = ""
		}
	}
}

type tab struct {
	key, text string
	scope     model.ScopeKind
	active    bool
}

// words are what stands behind the key.
func (t tab) words() string {
	if t.text == "" {
		return ""
	}
	return t.text + " "
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
