package jobs_test

import (
	"context"
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/ui/jobs"
)

func TestLateAnswersAreDropped(t *testing.T) {
	g := jobs.New(context.Background(), nil)
	var first context.Context
	one := jobs.Start(g, "diff", func(ctx context.Context, _ jobs.Report) (int, error) { first = ctx; <-ctx.Done(); return 1, ctx.Err() })
	two := jobs.Start(g, "diff", func(context.Context, jobs.Report) (int, error) { return 2, nil })
	other := jobs.Start(g, "list", func(context.Context, jobs.Report) (int, error) { return 3, nil })
	late, fresh, beside := one().(jobs.Done[int]), two().(jobs.Done[int]), other().(jobs.Done[int])
	if !errors.Is(first.Err(), context.Canceled) {
		t.Errorf("the earlier job was not cancelled")
	}
	if g.Accept(late) {
		t.Errorf("the late answer was accepted")
	}
	if !g.Accept(beside) || !g.Accept(fresh) || fresh.Value != 2 {
		t.Errorf("a fresh answer was dropped")
	}
	if g.Accept(fresh) || g.Running("diff") {
		t.Errorf("an answer was accepted twice")
	}
}

func TestProgressComesWhileTheJobIsWanted(t *testing.T) {
	var got []tea.Msg
	g := jobs.New(context.Background(), func(m tea.Msg) { got = append(got, m) })
	run := jobs.Start(g, "execute", func(_ context.Context, report jobs.Report) (string, error) {
		report(1, 2)
		g.Cancel("execute")
		report(2, 2)
		return "", nil
	})
	run()
	if len(got) != 1 || got[0].(jobs.Progress).Done != 1 {
		t.Errorf("progress: %v", got)
	}
}

func TestAPanicIsAnError(t *testing.T) {
	g := jobs.New(context.Background(), nil)
	done := jobs.Start(g, "x", func(context.Context, jobs.Report) (int, error) { panic("oh") })().(jobs.Done[int])
	if !g.Accept(done) || done.Err == nil || model.HintOf(done.Err) == "" {
		t.Errorf("answer: %+v", done)
	}
}

// A job that is interrupted ends early, and its answer is wanted; one that must come to
// its end is waited for.
func TestInterruptAndWait(t *testing.T) {
	g := jobs.New(context.Background(), nil)
	begun := make(chan struct{})
	put := false
	run := jobs.StartWhole(g, "write", func(ctx context.Context, _ jobs.Report) (string, error) {
		close(begun)
		<-ctx.Done()
		put = true // what it wrote is put back
		return "put back", ctx.Err()
	})
	answers := make(chan tea.Msg, 1)
	go func() { answers <- run() }()
	<-begun
	g.Interrupt("write")
	g.Wait()
	if !put {
		t.Error("the job was not waited for")
	}
	if d := (<-answers).(jobs.Done[string]); !g.Accept(d) || d.Value != "put back" || !errors.Is(d.Err, context.Canceled) {
		t.Errorf("its answer is %+v", d)
	}
	g.Interrupt("write") // nothing runs any more
	g.Wait()
}
