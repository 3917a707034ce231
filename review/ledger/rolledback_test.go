package ledger_test

import (
	"errors"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review/ledger"
)

// TestEndAgainAfterARollback: an end that is repeated moves the end to what is found, but
// not to what a rollback left where the agent did nothing behind it.
func TestEndAgainAfterARollback(t *testing.T) {
	for name, c := range map[string]struct {
		tools  bool // the agent tells of its tools
		rolled func(time.Time) (bool, error)
		work   bool // it ran one since
		moves  bool
	}{
		"nothing was rolled back":      {tools: true, rolled: func(time.Time) (bool, error) { return false, nil }, moves: true},
		"nobody can tell":              {tools: true, moves: true},
		"it cannot be looked at":       {tools: true, rolled: func(time.Time) (bool, error) { return true, errors.New("no") }, moves: true},
		"rolled back":                  {tools: true, rolled: func(time.Time) (bool, error) { return true, nil }},
		"rolled back, and it goes on":  {tools: true, rolled: func(time.Time) (bool, error) { return true, nil }, work: true, moves: true},
		"rolled back, a silent agent":  {rolled: func(time.Time) (bool, error) { return true, nil }, moves: true},
		"rolled back in the turn only": {tools: true, rolled: func(since time.Time) (bool, error) { return since.Before(time.Now().Add(-time.Hour)), nil }, moves: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.New(t)
			r.Write("a.txt", "one\n")
			r.Commit("first")
			b := onRepo(t, r, func(d *ledger.Deps) { d.RolledBack = c.rolled })
			_, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: th, Agent: "codex", TurnID: "x", ReportsTools: c.tools})
			if err != nil {
				t.Fatal(err)
			}
			b.tool(ledger.PhasePre, "c1", "a.txt")
			b.Write("a.txt", "by the agent\n")
			b.tool(ledger.PhasePost, "c1", "a.txt")
			first := b.endByHook(th, "x")
			b.Write("a.txt", "one\n")
			if c.work {
				b.tool(ledger.PhasePre, "c2", model.Path("b.txt"))
				b.Write("b.txt", "more\n")
				b.tool(ledger.PhasePost, "c2", "b.txt")
			}
			b.endByHook(th, "x")
			if moved := b.turn(th, 1).End.Tree != first.End.Tree; moved != c.moves {
				t.Errorf("the end moved: %v", moved)
			}
		})
	}
}
