package cli

import (
	"context"
	"slices"

	"overturn/model"
)

// turns are the newest turns of a thread, oldest first, or those that reverts took out
// of it. Such a thread may have no others.
func (e *engines) turns(ctx context.Context, name string, limit int, reverted bool) (model.ThreadID, []model.Turn, error) {
	id, err := e.thread(ctx, name)
	if err != nil && reverted {
		if whole := e.ledger.HasReverted(name); whole != "" {
			id, err = whole, nil
		}
	}
	if err != nil {
		return "", nil, err
	}
	if !reverted {
		turns, err := e.book.Turns(ctx, id, limit)
		return id, turns, err
	}
	turns, err := e.ledger.Reverted(ctx, id)
	if limit > 0 {
		turns = turns[:min(limit, len(turns))]
	}
	slices.Reverse(turns)
	return id, turns, err
}
