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

// Recorded tells whether turn n of a thread was recorded here as checkpoint id, in whatever
// work tree: it is there, or a revert took it out, or its end snapshot names the checkpoint.
// The name of the thread alone says nothing: two repositories may well have one "run".
func (l *Ledger) Recorded(ctx context.Context, thread model.ThreadID, n int, id model.ID) bool {
	dirs, err := l.d.Repo.StateDirs(ctx)
	if err != nil {
		return false
	}
	for _, d := range dirs {
		at := dirOf(d.Dir, thread)
		if !at.exists() {
			continue
		}
		reverts, _ := at.reverts()
		for _, dir := range append([]threadDir{at}, reverts...) {
			if t, err := dir.turn(n); err == nil && t.Turn.Checkpoint == id {
				return true
			}
		}
	}
	commit, err := l.d.Refs.Read(ctx, endRef(thread, n))
	if err != nil || commit == "" {
		return false
	}
	from, ok := l.originOf(ctx, commit, thread, n)
	return ok && from.trailer(trailerCheckpoint) == string(id)
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
