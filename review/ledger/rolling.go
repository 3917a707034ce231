package ledger

import (
	"context"
	"slices"
	"time"

	"overturn/model"
	"overturn/model/trace"
)

// Rollback is a rollback, undo, redo or recovery that is about to write Paths.
type Rollback struct {
	ID    model.ID
	Paths model.Paths
	Tree  string    // what stands now, where it was captured; else it is captured here
	At    time.Time // when Tree was captured
}

// rollingWait bounds a capture beside a rollback: whoever carries it out waits for it.
const rollingWait = 2 * time.Second

// Rolling tells the turns that are open in this work tree of a rollback; ended is
// to be called when it is over, however it ended. The paths are then the user's for
// that time, whatever tool ran. It takes no lock and nothing fails by it: without
// the lines the agent is the owner, as before. Where no turn is open it costs a
// look into a folder. A crash in between leaves a beginning without an end, which
// counts until the next moment of the turn.
func (l *Ledger) Rolling(ctx context.Context, r Rollback) (ended func(context.Context)) {
	line := evidenceLine{Kind: lineRollback, At: r.At.UTC(), Phase: PhaseRolling, Call: string(r.ID), Paths: r.Paths, Tree: r.Tree}
	if r.Tree != "" {
		at := r.At.UTC()
		line.Captured = &at
	}
	before := l.openHere(ctx)
	if len(before) > 0 && line.Tree == "" {
		line.Tree, line.Captured, line.Reason = l.besideRollback(ctx)
	}
	for _, t := range before {
		l.tell(t, line)
	}
	return func(ctx context.Context) { l.rolled(ctx, before, line) }
}

// rolled tells the turns that are open at the end of a rollback. One that began
// meanwhile has a start that is younger than the beginning.
func (l *Ledger) rolled(ctx context.Context, before []model.Turn, began evidenceLine) {
	after := l.openHere(ctx)
	if len(after) == 0 {
		return
	}
	done := evidenceLine{Kind: lineRollback, Phase: PhaseRolled, Call: began.Call, Paths: began.Paths}
	done.Tree, done.Captured, done.Reason = l.besideRollback(ctx)
	done.At = l.d.Clock().UTC()
	began.Tree, began.Captured, began.Reason = "", nil, "the turn began during the rollback"
	for _, t := range after {
		known := slices.ContainsFunc(before, func(b model.Turn) bool { return b.Thread == t.Thread && b.Number == t.Number })
		if known {
			l.tell(t, done)
			continue
		}
		began.At = t.StartedAt
		if t.Start != nil && t.Start.CapturedAt.After(began.At) {
			began.At = t.Start.CapturedAt
		}
		l.tell(t, began, done)
	}
}

// besideRollback captures the work tree. That it takes too long here says nothing
// of captures that are given more time, and is not held against them.
func (l *Ledger) besideRollback(ctx context.Context) (tree string, at *time.Time, reason string) {
	ctx, cancel := context.WithTimeout(ctx, rollingWait)
	defer cancel()
	return l.captureMoment(ctx, func(error) {})
}

// openHere is openTurns; what cannot be listed is not told.
func (l *Ledger) openHere(ctx context.Context) []model.Turn {
	turns, err := l.openTurns(ctx)
	if err != nil {
		return nil
	}
	return turns
}

// tell appends lines to the evidence of a turn.
func (l *Ledger) tell(t model.Turn, lines ...evidenceLine) {
	if err := dirOf(l.d.Repo.StateDir(), t.Thread).appendEvidence(t.Number, lines...); err != nil {
		l.d.Trace.Record(trace.Event{
			Event: trace.CheckpointCreate, Outcome: "waits", Thread: t.Thread, Turn: t.Number, Paths: lines[0].Paths,
			Reason: "evidence of rollback " + lines[0].Call + " is missing: " + err.Error(),
		})
	}
}
