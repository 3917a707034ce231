package ui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
	"overturn/ui/view"
)

// stageHunk stages the lines of the visual range, or the hunk under the cursor;
// a hunk that is staged already is unstaged.
func (m *Model) stageHunk() tea.Cmd {
	h, ok := m.diff.Hunk()
	if m.shown.waiting || m.cmp == nil || m.diff.Document() == nil {
		m.say("no hunk here: open a file first")
		return nil
	}
	if m.diff.Document().File.OldPath != "" {
		m.say("a renamed file goes back whole: X stages both its names")
		return nil
	}
	path := m.shown.path
	if c := m.diff.Document().File.Change; c == model.Added || c == model.Deleted {
		return m.stageOnly(path, c)
	}
	if m.diff.Ranged() {
		lines := m.diff.Lines()
		m.diff.CloseRange()
		if len(lines) == 0 {
			m.say("the range holds no changed line")
			return nil
		}
		return m.stage(StageRequest{Scope: m.cmp.Scope, Paths: []model.Path{path}, Named: true, Lines: lines}, nil)
	}
	if m.diff.Folded() {
		m.say("this file is folded: Enter opens it, X stages it as a whole")
		return nil
	}
	if !ok {
		m.say("this file has no hunks: X stages it as a whole")
		return nil
	}
	staged, found := m.stagedHere(path)
	if found && (staged.Whole() || slices.Contains(staged.Hunks, h.Number)) {
		return m.unstageHunk(staged, h.Number)
	}
	m.diff.NextHunk(1)
	return m.stage(StageRequest{Scope: m.cmp.Scope, Paths: []model.Path{path}, Named: true, Hunks: []int{h.Number}}, nil)
}

// stageOnly stages the one hunk of a file that was added or deleted: that is the
// whole file. Lines of it cannot go back alone.
func (m *Model) stageOnly(path model.Path, c model.Change) tea.Cmd {
	if m.diff.Ranged() {
		m.diff.CloseRange()
		m.say("a file that was " + string(c) + " goes back whole: x or X stages it")
		return nil
	}
	if s, ok := m.stagedHere(path); ok && s.Whole() {
		return m.stage(StageRequest{}, []model.Path{path})
	}
	return m.stage(StageRequest{Scope: m.cmp.Scope, Paths: []model.Path{path}, Named: true}, nil)
}

// unstageHunk takes one hunk out of the staged set: the path is unstaged, and
// what else was staged of it is staged again.
func (m *Model) unstageHunk(s view.Staged, number int) tea.Cmd {
	rest := s.Hunks
	if s.Whole() {
		doc := m.diff.Document()
		for n := 1; n <= len(doc.Hunks)+doc.HiddenSpace; n++ {
			rest = append(rest, n)
		}
	}
	rest = slices.DeleteFunc(slices.Clone(rest), func(n int) bool { return n == number })
	if len(rest) == 0 {
		return m.stage(StageRequest{}, []model.Path{s.Path})
	}
	return m.stage(StageRequest{Scope: m.cmp.Scope, Paths: []model.Path{s.Path}, Named: true, Hunks: rest}, []model.Path{s.Path})
}

// stageFile stages the file or folder that the focus is on, or unstages it where
// all of it is staged.
func (m *Model) stageFile() tea.Cmd {
	if m.where != inReview || m.cmp == nil {
		return nil
	}
	path, folder, files := m.files.Selection()
	if m.inDiff && m.shown.index >= 0 {
		path, folder, files = m.shown.path, false, m.cmp.Files[m.shown.index].Names()
	}
	if len(files) == 0 {
		m.say("nothing to stage here")
		return nil
	}
	all := true
	for _, f := range files {
		s, ok := m.stagedHere(f)
		all = all && ok && (s.Whole() || m.only) // of a mixed file the agent's hunks are all there is to stage
	}
	if all {
		return m.stage(StageRequest{}, files)
	}
	if !folder && !m.inDiff {
		m.files.NextFile(1)
	}
	paths := files
	if folder { // all below it, and where files that were moved into it came from
		paths = append([]model.Path{path}, slices.DeleteFunc(files, func(f model.Path) bool { return f.Under(path) })...)
	}
	return tea.Batch(m.stage(StageRequest{Scope: m.cmp.Scope, Paths: paths, Named: !folder && !m.only}, nil), m.open(0))
}

// unstageTarget takes the path under the cursor out of the plan.
func (m *Model) unstageTarget() tea.Cmd {
	path, ok := m.plan.Target()
	if !ok {
		m.say("X on a path takes it out of the plan")
		return nil
	}
	return m.stage(StageRequest{}, []model.Path{path})
}

// stage unstages drop, then stages r where it names paths, in one job.
func (m *Model) stage(r StageRequest, drop []model.Path) tea.Cmd {
	if m.jobs.Running(jobStage) || m.writing != "" {
		m.say("one moment: the staged set is being written")
		return nil
	}
	m.counted = counted{}
	m.wait()
	return jobs.Start(m.jobs, jobStage, func(ctx context.Context, report jobs.Report) (list []view.Staged, err error) {
		ctx = counting(ctx, report)
		if len(drop) > 0 {
			if list, err = m.cfg.Engine.Unstage(ctx, drop); err != nil {
				return nil, err
			}
		}
		if len(r.Paths) > 0 {
			return m.cfg.Engine.Stage(ctx, r)
		}
		return list, nil
	})
}

func (m *Model) gotStaged(d jobs.Done[[]view.Staged]) tea.Cmd {
	if d.Err != nil {
		m.fail(d.Err)
		return m.readOverview() // what is staged is not known for sure now
	}
	m.applyStaged(d.Value)
	if m.where == inPlan {
		m.wanted = true
		return m.readPlan()
	}
	return nil
}

// applyStaged shows a staged set.
func (m *Model) applyStaged(list []view.Staged) {
	if m.over != nil {
		o := *m.over
		o.Staged = list
		m.over = &o
	}
	m.markStaged()
}

// markStaged marks what is staged of the comparison on the screen.
func (m *Model) markStaged() {
	var here []view.Staged
	if m.over != nil && m.cmp != nil {
		for _, s := range m.over.Staged {
			if s.Of(m.cmp.Scope) {
				here = append(here, s)
			}
		}
	}
	m.files.SetStaged(here)
	s, ok := m.stagedHere(m.shown.path)
	m.diff.SetStaged(ok && s.Whole(), s.Hunks)
}

// stagedHere is what is staged of path from the comparison on the screen.
func (m *Model) stagedHere(path model.Path) (view.Staged, bool) {
	s, ok := m.stagedPath(path)
	if !ok || m.cmp == nil || !s.Of(m.cmp.Scope) {
		return view.Staged{}, false
	}
	return s, true
}

// stagedPath is what is staged of path, from whichever scope.
func (m *Model) stagedPath(path model.Path) (view.Staged, bool) {
	if m.over == nil {
		return view.Staged{}, false
	}
	i := slices.IndexFunc(m.over.Staged, func(s view.Staged) bool { return s.Path == path })
	if i < 0 {
		return view.Staged{}, false
	}
	return m.over.Staged[i], true
}
