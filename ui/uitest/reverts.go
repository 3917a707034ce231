package uitest

import (
	"context"

	"overturn/model"
	"overturn/ui/view"
)

// PlanRevert takes the newest turns of the view back: Reverting, where that is set, whose
// Blocked stands in the way of the conversation.
func (e *Engine) PlanRevert(ctx context.Context, thread model.ThreadID, to int, keep bool) (*view.Revert, error) {
	if err := e.enter(ctx, "plan revert"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	if e.Reverting != nil {
		r := *e.Reverting
		r.Thread, r.To, r.Keep, r.Blocked = thread, to, keep, nil
		if !keep && r.Refused == nil {
			r.Refused = e.Reverting.Blocked
		}
		if keep {
			r.Plan = &model.Plan{Fingerprint: r.Plan.Fingerprint + "-kept", Targets: r.Plan.Targets, Kept: r.Plan.Kept}
			r.Conversation.Note = "it stays as it is"
		}
		return &r, nil
	}
	return &view.Revert{Plan: &model.Plan{}, Thread: thread, To: to, Latest: to}, nil
}

// Revert notes the call.
func (e *Engine) Revert(ctx context.Context, r *view.Revert, progress func(done, of int)) (*model.Result, error) {
	if err := e.enter(ctx, "revert"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	e.Calls = append(e.Calls, "revert "+r.Plan.Fingerprint)
	e.noted(model.HistoryEntry{ID: "01hrevert000000000000000000", Kind: "revert", Outcome: model.OutcomeComplete, Paths: model.Paths{"a"}})
	return &model.Result{ID: "01hrevert000000000000000000", Outcome: model.OutcomeComplete, Verified: true, Restored: model.Paths{"a"}, Conversation: &r.Conversation}, nil
}
