package ui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
	"overturn/ui/view"
)

func (m *Model) gotChange(d jobs.Done[changed]) tea.Cmd {
	if d.Err != nil { // ended with the review, or cannot watch here: focus and R refresh
		return nil
	}
	return tea.Batch(m.refresh(), m.watch())
}

// gotOverview takes the state of the repository. The first one decides what the
// review opens on; later ones tell of newer turns.
func (m *Model) gotOverview(d jobs.Done[*view.Overview]) tea.Cmd {
	older := m.older
	m.older = false
	if m.overErr = d.Err; d.Err != nil {
		if m.over != nil {
			return m.threadGone(d.Err)
		}
		return nil
	}
	before := m.over
	m.over = ordered(d.Value)
	m.spine.thread = m.over.Thread // a turn of another thread is news, it does not change the screen
	m.applyStaged(m.over.Staged)
	m.diff.SetThread(m.over.Thread)
	switch {
	case before == nil:
		return tea.Batch(m.begin(), m.due(), m.tidy())
	case m.spine.turned:
		return m.turnedTo()
	case older:
		return m.walkTurns(-1)
	}
	m.follow(before)
	if m.newest() == lastOf(before) {
		return m.due()
	}
	if lastOf(before) == 0 && m.scope.OfTurns() { // the first turn of all
		m.turn = m.newestEnded()
		return tea.Batch(m.readComparison(), m.tidy())
	}
	return tea.Batch(m.due(), m.tidy())
}

// ordered is o with its turns from the oldest to the newest.
func ordered(o *view.Overview) *view.Overview {
	older := func(a, b view.Turn) int { return a.Number - b.Number }
	if slices.IsSortedFunc(o.Turns, older) {
		return o
	}
	c := *o
	c.Turns = slices.SortedFunc(slices.Values(o.Turns), older)
	return &c
}

// begin opens what the command line named, else the latest turn, else the
// working tree.
func (m *Model) begin() tea.Cmd {
	if i := m.over.Interrupted; i != nil {
		m.warn(fmt.Sprintf("a rollback was interrupted after %d of %d paths — overturn recover %s finishes or unwinds it", i.Done, i.Of, i.ID))
	} else if m.over.Damage != "" {
		m.warn(m.over.Damage + " — i on a turn tells more")
	}
	switch {
	case m.cfg.Scope != nil:
		return m.compare(m.scope)
	case len(m.over.Turns) > 0:
		return m.compare(model.Scope{Kind: model.ScopeLatest})
	}
	return m.compare(model.Scope{Kind: model.ScopeWorking})
}

func (m *Model) gotComparison(d jobs.Done[*view.Comparison]) tea.Cmd {
	fresh := m.cmp == nil
	if m.cmpErr = d.Err; d.Err != nil {
		m.memory.goal = nil
		if !fresh {
			m.fail(d.Err)
		}
		return nil
	}
	m.jobs.Cancel(jobSummaries)
	m.shown.asked = nil
	before := m.cmp
	m.cmp, m.source = carry(before, d.Value), d.Value
	if before != nil && before.Marked != m.cmp.Marked { // another review said what was read
		m.shown.key = "" // the document is read again too
		m.countAgain()
	}
	m.sum = sumOf(m.cmp)
	if m.scope.Kind == model.ScopeLatest && m.cmp.Scope.Kind == model.ScopeTurn {
		m.turn = m.cmp.Scope.Turn
	}
	m.files.Show(m.cmp, fresh)
	m.markStaged()
	if fresh {
		if cmd, ok := m.goOnTo(); ok {
			return cmd
		}
	}
	if m.files.File() < 0 || len(m.cmp.Files) == 0 {
		m.forget()
		return m.summaries()
	}
	if m.talk.goal != nil {
		return tea.Batch(m.followGoal(), m.summaries())
	}
	return tea.Batch(m.open(0), m.summaries())
}

// sum is the counts of all files together; sure when none is missing.
type sum struct {
	adds, dels int
	sure       bool
}

func sumOf(cmp *view.Comparison) sum {
	s := sum{sure: true}
	for i := range cmp.Files {
		f := &cmp.Files[i]
		if f.Additions < 0 {
			s.sure = s.sure && f.Binary
			continue
		}
		s.adds, s.dels = s.adds+f.Additions, s.dels+f.Deletions
	}
	return s
}

// carry makes a copy of our own of what the engine returned, and takes over what
// is known of files that are as they were.
func carry(old, now *view.Comparison) *view.Comparison {
	c := *now
	c.Files = slices.Clone(now.Files)
	if old == nil || len(old.Files) == 0 {
		return &c
	}
	known := make(map[model.Path]int, len(old.Files))
	for i := range old.Files {
		known[old.Files[i].Path] = i
	}
	for i := range c.Files {
		f := &c.Files[i]
		if at, ok := known[f.Path]; ok && old.Files[at].Key == f.Key && f.Additions < 0 {
			k := &old.Files[at]
			f.Additions, f.Deletions, f.Binary, f.Owner = k.Additions, k.Deletions, k.Binary, k.Owner
			f.Hunks, f.Read = k.Hunks, k.Read
		}
	}
	return &c
}

func (m *Model) gotSummaries(d jobs.Done[summaries]) tea.Cmd {
	if d.Err != nil || m.cmp == nil || d.Value.cmp != m.source {
		if d.Err != nil {
			m.fail(d.Err)
		}
		return nil
	}
	for _, s := range d.Value.list { // cmp is our own: jobs read source
		f := &m.cmp.Files[s.Index]
		f.Additions, f.Deletions, f.Binary, f.Owner = s.Additions, s.Deletions, s.Binary, s.Owner
		f.Hunks, f.Read = s.Hunks, s.Read
	}
	m.applyMarks()
	m.sum = sumOf(m.cmp)
	m.files.Count()
	return m.summaries()
}

func (m *Model) gotDocument(d jobs.Done[*view.Document]) tea.Cmd {
	m.shown.waiting = false
	if d.Err != nil {
		m.shown.err = d.Err
		m.diff.Clear()
		return m.summaries()
	}
	same := m.diff.Document() != nil && m.diff.Document().File.Path == d.Value.File.Path
	if same && m.shown.hunk == 0 {
		m.diff.Replace(d.Value)
	} else {
		m.diff.Show(d.Value)
	}
	if m.shown.hunk < 0 {
		m.diff.LastHunk()
	}
	m.shown.hunk = 0
	m.markStaged()
	m.applyMarks()
	m.hideHunks()
	m.goToUnread()
	m.markMoves()
	m.markRemarks()
	m.arrive()
	m.arriveAtRemark()
	return tea.Batch(m.colour(), m.beyond(), m.summaries(), m.firstAnswer())
}

func (m *Model) gotCard(d jobs.Done[*view.Card]) tea.Cmd {
	if d.Err != nil {
		m.fail(d.Err)
		m.where = inReview
		return nil
	}
	m.card.Show(d.Value, m.cfg.Clock())
	return nil
}

func (m *Model) gotPlan(d jobs.Done[*model.Plan]) tea.Cmd {
	wanted := m.wanted
	m.wanted = false
	if d.Err != nil {
		m.fail(d.Err)
		if m.where == inPlan && m.plan.Plan() == nil {
			m.where = inReview
		}
		return nil
	}
	reviewed := m.plan.Reviewed()
	m.plan.Show(d.Value, m.threadShown())
	if wanted || reviewed == nil || reviewed.Fingerprint == d.Value.Fingerprint || len(d.Value.Targets) == 0 {
		m.plan.Review()
		return nil
	}
	if m.where == inResult {
		m.closeResult()
	}
	if !m.message.stays {
		m.warn("the plan is another than the one that you reviewed: what changed stands first")
	}
	return m.readDrift(reviewed, d.Value)
}

func (m *Model) gotHistory(d jobs.Done[[]model.HistoryEntry]) tea.Cmd {
	if d.Err != nil {
		m.fail(d.Err)
		m.where = inReview
		return nil
	}
	slices.SortStableFunc(d.Value, func(a, b model.HistoryEntry) int { return b.At.Compare(a.At) })
	m.history.Show(d.Value, m.cfg.Clock())
	return nil
}

func (m *Model) gotPatch(d jobs.Done[patch]) tea.Cmd {
	if d.Err != nil {
		m.fail(d.Err)
		return nil
	}
	m.history.ShowPatch(d.Value.id, d.Value.text)
	return nil
}
