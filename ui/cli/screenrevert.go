package cli

import (
	"context"

	"overturn/model"
	"overturn/rollback"
	"overturn/ui/view"
)

// PlanRevert works out what taking a thread back would do.
func (s *screen) PlanRevert(ctx context.Context, thread model.ThreadID, to int, keep bool) (*view.Revert, error) {
	p, err := s.writer.PlanRevert(ctx, rollback.RevertOptions{Thread: thread, To: to, Keep: keep})
	if err != nil {
		return nil, err
	}
	r := &view.Revert{Plan: p.Plan, Thread: p.Thread, To: p.To, Latest: p.Latest, Keep: keep, Conversation: p.Conversation, Refused: p.Refused}
	if p.FromHead {
		r.Base = p.Head.String()
	}
	return r, nil
}

// Revert takes it back, as it was confirmed.
func (s *screen) Revert(ctx context.Context, r *view.Revert, progress func(done, of int)) (*model.Result, error) {
	o := rollback.RevertOptions{Thread: r.Thread, To: r.To, Keep: r.Keep}
	o.Expect, o.Progress = r.Plan.Fingerprint, progress
	return s.writer.Revert(ctx, o)
}
