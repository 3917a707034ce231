package ui

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui/find"
	"overturn/ui/frame"
	"overturn/ui/jobs"
	"overturn/ui/panes/prompt"
	"overturn/ui/panes/results"
	"overturn/ui/view"
)

// finding is a search over all files: what it looks for, how far it came, and which of
// its matches n and N have come to.
type finding struct {
	text     string
	cmp      *view.Comparison // whose files the matches count
	hits     *hits
	pane     results.Pane
	at       int // the match that was gone to last, -1 before
	done, of int
	full     bool // there are more than the list holds
	local    bool // n and N are about the file again: / was asked since
}

// hits is what a running search has found: its job adds, the loop reads.
type hits struct {
	sync.Mutex
	list []view.Match
}

func (h *hits) all() []view.Match {
	h.Lock()
	defer h.Unlock()
	return h.list[:len(h.list):len(h.list)]
}

// foundAll is the answer of a search over all files.
type foundAll struct {
	hits *hits
	full bool
}

// spot is a line of a file to go to, or the header of its hunk.
type spot struct {
	line int
	old  bool
	head bool
}

// hitLimit is the matches that a search lists at most.
const hitLimit = 5000

// tell is the time between two reports of a search.
const tell = 100 * time.Millisecond

// askSearchAll asks what to look for in all files.
func (m *Model) askSearchAll() tea.Cmd {
	if m.cmp == nil || len(m.cmp.Files) == 0 {
		m.say("no files to search in")
		return nil
	}
	p := prompt.Line("search all files: ", m.finding.text)
	m.prompt, m.chosen = p, func() tea.Cmd {
		text := p.Text()
		switch {
		case text == "":
			return nil
		case text == m.finding.text && m.finding.cmp == m.source && !m.jobs.Running(jobFind):
			m.where = inFound // asked again: the list is there
			return nil
		}
		return m.searchAll(text)
	}
	return nil
}

func (m *Model) searchAll(text string) tea.Cmd {
	f := &m.finding
	*f = finding{text: text, cmp: m.source, hits: &hits{}, at: -1, of: len(m.source.Files), pane: f.pane}
	f.pane.Start(f.cmp)
	m.where = inFound
	m.diff.SetQuery(text)
	m.wait()
	query, cmp, found, clock := find.New(text), f.cmp, f.hits, m.cfg.Clock
	return jobs.Start(m.jobs, jobFind, func(ctx context.Context, report jobs.Report) (foundAll, error) {
		full, told := false, clock()
		err := m.cfg.Engine.Search(ctx, cmp, query, func(list []view.Match) bool {
			found.Lock()
			defer found.Unlock()
			full = len(found.list)+len(list) > hitLimit
			found.list = append(found.list, list[:min(len(list), hitLimit-len(found.list))]...)
			return !full
		}, func(done, of int) {
			if now := clock(); now.Sub(told) > tell {
				told = now
				report(done, of)
			}
		})
		return foundAll{found, full}, err
	})
}

func (m *Model) foundSome(p jobs.Progress) {
	m.finding.done, m.finding.of = p.Done, p.Of
	m.finding.pane.Show(m.finding.hits.all())
}

func (m *Model) gotAll(d jobs.Done[foundAll]) tea.Cmd {
	m.finding.pane.Show(m.finding.hits.all())
	m.finding.full = d.Value.full
	if d.Err != nil {
		m.fail(d.Err)
	}
	return nil
}

// stopFinding ends a search over all files that is under way; what it found stays.
func (m *Model) stopFinding() bool {
	if m.where != inFound || !m.jobs.Running(jobFind) {
		return false
	}
	m.jobs.Cancel(jobFind)
	m.finding.pane.Show(m.finding.hits.all())
	m.say("the search was stopped")
	return true
}

// walkFound goes to the next match of the search over all files, or the one before; it
// tells whether such a search is what n and N are about.
func (m *Model) walkFound(d int) (tea.Cmd, bool) {
	f := &m.finding
	n := len(f.pane.Matches())
	if n == 0 || f.local || f.text != m.diff.Query() {
		return nil, false
	}
	if f.at < 0 && d < 0 {
		f.at = 0
	}
	return m.goFound(((f.at+d)%n + n) % n), true
}

// openFound goes to the match under the cursor of the list.
func (m *Model) openFound() tea.Cmd {
	if i := m.finding.pane.Selected(); i >= 0 {
		return m.goFound(i)
	}
	return nil
}

// goFound shows a match in its file. The comparison may have been read again since: the
// file is found by its path.
func (m *Model) goFound(i int) tea.Cmd {
	f := &m.finding
	hit := f.pane.Matches()[i]
	f.at, f.local = i, false
	f.pane.Select(i)
	m.diff.SetQuery(f.text)
	path := f.cmp.Files[hit.File].Path
	index := slices.IndexFunc(m.cmp.Files, func(c view.File) bool { return c.Path == path })
	if index < 0 {
		m.say(string(path) + " does not differ any more")
		return nil
	}
	m.away()
	m.listFor(index)
	m.where, m.inDiff = inReview, true
	m.files.Select(index)
	m.say(fmt.Sprintf("match %d of %d", i+1, len(f.pane.Matches())))
	cmd := m.open(0)
	m.shown.goal = &spot{line: hit.Line, old: hit.Old()}
	if !m.shown.waiting {
		m.arrive()
	}
	return tea.Batch(cmd, m.summaries())
}

// listFor lists everything again where the list is narrowed to others than a file that
// was asked for by name.
func (m *Model) listFor(index int) {
	if m.files.Listed(index) {
		return
	}
	m.only, m.burn.only = false, false
	m.files.Only(false)
	m.files.OnlyUnread(false)
}

// arrive goes to the line that the document on the screen was opened for.
func (m *Model) arrive() {
	if g := m.shown.goal; g != nil && m.diff.Document() != nil {
		m.shown.goal = nil
		m.diff.GoToLine(g.line, g.old)
		if g.head {
			m.diff.NextHunk(-1)
		}
	}
}

// drawFound draws what was found, below its title.
func (m *Model) drawFound(title func(text, right string) frame.Area) {
	f := &m.finding
	n := len(f.pane.Matches())
	matches := fmt.Sprintf("%d matches", n)
	if n == 1 {
		matches = "1 match"
	}
	right := matches + " in " + view.Count(f.pane.Files(), "file")
	switch {
	case m.jobs.Running(jobFind):
		right += fmt.Sprintf(" · %d of %d searched · Esc stops", f.done, f.of)
	case f.full:
		right = "the first " + right
	}
	m.areas.body = title("Search: "+f.text, right)
	switch {
	case n > 0:
		f.pane.Draw(m.areas.body, m.st)
	case m.jobs.Running(jobFind):
		m.note(m.areas.body, "Searching …", "")
	default:
		m.note(m.areas.body, "No line of these files holds "+f.text+".", "Lower-case letters match capitals too. ctrl+f searches again.")
	}
}
