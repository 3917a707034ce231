package uitest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"overturn/model"
	"overturn/ui/view"
)

// Talk is what is said, in memory.
type Talk struct {
	Comments []model.Comment
	Back     []model.TakenBack
	Waiting  *view.Waiting
	Copied   []string // texts, in order
	Raw      []byte   // what a copy lets the terminal be told
}

// Answer gathers Talk.
func (e *Engine) Answer(ctx context.Context, thread model.ThreadID) (*view.Answer, error) {
	if err := e.enter(ctx, "answer"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	return e.answer(), nil
}

func (e *Engine) answer() *view.Answer {
	a := &view.Answer{TakenBack: slices.Clone(e.Talk.Back), Waiting: e.Talk.Waiting}
	var open []string
	for _, c := range e.Talk.Comments {
		where := string(c.Path)
		if c.Anchor.From > 0 {
			where += fmt.Sprintf(":%d", c.Anchor.From)
		}
		a.Remarks = append(a.Remarks, view.Remark{Comment: c, Where: where})
		if c.Told == nil {
			a.Points++
			open = append(open, where+" "+c.Text)
		}
	}
	if len(open)+len(a.TakenBack) > 0 {
		a.Prompt = strings.Join(open, "\n")
	}
	return a
}

// SaveComment keeps a comment.
func (e *Engine) SaveComment(ctx context.Context, c model.Comment) error {
	if err := e.enter(ctx, "comment"); err != nil {
		return err
	}
	e.Lock()
	defer e.Unlock()
	c.At = Now()
	if c.ID == "" {
		c.ID = model.ID(fmt.Sprintf("01comment%d", len(e.Talk.Comments)))
		e.Talk.Comments = append(e.Talk.Comments, c)
		return nil
	}
	for i := range e.Talk.Comments {
		if e.Talk.Comments[i].ID == c.ID {
			e.Talk.Comments[i] = c
		}
	}
	return nil
}

// DeleteComments drops comments.
func (e *Engine) DeleteComments(ctx context.Context, ids []model.ID) error {
	if err := e.enter(ctx, "delete"); err != nil {
		return err
	}
	e.Lock()
	defer e.Unlock()
	e.Talk.Comments = slices.DeleteFunc(e.Talk.Comments, func(c model.Comment) bool { return slices.Contains(ids, c.ID) })
	return nil
}

// HandOver lets what is said wait.
func (e *Engine) HandOver(ctx context.Context, thread model.ThreadID) (*view.Waiting, error) {
	if err := e.enter(ctx, "hand-over"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	a := e.answer()
	e.Talk.Waiting = &view.Waiting{At: Now(), Agent: "claude-code", Thread: thread, Comments: a.Points, TakenBack: len(a.TakenBack), Text: a.Prompt}
	return e.Talk.Waiting, nil
}

// Withdraw drops what waits.
func (e *Engine) Withdraw(ctx context.Context) error {
	if err := e.enter(ctx, "withdraw"); err != nil {
		return err
	}
	e.Lock()
	defer e.Unlock()
	e.Talk.Waiting = nil
	return nil
}

// Copy notes the text.
func (e *Engine) Copy(ctx context.Context, text string) (view.Copied, error) {
	if err := e.enter(ctx, "copy"); err != nil {
		return view.Copied{}, err
	}
	e.Lock()
	defer e.Unlock()
	e.Talk.Copied = append(e.Talk.Copied, text)
	return view.Copied{Ways: []string{"the terminal"}, Raw: e.Talk.Raw}, nil
}
