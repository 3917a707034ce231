package ledger_test

import (
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/ledger"
)

func TestRequireClean(t *testing.T) {
	b := newBench(t)
	b.Write("dirty file", "x")
	_, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: th, RequireClean: true})
	if model.CodeOf(err) != model.CodeRefused || !strings.Contains(err.Error(), "dirty file") || model.HintOf(err) == "" {
		t.Errorf("start: %v", err)
	}
	want(t, "refs", b.refList(), "")
	b.Remove("dirty file")
	turn, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: th, RequireClean: true})
	if err != nil || turn.Number != 1 || turn.Status != model.StatusReady {
		t.Errorf("clean start: %+v %v", turn, err)
	}
}

func TestHeadMoved(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.Git("switch", "-q", "-c", "other")
	done := b.end(th, "x")
	want(t, "moved", done.HeadMoved, true)
	want(t, "branches", done.Start.Branch+" "+done.End.Branch, "refs/heads/main refs/heads/other")
	b.start(th, "y")
	want(t, "not moved", b.end(th, "y").HeadMoved, false)
}

func TestUsage(t *testing.T) {
	b := newBench(t)
	for name, f := range map[string]func() error{
		"no thread": func() error { _, err := b.l.Start(t.Context(), ledger.StartEvent{}); return err },
		"long thread": func() error {
			_, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: model.ThreadID(strings.Repeat("x", 181))})
			return err
		},
		"bad state":     func() error { _, err := b.l.End(t.Context(), ledger.EndEvent{Thread: th, State: "open"}); return err },
		"no such turn":  func() error { _, err := b.l.Turn(t.Context(), th, 1); return err },
		"touch nothing": func() error { return b.l.Touch(t.Context(), th, []model.Path{"a"}) },
		"bad phase":     func() error { return b.l.Tool(t.Context(), ledger.ToolEvent{Thread: th, Phase: "x"}) },
	} {
		if err := f(); model.CodeOf(err) != model.CodeUsage {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := b.l.Default(t.Context())
	want(t, "nothing recorded", model.CodeOf(err), model.CodeNoRepository)
}
