package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
	"overturn/ui/panes/comments"
	"overturn/ui/panes/remark"
	"overturn/ui/view"
)

// talk is what the user has to say to the agent.
type talk struct {
	pane   comments.Pane
	box    *remark.Box       // nil: nothing is being written
	about  model.Comment     // what the box is about
	drafts map[string]string // what was left unfinished, by place
	why    string            // the reason of the take-back that is being planned
	goal   *view.Remark      // the comment to go to once its file is shown
}

// The keys of its jobs: what writes is not cancelled by what only reads.
const (
	jobAnswer  = "answer"
	jobComment = "comment"
	jobCopy    = "copy"
)

// answered is the answer of a job that read, or wrote and then read, what is said.
type answered struct {
	answer *view.Answer
	said   string // what was done, for the status row
}

func (m *Model) readAnswer() tea.Cmd {
	thread := m.threadShown()
	return jobs.Start(m.jobs, jobAnswer, func(ctx context.Context, _ jobs.Report) (answered, error) {
		a, err := m.cfg.Engine.Answer(ctx, thread)
		return answered{answer: a}, err
	})
}

// firstAnswer reads it when the first text is on the screen, once.
func (m *Model) firstAnswer() tea.Cmd {
	if m.talk.pane.Answer() != nil || m.jobs.Running(jobAnswer) {
		return nil
	}
	return m.readAnswer()
}

// threadShown is the thread that the review is about, "" before any turn.
func (m *Model) threadShown() model.ThreadID {
	if m.over == nil {
		return ""
	}
	return m.over.Thread
}

// change writes something, then reads all of it again.
func (m *Model) change(f func(ctx context.Context) (said string, err error)) tea.Cmd {
	thread := m.threadShown()
	return jobs.Start(m.jobs, jobComment, func(ctx context.Context, _ jobs.Report) (answered, error) {
		said, err := f(ctx)
		if err != nil {
			return answered{}, err
		}
		a, err := m.cfg.Engine.Answer(ctx, thread)
		return answered{a, said}, err
	})
}

func (m *Model) gotAnswer(d jobs.Done[answered]) tea.Cmd {
	if d.Err != nil {
		m.fail(d.Err)
		return nil
	}
	m.talk.pane.Show(d.Value.answer, m.cfg.Clock())
	m.markRemarks()
	if d.Value.said != "" {
		m.good(d.Value.said)
	}
	return nil
}

// remarksOn lists the comments on a file, by either of its names.
func (m *Model) remarksOn(f *view.File) []view.Remark {
	a := m.talk.pane.Answer()
	if a == nil || f == nil {
		return nil
	}
	var list []view.Remark
	for _, r := range a.Remarks {
		if slices.Contains(f.Names(), r.Path) {
			list = append(list, r)
		}
	}
	return list
}

// markRemarks shows the comments on the file that is on the screen.
func (m *Model) markRemarks() {
	if doc := m.diff.Document(); doc != nil {
		m.diff.SetRemarks(m.remarksOn(&doc.File))
	}
}

// comment begins a comment on what is under the cursor: a line, a range, a hunk, or
// the file.
func (m *Model) comment() tea.Cmd {
	if m.where != inReview || m.cmp == nil {
		m.say("c comments on a file that is shown")
		return nil
	}
	path, folder, _ := m.files.Selection()
	c := model.Comment{Scope: m.cmp.Scope.String(), Thread: m.cmp.Scope.Thread, Anchor: model.Anchor{Kind: model.AnchorFile}}
	if m.cmp.Scope.Kind == model.ScopeTurn {
		c.Turn = m.cmp.Scope.Turn
	}
	if m.inDiff && m.diff.Document() != nil && !m.shown.waiting {
		path, folder = m.shown.path, false
		c.Anchor = m.diff.Anchor()
		if wrote := m.diff.HunkTurns(); c.Turn == 0 && c.Anchor.Kind != model.AnchorFile && len(wrote) > 0 {
			c.Turn = wrote[len(wrote)-1]
		}
	}
	if c.Path = path; path == "" || folder {
		m.say("a comment is about a file: no file is under the cursor")
		return nil
	}
	if c.Thread == "" {
		c.Thread = m.threadShown()
	}
	m.openBox(c, m.talk.drafts[placeOf(c)])
	return nil
}

// openBox opens the box.
func (m *Model) openBox(c model.Comment, text string) {
	m.message = message{}
	m.talk.about, m.talk.box = c, remark.Open("Comment on "+titleOf(c), text)
}

// placeOf names the place of a comment, for drafts.
func placeOf(c model.Comment) string {
	return fmt.Sprintf("%s\x00%s\x00%v\x00%d\x00%s", c.Path, c.Anchor.Kind, c.Anchor.Old, c.Anchor.From, c.Anchor.Quote)
}

func titleOf(c model.Comment) string {
	a := c.Anchor
	lines := fmt.Sprintf("line %d", a.From)
	if a.To > a.From {
		lines = fmt.Sprintf("lines %d to %d", a.From, a.To)
	}
	if a.Old {
		lines = "removed " + lines
	}
	switch a.Kind {
	case model.AnchorFile:
		return "the file " + string(c.Path)
	case model.AnchorHunk:
		return string(c.Path) + ", the hunk of " + lines
	}
	return string(c.Path) + ", " + lines
}

// written gives a key to the box.
func (m *Model) written(k tea.KeyMsg) tea.Cmd {
	verdict := m.talk.box.Key(k)
	if verdict == remark.Waits {
		return nil
	}
	c, text := m.talk.about, m.talk.box.Text()
	m.talk.box = nil
	if m.talk.drafts == nil {
		m.talk.drafts = map[string]string{}
	}
	delete(m.talk.drafts, placeOf(c))
	switch {
	case verdict == remark.Left && text != "" && text != c.Text:
		m.talk.drafts[placeOf(c)] = text
		m.say("not kept; c here goes on with it as long as the review is open")
		return nil
	case text == "" || text == c.Text:
		m.say("no comment was written")
		return nil
	}
	m.diff.CloseRange()
	c.Text = text
	return m.change(func(ctx context.Context) (string, error) {
		return "the comment is kept · C lists all, Y copies all as one prompt", m.cfg.Engine.SaveComment(ctx, c)
	})
}

// openTalk lists what is said.
func (m *Model) openTalk() tea.Cmd {
	m.toggle(inComments)
	if m.where != inComments {
		return nil
	}
	return m.readAnswer()
}

// rewrite changes the comment under the cursor.
func (m *Model) rewrite() tea.Cmd {
	if r, ok := m.talk.pane.Selected(); ok {
		m.openBox(r.Comment, r.Text)
	}
	return nil
}

// goToRemark shows the place of the comment under the cursor, in the comparison on the
// screen where its file is in it, else in the one it was written on.
func (m *Model) goToRemark() tea.Cmd {
	r, ok := m.talk.pane.Selected()
	if !ok {
		return nil
	}
	m.away()
	m.where, m.talk.goal = inReview, &r
	if m.cmp != nil && m.fileOf(&r) >= 0 {
		return m.followGoal()
	}
	scope, err := model.ParseScope(r.Scope)
	if err != nil || m.cmp != nil && scope == (model.Scope{Kind: m.cmp.Scope.Kind, Turn: m.cmp.Scope.Turn, Base: m.cmp.Scope.Base, From: m.cmp.Scope.From, To: m.cmp.Scope.To}) {
		m.talk.goal = nil
		m.warn(string(r.Path) + " does not differ in this comparison any more")
		return nil
	}
	scope.Thread = r.Thread
	return m.compare(scope)
}

func (m *Model) fileOf(r *view.Remark) int {
	return slices.IndexFunc(m.cmp.Files, func(f view.File) bool { return slices.Contains(f.Names(), r.Path) })
}

// followGoal opens the file of the comment that is looked for.
func (m *Model) followGoal() tea.Cmd {
	i := m.fileOf(m.talk.goal)
	if i < 0 {
		m.warn(string(m.talk.goal.Path) + " does not differ in this comparison any more")
		m.talk.goal = nil
		return nil
	}
	m.files.Select(i)
	m.inDiff = true
	cmd := m.open(0)
	if !m.shown.waiting {
		m.arriveAtRemark()
	}
	return cmd
}

// arriveAtRemark puts the cursor on the comment that is looked for, once its file is shown.
func (m *Model) arriveAtRemark() {
	goal := m.talk.goal
	if goal == nil || m.diff.Document() == nil {
		return
	}
	m.talk.goal = nil
	if !m.diff.GoToRemark(goal.ID) {
		m.say("the lines of the comment are not in this comparison: " + goal.Where)
	}
}

// remarkWords is the comment under the cursor in a line, "" where there is none.
func (m *Model) remarkWords() string {
	on := m.diff.Remarked()
	if len(on) == 0 {
		return ""
	}
	s := "◆ " + strings.Join(strings.Fields(on[0].Text), " ")
	if len(on) > 1 {
		s += fmt.Sprintf(" (and %d more)", len(on)-1)
	}
	return s
}
