package ledger

import (
	"context"

	"overturn/model"
)

// Has tells whether a thread of that very id is recorded, in whatever work tree.
func (l *Ledger) Has(ctx context.Context, id model.ThreadID) bool {
	th, err := l.find(ctx, id)
	return err == nil && th.id == id
}

// Recorded tells whether turns of a thread of that very id were recorded, in whatever work
// tree: those that are there, and those that reverts took out.
func (l *Ledger) Recorded(ctx context.Context, id model.ThreadID) bool {
	dirs, err := l.d.Repo.StateDirs(ctx)
	return err == nil && recorded(dirs, id) || l.Has(ctx, id)
}

// Thread is the row of one thread, as Threads lists it (CodeUsage when there is none).
func (l *Ledger) Thread(ctx context.Context, id model.ThreadID) (model.Thread, error) {
	all, err := l.Threads(ctx)
	if err != nil {
		return model.Thread{}, err
	}
	for _, t := range all {
		if t.ID == id {
			return t, nil
		}
	}
	return model.Thread{}, model.Usagef("no thread %q is recorded here", id).WithHint("`overturn threads` lists them")
}
