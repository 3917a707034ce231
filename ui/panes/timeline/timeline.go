// Package timeline is the strip of turns: a cell for each with its badge, the
// selected one spelt out. Colour only repeats what letter and word say.
//
// Invariants: the selected turn is always on the strip; what does not fit is
// counted at the ends. A crash leaves nothing behind.
package timeline

import (
	"fmt"
	"strconv"
	"time"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

// Strip draws turns and finds the turn under the pointer.
type Strip struct {
	cells []cell
	wide  bool // room for counts and effects
}

type cell struct{ from, to, turn int }

// State is what the strip shows.
type State struct {
	Turns    []view.Turn
	Older    int    // turns before these
	Selected int    // number of the turn that is looked at, 0 when none is
	Active   bool   // the comparison is of that turn
	From, To int    // the range of turns that is compared, 0 where none is
	Label    string // whose turns they are, "" where there is one thread
	Newer    bool   // another thread has a newer turn
	AllOut   bool   // there were turns, and reverts took out all of them
	Now      time.Time
}

// Draw draws the strip into the first row of a.
func (s *Strip) Draw(a frame.Area, st *style.Table, state State) {
	s.cells = s.cells[:0]
	bar, muted := st.Of(themes.Bar), st.On(themes.Muted, style.OnBar)
	out := a.Row(0)
	label := " turns "
	if state.Label != "" && a.W >= 60 {
		label = " " + state.Label + " "
	}
	out.Text(muted, label)
	at := -1
	for i, t := range state.Turns {
		if t.Number == state.Selected {
			at = i
		}
	}
	if len(state.Turns) == 0 {
		words := "none recorded yet"
		if state.AllOut {
			words = "all taken back"
		}
		out.Text(muted, words).End(bar)
		return
	}
	s.wide = a.W >= 100
	from, to := s.window(state, at, out.Room())
	if before := state.Older + from; before > 0 {
		out.Text(muted, fmt.Sprintf("‹%d ", before))
	}
	for i := from; i < to; i++ {
		s.cell(out, st, state, i, i == at)
	}
	tail := ""
	if rest := len(state.Turns) - to; rest > 0 {
		tail = fmt.Sprintf("%d› ", rest)
	}
	if state.Newer {
		tail += "O news "
	}
	out.Right(muted, tail)
	out.End(bar)
}

// words is the text of a cell: number and letter, with the rest for the
// selected one.
func words(t view.Turn, now time.Time, wide bool) string {
	b := view.BadgeOf(t)
	s := b.Word
	if end := view.Ending(t.State); end != "" { // apart: it is no word of the prompt's
		s += " · " + end
	}
	if t.Files >= 0 {
		s += " · " + view.Count(t.Files, "file")
	}
	if t.Additions > 0 && wide {
		s += " +" + strconv.Itoa(t.Additions)
	}
	if t.Deletions > 0 && wide {
		s += " −" + strconv.Itoa(t.Deletions)
	}
	at := t.CompletedAt
	if at.IsZero() {
		at = t.StartedAt
	}
	if ago := view.Ago(now, at); ago != "" {
		s += " · " + ago
	}
	if t.Irreversible > 0 && wide {
		s += " · " + view.Count(t.Irreversible, "lasting effect")
	}
	return s
}

func small(t view.Turn) int { return len(strconv.Itoa(t.Number)) + 4 }

// window chooses the turns to show: the selected one (or the newest) in its
// full length, then neighbours while there is room, the newer ones first.
func (s *Strip) window(state State, at, room int) (from, to int) {
	room -= 10 // the counts at the ends
	if state.Newer {
		room -= len("O news ")
	}
	if at < 0 {
		at = len(state.Turns) - 1
		room -= small(state.Turns[at])
	} else {
		room -= min(frame.Width(words(state.Turns[at], state.Now, s.wide)), max(room-20, 10)) + small(state.Turns[at]) + 2 + s.prompt()
	}
	from, to = at, at+1
	for grown := true; grown; {
		grown = false
		if to < len(state.Turns) && room >= small(state.Turns[to]) {
			room -= small(state.Turns[to])
			to++
			grown = true
		}
		if from > 0 && room >= small(state.Turns[from-1]) {
			room -= small(state.Turns[from-1])
			from--
			grown = true
		}
	}
	return from, to
}

// prompt is the room that the selected turn's prompt gets.
func (s *Strip) prompt() int {
	if s.wide {
		return 28
	}
	return 16
}

func (s *Strip) cell(out *frame.Row, st *style.Table, state State, i int, selected bool) {
	t := state.Turns[i]
	b := view.BadgeOf(t)
	g := style.OnBar
	if selected {
		g = style.OnTitle
		if state.Active {
			g = style.OnTitleOn
		}
	}
	if !selected && t.Number >= state.From && t.Number <= state.To {
		g = style.OnTitle
	}
	// The ends of a range say so where colours do not.
	before, after := " ", " "
	if t.Number == state.From {
		before = "["
	}
	if t.Number == state.To {
		after = "]"
	}
	begin := out.Col()
	out.Text(st.On(themes.Text, g), before+strconv.Itoa(t.Number)+" ").Text(st.On(LevelRole(b.Level), g), b.Letter)
	if selected {
		out.Text(st.On(LevelRole(b.Level), g), " "+b.Word)
		rest := words(t, state.Now, s.wide)[len(b.Word):]
		if t.Prompt != "" {
			out.Text(st.On(themes.Text, g), " ")
			out.Cut(st.On(themes.Strong, g), t.Prompt, min(s.prompt(), max(out.Room()-frame.Width(rest)-6, 6)))
		}
		out.Text(st.On(themes.Text, g), rest)
	}
	out.Text(st.On(themes.Text, g), after)
	s.cells = append(s.cells, cell{begin, out.Col(), t.Number})
}

// LevelRole is the role that a level of attention is painted in.
func LevelRole(l view.Level) themes.Role {
	switch l {
	case view.Good:
		return themes.Good
	case view.Warn:
		return themes.Warn
	case view.Bad:
		return themes.Bad
	}
	return themes.Muted
}

// At is the turn shown at column x, 0 when there is none.
func (s *Strip) At(x int) int {
	for _, c := range s.cells {
		if x >= c.from && x < c.to {
			return c.turn
		}
	}
	return 0
}
