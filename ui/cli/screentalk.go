package cli

import (
	"context"
	"os/exec"
	"runtime"
	"strings"

	"overturn/model"
	"overturn/review/comments"
	"overturn/ui/clipboard"
	"overturn/ui/view"
)

func (s *screen) Answer(ctx context.Context, thread model.ThreadID) (*view.Answer, error) {
	a, err := s.answering(ctx, thread)
	if err != nil {
		return nil, err
	}
	shown := &view.Answer{TakenBack: a.back, Prompt: a.prompt(), Points: len(a.open)}
	for _, p := range a.placed {
		shown.Remarks = append(shown.Remarks, view.Remark{Comment: p.Comment, Where: p.Where()})
	}
	if a.waiting != nil {
		shown.Waiting = waitingView(*a.waiting)
	}
	return shown, nil
}

func waitingView(h comments.HandOver) *view.Waiting {
	return &view.Waiting{At: h.At, Agent: h.Agent, Thread: h.Thread, Comments: len(h.Comments), TakenBack: len(h.TakenBack), Text: h.Text}
}

func (s *screen) SaveComment(ctx context.Context, c model.Comment) error {
	_, err := s.comments().Save(ctx, c)
	return err
}

func (s *screen) DeleteComments(ctx context.Context, ids []model.ID) error {
	return s.comments().Delete(ctx, ids...)
}

func (s *screen) HandOver(ctx context.Context, thread model.ThreadID) (*view.Waiting, error) {
	a, err := s.answering(ctx, thread)
	if err != nil {
		return nil, err
	}
	h, err := s.handOver(ctx, a)
	if err != nil {
		return nil, err
	}
	return waitingView(h), nil
}

func (s *screen) Withdraw(ctx context.Context) error {
	_, err := s.comments().Withdraw(ctx)
	return err
}

// Copy runs the programs that reach the clipboard where the terminal does not, and
// says what the terminal is to be told. OVERTURN_CLIPBOARD chooses: auto, terminal,
// program or off.
func (s *screen) Copy(ctx context.Context, text string) (view.Copied, error) {
	getenv := s.app.env.Getenv
	want, err := clipboardWays(getenv("OVERTURN_CLIPBOARD"))
	if err != nil {
		return view.Copied{}, err
	}
	plan := clipboard.For(text, want, getenv, func(name string) bool { _, err := exec.LookPath(name); return err == nil }, runtime.GOOS)
	out := view.Copied{Raw: plan.Raw}
	var failed error
	for _, tool := range plan.Tools {
		cmd := exec.CommandContext(ctx, tool.Name, tool.Args...)
		cmd.Stdin = strings.NewReader(text)
		if failed = cmd.Run(); failed == nil {
			out.Ways = append(out.Ways, tool.Name)
			break
		}
	}
	if plan.Raw != nil {
		out.Ways = append(out.Ways, "the terminal (OSC 52)")
	}
	switch {
	case len(out.Ways) > 0:
		return out, nil
	case want == clipboard.Off:
		return out, model.Refusedf("copying is turned off").WithHint("OVERTURN_CLIPBOARD=auto turns it on")
	case failed != nil:
		return out, model.Failf(failed, "%s could not copy", plan.Tools[len(plan.Tools)-1].Name).WithHint("OVERTURN_CLIPBOARD=terminal asks the terminal")
	case plan.TooLong:
		return out, model.Refusedf("%d bytes are too many for a terminal's clipboard, and no program for it is here", len(text)).
			WithHint("overturn comments --prompt -o FILE writes the prompt into a file")
	}
	return out, model.Refusedf("no program for the clipboard is here").WithHint("install wl-copy, xclip or xsel, or set OVERTURN_CLIPBOARD=terminal")
}

func clipboardWays(s string) (clipboard.Ways, error) {
	switch w := clipboard.Ways(s); w {
	case "":
		return clipboard.Auto, nil
	case clipboard.Auto, clipboard.Terminal, clipboard.Program, clipboard.Off:
		return w, nil
	}
	return "", model.Usagef("OVERTURN_CLIPBOARD is %q", s).WithHint("use auto, terminal, program or off")
}
