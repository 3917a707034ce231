package ui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/kept"
	"overturn/ui/panes/diff"
	"overturn/ui/trail"
	"overturn/ui/view"
)

// Keeper remembers how a review was left.
type Keeper interface {
	// Kept is what the review before this one left in the work tree; the zero State where
	// there is none, or none that can be read. Keep leaves it for the next. Both are
	// called outside of the event loop, before it begins and after it has ended.
	Kept(ctx context.Context) kept.State
	Keep(ctx context.Context, s kept.State) error
}

// memory is where the user was: in each scope, before each jump, and in the review before
// this one.
type memory struct {
	state kept.State // as it was left, with the spots of this review
	trail trail.Trail[visit]
	goal  *visit // to go to once its comparison is there
}

// visit is a place to come back to.
type visit struct {
	kept.Spot
	inDiff bool
}

// takeKept takes over what the review before left. Its scope is not forced: a jump back
// leads there.
func (m *Model) takeKept(s kept.State) {
	m.memory.state = s
	m.exact = s.Exact
	m.files.SetShape(s.List, s.Folded)
	m.diff.Choose(diff.Choices{Split: s.Split, Wrap: s.Wrap, Context: s.Context})
	if s.Last != nil {
		m.memory.trail.Leave(visit{Spot: *s.Last})
	}
}

// Kept is what this review leaves for the next one, once its loop has ended.
func (m *Model) Kept() kept.State {
	m.remember()
	s := m.memory.state
	if h, ok := m.here(); ok && h.Path != "" {
		s.Last = &h.Spot
	}
	c := m.diff.Choices()
	s.Split, s.Wrap, s.Context, s.Exact = c.Split, c.Wrap, c.Context, m.exact
	s.List, s.Folded = m.files.Shape()
	return s
}

// here is the place that is looked at, if a comparison is on the screen.
func (m *Model) here() (visit, bool) {
	if m.cmp == nil {
		return visit{}, false
	}
	v := visit{inDiff: m.inDiff}
	v.Scope, v.Thread = m.scopeShown()
	v.Path, v.Folder, _ = m.files.Selection()
	if doc := m.diff.Document(); doc != nil && !m.shown.waiting && doc.File.Path == v.Path {
		if line, old, head, ok := m.diff.Place(); ok {
			v.Key, v.Line, v.Old, v.Head = doc.File.Key, line+1, old, head
		}
	}
	return v, true
}

// scopeShown names the comparison on the screen: latest is its turn.
func (m *Model) scopeShown() (string, model.ThreadID) {
	s := m.cmp.Scope
	if !s.OfTurns() {
		return s.String(), ""
	}
	return s.String(), m.thread(s)
}

// remember keeps where the cursor stands in this scope.
func (m *Model) remember() {
	if h, ok := m.here(); ok && h.Path != "" {
		m.memory.state.Put(h.Spot)
	}
}

// goOnTo puts the cursor where it is to be in a comparison that has just come: where a
// jump leads, else where it stood before. False is that neither is known.
func (m *Model) goOnTo() (tea.Cmd, bool) {
	scope, thread := m.scopeShown()
	v := m.memory.goal
	m.memory.goal = nil
	if v != nil && v.Scope == scope && v.Thread == thread {
		return m.land(*v), true
	}
	s, ok := m.memory.state.At(scope, thread)
	if !ok || m.talk.goal != nil || !m.files.Find(s.Path, s.Folder) {
		return nil, false
	}
	cmd := m.open(0)
	m.aim(s)
	return tea.Batch(cmd, m.summaries()), true
}

// aim goes to the line of a spot as soon as its file is on the screen, where it is still
// the contents that the line is one of.
func (m *Model) aim(s kept.Spot) {
	i := m.files.File()
	if i < 0 || s.Line == 0 || m.cmp.Files[i].Path != s.Path || m.cmp.Files[i].Key != s.Key {
		return
	}
	m.shown.goal = &spot{line: s.Line - 1, old: s.Old, head: s.Head}
	if !m.shown.waiting {
		m.arrive()
	}
}

// land shows a place of the comparison on the screen.
func (m *Model) land(v visit) tea.Cmd {
	index := slices.IndexFunc(m.cmp.Files, func(f view.File) bool { return f.Path == v.Path })
	switch {
	case v.Folder:
		m.files.Find(v.Path, true)
	case index >= 0:
		m.listFor(index)
		m.files.Select(index)
		m.inDiff = v.inDiff
	case v.Path != "":
		m.say(string(v.Path) + " does not differ any more")
	}
	if index < 0 {
		m.inDiff = false
	}
	cmd := m.open(0)
	m.aim(v.Spot)
	return tea.Batch(cmd, m.summaries())
}
