package ui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/jobs"
	"overturn/ui/keymap"
	"overturn/ui/panes/confirm"
	"overturn/ui/panes/prompt"
	"overturn/ui/sheet"
	"overturn/ui/view"
)

// talks is what each intent does that says something to the agent.
func (m *Model) talks() map[keymap.Intent]func() tea.Cmd {
	return map[keymap.Intent]func() tea.Cmd{
		keymap.Comment:    m.comment,
		keymap.RemarkNext: func() tea.Cmd { return m.walkRemarks(1) },
		keymap.RemarkPrev: func() tea.Cmd { return m.walkRemarks(-1) },
		keymap.Comments:   m.openTalk,
		keymap.Rewrite:    m.rewrite,
		keymap.Remove:     m.removeRemark,
		keymap.RemoveTold: m.removeTold,
		keymap.HandOver:   m.handOver,
		keymap.Copy:       m.copySource,
		keymap.CopyPrompt: m.copyPrompt,
		keymap.Why:        m.askWhy,
	}
}

// removeRemark asks whether the comment under the cursor goes.
func (m *Model) removeRemark() tea.Cmd {
	r, ok := m.talk.pane.Selected()
	if !ok {
		m.say("no comment is under the cursor")
		return nil
	}
	m.askRemove("Delete this comment?", []view.Remark{r})
	return nil
}

// removeTold asks whether all comments go that the agent was told of.
func (m *Model) removeTold() tea.Cmd {
	var list []view.Remark
	if a := m.talk.pane.Answer(); a != nil {
		for _, r := range a.Remarks {
			if r.Told != nil {
				list = append(list, r)
			}
		}
	}
	if len(list) == 0 {
		m.say("no comment was handed over")
		return nil
	}
	m.askRemove("Delete "+view.Count(len(list), "comment")+" that the agent was told of?", list)
	return nil
}

func (m *Model) askRemove(title string, list []view.Remark) {
	ids := make([]model.ID, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	lines := func(width int) []sheet.Line {
		var out []sheet.Line
		for _, r := range list {
			out = append(out, sheet.L(sheet.W(themes.Strong, r.Where)))
			out = append(out, sheet.Fill(themes.Text, r.Text, 2, width)...)
		}
		return append(out, sheet.L(), sheet.L(sheet.W(themes.Muted, "Files stay as they are.")))
	}
	m.ask(confirm.Ask{Title: title, Verb: "delete", Lines: lines}, func() tea.Cmd {
		return m.change(func(ctx context.Context) (string, error) {
			return view.Count(len(ids), "comment") + " deleted", m.cfg.Engine.DeleteComments(ctx, ids)
		})
	}, nil)
}

// handOver lets the next prompt of the agent bring what was not told yet; once more
// withdraws it, where nothing came since.
func (m *Model) handOver() tea.Cmd {
	a := m.talk.pane.Answer()
	if a == nil {
		return nil
	}
	if w := a.Waiting; w != nil && w.Comments == a.Points && w.TakenBack == len(a.TakenBack) {
		return m.change(func(ctx context.Context) (string, error) {
			return "withdrawn: nothing is handed over", m.cfg.Engine.Withdraw(ctx)
		})
	}
	thread := m.threadShown()
	return m.change(func(ctx context.Context) (string, error) {
		w, err := m.cfg.Engine.HandOver(ctx, thread)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s of the thread brings it, once · H withdraws it", "the next prompt of "+w.Agent), nil
	})
}

// askWhy asks for the reason of the take-back that is planned.
func (m *Model) askWhy() tea.Cmd {
	p := prompt.Line("why: ", m.talk.why)
	m.prompt, m.chosen = p, func() tea.Cmd {
		if m.talk.why = strings.TrimSpace(p.Text()); m.talk.why != "" {
			m.say("the reason goes into the history, and to the agent when you hand over")
		}
		return nil
	}
	return nil
}

// whyWords says what the reason is, or how to give one.
func (m *Model) whyWords() string {
	if m.talk.why == "" {
		return "c says why (it need not)"
	}
	return "why: " + m.talk.why
}

// whyLines are the reason in the dialog.
func whyLines(why string, width int) []sheet.Line {
	if why == "" {
		return nil
	}
	return append(sheet.Fill(themes.Accent, "why: "+why, 0, width), sheet.L())
}

// copied is the answer of a copy.
type copied struct {
	what string
	by   view.Copied
}

// copySource copies the hunk or the range as plain source.
func (m *Model) copySource() tea.Cmd {
	text, lines := m.diff.Source()
	if lines == 0 || m.shown.waiting {
		m.say("y copies the hunk or the range under the cursor: there is none")
		return nil
	}
	m.diff.CloseRange()
	what := view.Count(lines, "line") + " of " + string(m.shown.path)
	return jobs.Start(m.jobs, jobCopy, func(ctx context.Context, _ jobs.Report) (copied, error) {
		by, err := m.cfg.Engine.Copy(ctx, text)
		return copied{what, by}, err
	})
}

// copyPrompt copies all that was not told yet as one prompt.
func (m *Model) copyPrompt() tea.Cmd {
	thread := m.threadShown()
	return jobs.Start(m.jobs, jobCopy, func(ctx context.Context, _ jobs.Report) (copied, error) {
		a, err := m.cfg.Engine.Answer(ctx, thread)
		if err != nil {
			return copied{}, err
		}
		if a.Prompt == "" {
			return copied{}, model.Usagef("there is nothing to say that was not handed over: no comment, and nothing taken back since the latest turn began").WithHint("c writes a comment")
		}
		what := view.Count(a.Points, "comment")
		if n := len(a.TakenBack); n > 0 {
			what += " and " + view.Count(n, "take-back")
		}
		by, err := m.cfg.Engine.Copy(ctx, a.Prompt)
		return copied{what + " as one prompt", by}, err
	})
}

func (m *Model) gotCopied(d jobs.Done[copied]) tea.Cmd {
	if d.Err != nil {
		m.fail(d.Err)
		return nil
	}
	if raw := d.Value.by.Raw; raw != nil {
		m.cfg.Screen.Raw(raw)
	}
	m.good("copied " + d.Value.what + " · by " + strings.Join(d.Value.by.Ways, " and "))
	return nil
}
