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

// markReverted marks the records of turns that reverts took out of their threads.
func (e *engines) markReverted(ctx context.Context, rows []checkpointWire) error {
	out := map[model.ThreadID][]model.ID{}
	for i := range rows {
		thread := rows[i].Thread
		if thread == "" {
			continue
		}
		if _, known := out[thread]; !known {
			ids, err := e.revertedRecords(ctx, thread)
			if err != nil {
				return err
			}
			out[thread] = ids
		}
		rows[i].Reverted = slices.Contains(out[thread], rows[i].ID)
	}
	return nil
}

// revertedRecords are the ids of the records of turns that are out of a thread.
func (e *engines) revertedRecords(ctx context.Context, thread model.ThreadID) ([]model.ID, error) {
	turns, err := e.ledger.Reverted(ctx, thread)
	var ids []model.ID
	for i := range turns {
		ids = append(ids, turns[i].Checkpoint)
	}
	return ids, err
}
