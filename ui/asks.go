package ui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
	"overturn/ui/view"
)

// The keys of the jobs: one of each runs at a time.
const (
	jobOverview  = "overview"
	jobCompare   = "compare"
	jobDocument  = "document"
	jobSummaries = "summaries"
	jobCard      = "card"
	jobStage     = "stage"
	jobPlan      = "plan"
	jobHistory   = "history"
	jobUndo      = "undo"
	jobRevert    = "revert"
	jobPatch     = "patch"
	jobSearch    = "search"
	jobFind      = "find"
	jobMoves     = "moves"
	jobWatch     = "watch"
	jobWrite     = "write"
	jobTidy      = "tidy"
	jobEditor    = "editor"
	jobMark      = "mark"
	jobTurns     = "turns"
	jobThreads   = "threads"
)

func (m *Model) readOverview() tea.Cmd {
	depth, thread := m.depth, m.spine.thread
	return jobs.Start(m.jobs, jobOverview, func(ctx context.Context, _ jobs.Report) (*view.Overview, error) {
		return m.cfg.Engine.Overview(ctx, thread, depth)
	})
}

// Turns that are read at first, and how many times as many when the walk back comes to
// their end: opening costs the same however long the thread is.
const (
	depthFirst = 100
	depthStep  = 4
)

// tidied is the answer of a Tidy.
type tidied struct{}

// tidy lets the engine do what can wait, while nobody does.
func (m *Model) tidy() tea.Cmd {
	if m.jobs.Running(jobTidy) {
		return nil
	}
	clock := m.cfg.Clock
	m.pressed.Store(clock().UnixNano())
	return jobs.Start(m.jobs, jobTidy, func(ctx context.Context, _ jobs.Report) (tidied, error) {
		return tidied{}, m.cfg.Engine.Tidy(ctx, func() time.Duration { return time.Duration(clock().UnixNano() - m.pressed.Load()) })
	})
}

// changed is the answer of a watch.
type changed struct{}

// watch waits for news of the engine.
func (m *Model) watch() tea.Cmd {
	return jobs.Start(m.jobs, jobWatch, func(ctx context.Context, _ jobs.Report) (changed, error) {
		return changed{}, m.cfg.Engine.Watch(ctx)
	})
}

// refresh reads everything that is on the screen again, quietly: cursors stay on
// their rows.
func (m *Model) refresh() tea.Cmd {
	cmds := []tea.Cmd{m.readOverview()}
	if m.over != nil {
		cmds = append(cmds, m.readComparison())
	}
	if m.talk.pane.Answer() != nil {
		cmds = append(cmds, m.readAnswer())
	}
	switch m.where {
	case inPlan, inResult:
		cmds = append(cmds, m.readPlan())
	case inHistory:
		cmds = append(cmds, m.readHistory())
	case inCard:
		cmds = append(cmds, m.readCard())
	case inTurns:
		cmds = append(cmds, m.readTurns())
	}
	return tea.Batch(cmds...)
}

// compare opens a comparison.
func (m *Model) compare(s model.Scope) tea.Cmd {
	m.depart()
	m.where = inReview
	if s.OfTurns() && m.over != nil && len(m.over.Turns) == 0 {
		m.scope, m.cmp, m.cmpErr = s, nil, nil
		m.files.Clear()
		m.forget()
		return nil
	}
	m.cmp, m.cmpErr = nil, nil
	m.files.Clear()
	m.forget()
	m.inDiff = false
	m.scope = s
	switch s.Kind {
	case model.ScopeTurn:
		m.turn, m.picked = s.Turn, s.Turn
	case model.ScopeLatest:
		m.turn, m.spine.news = m.newestEnded(), 0
	}
	if s.Kind != model.ScopeRange {
		m.spine.anchor = 0
	}
	return m.readComparison()
}

// forget drops the document on the screen.
func (m *Model) forget() {
	m.jobs.Cancel(jobDocument)
	m.jobs.Cancel(jobNext)
	m.jobs.Cancel(jobSummaries)
	m.jobs.Cancel(jobMoves)
	m.diff.Clear()
	m.shown = document{index: -1}
}

func (m *Model) readComparison() tea.Cmd {
	m.wait()
	scope := m.scope
	scope.Thread = m.thread(scope)
	return jobs.Start(m.jobs, jobCompare, func(ctx context.Context, _ jobs.Report) (*view.Comparison, error) {
		return m.cfg.Engine.Compare(ctx, scope)
	})
}

// thread is the thread that a scope of turns is about.
func (m *Model) thread(s model.Scope) model.ThreadID {
	if s.Thread == "" && s.OfTurns() && m.over != nil {
		return m.over.Thread
	}
	return s.Thread
}

func (m *Model) newest() int {
	if m.over == nil || len(m.over.Turns) == 0 {
		return 0
	}
	return m.over.Turns[len(m.over.Turns)-1].Number
}

// selectedTurn is mode 4.
func (m *Model) selectedTurn() tea.Cmd {
	return m.compare(model.Scope{Kind: model.ScopeTurn, Turn: m.pickedTurn()})
}

// pickedTurn is the turn that mode 4 shows: the one selected last, else the one
// before the latest, which has a mode of its own, else the latest.
func (m *Model) pickedTurn() int {
	if m.picked != 0 || m.over == nil {
		return m.picked
	}
	latest := m.newestEnded()
	for _, t := range slices.Backward(m.over.Turns) {
		if t.Number < latest {
			return t.Number
		}
	}
	return latest
}

// walkTurns selects the turn before or after.
func (m *Model) walkTurns(d int) tea.Cmd {
	if m.over == nil || len(m.over.Turns) == 0 {
		return nil
	}
	at := slices.IndexFunc(m.over.Turns, func(t view.Turn) bool { return t.Number == m.turn })
	switch {
	case at < 0:
		at = len(m.over.Turns) - 1
	case at+d < 0 && m.over.Older > 0:
		m.depth, m.older = m.depth*depthStep, true
		return m.readOverview()
	case at+d < 0 || at+d >= len(m.over.Turns):
		m.say("no turn beyond this one")
		return nil
	default:
		at += d
	}
	m.turn = m.over.Turns[at].Number
	if m.where == inCard {
		return m.readCard()
	}
	return m.compareTurns()
}

// open shows the file under the cursor of the list, unless it is on the screen.
// Hunk says where to go in it: 1 the first, -1 the last, 0 wherever.
func (m *Model) open(hunk int) tea.Cmd {
	index := m.files.File()
	if m.cmp == nil || index < 0 { // a folder, or a path that was left out
		asked := m.shown.asked
		m.jobs.Cancel(jobDocument)
		m.diff.Clear()
		m.shown = document{index: -1, asked: asked}
		return nil
	}
	f := m.cmp.Files[index]
	at, _ := m.files.Position()
	m.shown.back, m.shown.at = at < m.shown.at, at
	m.shown.index = index
	if f.Path == m.shown.path && f.Key == m.shown.key && m.exact == m.shown.exact && m.shown.err == nil && !m.shown.waiting && m.diff.Document() != nil {
		return m.beyond()
	}
	m.shown.path, m.shown.key, m.shown.exact, m.shown.waiting, m.shown.err, m.shown.hunk, m.shown.goal = f.Path, f.Key, m.exact, true, nil, hunk, nil
	if doc := m.take(index); doc != nil {
		m.jobs.Cancel(jobDocument)
		return m.gotDocument(jobs.Done[*view.Document]{Value: doc})
	}
	m.wait()
	cmp, o := m.source, DocumentOptions{IgnoreSpace: !m.exact}
	for _, of := range []string{jobColour, jobWriters, jobBack} {
		m.jobs.Cancel(of)
	}
	return jobs.Start(m.jobs, jobDocument, func(ctx context.Context, _ jobs.Report) (*view.Document, error) {
		return m.cfg.Engine.Document(ctx, cmp, index, o)
	})
}

// summaries is the answer to what was asked of some files of a comparison.
type summaries struct {
	cmp  *view.Comparison // whose indexes they are
	list []view.Summary
}

// How many files are summed up at once, and up to how many files all of them
// are: in larger comparisons only what comes into sight.
const (
	summaryBatch = 48
	summaryAll   = 2000
)

// summaries asks for counts and owners of the files that have none yet, those in
// sight first. The text that is waited for comes before them.
func (m *Model) summaries() tea.Cmd {
	if m.cmp == nil || m.jobs.Running(jobSummaries) || m.shown.waiting && m.jobs.Running(jobDocument) {
		return nil
	}
	var ask []int
	want := func(i int) {
		f := m.cmp.Files[i]
		if len(ask) < summaryBatch && !m.shown.asked[i] && (f.Additions < 0 && !f.Binary || f.Owner == "" || f.Hunks < 0) {
			ask = append(ask, i)
		}
	}
	for _, i := range m.files.Window() {
		want(i)
	}
	if len(m.cmp.Files) <= summaryAll || m.only { // whose a file is decides whether it is listed
		for i := range m.cmp.Files {
			want(i)
		}
	}
	if len(ask) == 0 {
		return m.readMoves()
	}
	slices.Sort(ask)
	ask = slices.Compact(ask)
	if m.shown.asked == nil {
		m.shown.asked = map[int]bool{}
	}
	for _, i := range ask {
		m.shown.asked[i] = true
	}
	cmp, o := m.source, DocumentOptions{IgnoreSpace: !m.exact}
	return jobs.Start(m.jobs, jobSummaries, func(ctx context.Context, _ jobs.Report) (summaries, error) {
		list, err := m.cfg.Engine.Summaries(ctx, cmp, ask, o)
		return summaries{cmp, list}, err
	})
}
