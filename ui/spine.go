package ui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/panes/turns"
	"overturn/ui/view"
)

// spine is what the review knows of turns beyond the one it shows.
type spine struct {
	thread model.ThreadID // whose turns are shown; "" is the thread with the newest turn
	anchor int            // the turn at the other end of a range, 0 where none is chosen
	news   int            // turns that ended while another was looked at
	list   turns.Pane     // of all threads
	depth  int            // how many turns it lists
	turned bool           // another thread was chosen, and is being read
	wrote  map[wroteKey]*view.Origins
}

// newestEnded is the newest turn that is not open: what `latest` means.
func (m *Model) newestEnded() int {
	if m.over == nil {
		return 0
	}
	for _, t := range slices.Backward(m.over.Turns) {
		if t.State != model.TurnOpen {
			return t.Number
		}
	}
	return m.newest()
}

// running tells whether the turn that is looked at is open.
func (m *Model) running() bool {
	t, ok := turnOf(m.over, m.turn)
	return ok && t.State == model.TurnOpen && (m.scope.Kind == model.ScopeTurn || m.scope.Kind == model.ScopeRange)
}

// toggleRange begins a range at the turn that is looked at, or ends it: then that
// turn alone is looked at again.
func (m *Model) toggleRange() tea.Cmd {
	if m.where == inTurns {
		return m.markTurn()
	}
	if m.spine.anchor > 0 {
		m.spine.anchor = 0
		m.say("one turn")
		return m.compareTurns()
	}
	if m.turn == 0 {
		m.say("no turn to begin a range at")
		return nil
	}
	m.spine.anchor = m.turn
	cmd := m.compareTurns()
	m.say(fmt.Sprintf("range from turn %d: ( and ) choose its other end, V ends it", m.turn))
	return cmd
}

// compareTurns compares the turn that is looked at, or the range up to it.
func (m *Model) compareTurns() tea.Cmd {
	s := model.Scope{Kind: model.ScopeTurn, Turn: m.turn}
	anchor := m.spine.anchor
	if anchor > 0 && anchor != m.turn {
		s = model.Scope{Kind: model.ScopeRange, From: min(anchor, m.turn) - 1, To: max(anchor, m.turn)}
	}
	cmd := m.compare(s)
	m.spine.anchor = anchor // compare ends a range: whatever else is looked at is none
	return cmd
}

// rangeShown is the first and the last turn of the range on the screen, 0 where none
// is.
func (m *Model) rangeShown() (from, to int) {
	if m.scope.Kind == model.ScopeRange {
		return m.scope.From + 1, m.scope.To
	}
	if m.spine.anchor > 0 && m.scope.Kind == model.ScopeTurn {
		return m.turn, m.turn
	}
	return 0, 0
}

// follow tells of what became of turns since the overview before, and whether the
// comparison on the screen is of them. It counts what ended out of sight.
func (m *Model) follow(before *view.Overview) {
	var ended []view.Turn
	for _, t := range m.over.Turns {
		old, known := turnOf(before, t.Number)
		switch {
		case t.State == model.TurnOpen && !known && t.Number > lastOf(before):
			m.tell(fmt.Sprintf("turn %d runs", t.Number))
		case t.State != model.TurnOpen && (known && old.State == model.TurnOpen || !known && t.Number > lastOf(before)):
			ended = append(ended, t)
		}
	}
	if len(ended) == 0 {
		return
	}
	m.tell(endedWords(ended))
	for _, t := range ended {
		if m.scope.Kind != model.ScopeLatest && t.Number != m.turn {
			m.spine.news++
		}
	}
}

// tell says news, unless something is on the screen that stays until Esc.
func (m *Model) tell(text string) {
	if !m.message.stays {
		m.say(text)
	}
}

// endedWords says what turns that have ended changed.
func endedWords(ended []view.Turn) string {
	last := ended[len(ended)-1]
	s := fmt.Sprintf("turn %d ended", last.Number)
	if len(ended) > 1 {
		s = fmt.Sprintf("%s ended, the last is turn %d", view.Count(len(ended), "turn"), last.Number)
	}
	if last.Files < 0 {
		return s + ", " + view.BadgeOf(last).Word
	}
	s += ": " + view.Count(last.Files, "file")
	if last.Additions > 0 {
		s += fmt.Sprintf(" +%d", last.Additions)
	}
	if last.Deletions > 0 {
		s += fmt.Sprintf(" −%d", last.Deletions)
	}
	return s
}

func turnOf(o *view.Overview, number int) (view.Turn, bool) {
	for _, t := range o.Turns {
		if t.Number == number {
			return t, true
		}
	}
	return view.Turn{}, false
}

func lastOf(o *view.Overview) int {
	if len(o.Turns) == 0 {
		return 0
	}
	return o.Turns[len(o.Turns)-1].Number
}
