package cli

import (
	"context"
	"fmt"
	"time"

	"overturn/model"
	"overturn/rollback"
	"overturn/ui"
	"overturn/ui/view"
)

// runningOverview tells of open turns, and of the take-back that waits for some.
func (s *screen) runningOverview(ctx context.Context, o *view.Overview) error {
	open, err := s.ledger.Open(ctx)
	if err != nil {
		return err
	}
	for i := range open {
		o.Running = append(o.Running, timelineCell(&open[i]))
	}
	w, err := s.writer.Waiting()
	if err != nil || w == nil {
		return err
	}
	o.Queued = &view.Queued{ID: w.Fingerprint + w.AskedAt.Format(time.RFC3339Nano), Paths: len(w.Paths), For: waitedFor(w.Turns), Open: stillOpen(w, open)}
	return nil
}

// stillOpen tells whether one of the turns that were waited for has not ended.
func stillOpen(w *rollback.Waiting, open []model.Turn) bool {
	for _, t := range w.Turns {
		for i := range open {
			if open[i].Thread == t.Thread && open[i].Number == t.Turn {
				return true
			}
		}
	}
	return false
}

// waitedFor names turns that are waited for.
func waitedFor(turns []rollback.WaitedTurn) string {
	if len(turns) == 1 {
		return fmt.Sprintf("turn %d of %s", turns[0].Turn, turns[0].Agent)
	}
	return count(len(turns), "turn")
}

// Wait keeps a confirmed plan until the turns that are open now have ended.
func (s *screen) Wait(ctx context.Context, c ui.Confirmed) error {
	open, err := s.ledger.Open(ctx)
	if err != nil {
		return err
	}
	var turns []rollback.WaitedTurn
	for _, t := range open {
		turns = append(turns, rollback.WaitedTurn{Thread: t.Thread, Agent: t.Agent, Turn: t.Number})
	}
	if len(turns) == 0 {
		return model.Refusedf("no turn is open any more; nothing was written").WithHint("P rolls back at once")
	}
	_, err = s.writer.Wait(ctx, rollback.ExecuteOptions{Expect: c.Fingerprint, Partial: c.Partial, Why: c.Why}, turns)
	return err
}

// Due carries out what waits, unless a turn that it waits for is still open.
func (s *screen) Due(ctx context.Context, progress func(done, of int)) (*model.Result, error) {
	w, err := s.writer.Waiting()
	if err != nil || w == nil {
		return nil, err
	}
	open, err := s.ledger.Open(ctx)
	if err != nil {
		return nil, err
	}
	if stillOpen(w, open) {
		return nil, model.Refusedf("%s is open still; nothing was written", waitedFor(w.Turns))
	}
	return s.writer.ExecuteWaiting(ctx, progress)
}

// Forget lets go of what waits.
func (s *screen) Forget(context.Context) error { return s.writer.Forget() }
