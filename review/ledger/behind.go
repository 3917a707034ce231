package ledger

import (
	"context"
	"slices"

	"overturn/gitops"
	"overturn/model"
)

// behind is a thread whose folder is gone with its work tree, or was removed, while
// its refs and records stand: as they tell it, for reading. nil when nothing stands.
func (l *Ledger) behind(ctx context.Context, id model.ThreadID) (*threadState, error) {
	all, err := l.d.Refs.List(ctx, threadRefs(id))
	if err != nil {
		return nil, err
	}
	th := &threadState{
		id: id, dir: dirOf(l.d.Repo.StateDir(), id), turns: map[int]*turnFile{}, held: map[int]bool{},
		recover: func(n int) *turnFile { return l.recoverTurn(ctx, id, n) },
	}
	for _, ref := range all {
		if of, n, _, err := ParseRef(ref.Name); err == nil && of == id && n > 0 {
			th.held[n], th.last = true, max(th.last, n)
		}
	}
	if th.last == 0 {
		return nil, nil
	}
	return th, nil
}

// behindRows lists the threads that have refs and are in none of the folders.
func (l *Ledger) behindRows(ctx context.Context, dirs []gitops.StateDir) ([]model.Thread, error) {
	parts, err := l.d.Refs.Parts(ctx, refRoot)
	if err != nil {
		return nil, err
	}
	var list []model.Thread
	for _, part := range parts {
		id, err := model.ThreadFromRefPart(part)
		if err != nil || recorded(dirs, id) {
			continue
		}
		th, err := l.behind(ctx, id)
		if err != nil {
			return nil, err
		}
		if th == nil {
			continue
		}
		t := th.recover(th.last)
		if t.Turn.Start == nil && t.Turn.End == nil {
			continue // what its refs hold is not ours
		}
		list = append(list, model.Thread{
			ID: id, Agent: t.Turn.Agent, WorkTree: t.Turn.WorkTree, Title: titleOf(t.Turn.Prompt), Turns: th.last, LastAt: lastAt(t.Turn), Source: model.SourceLocal,
		})
	}
	return list, nil
}

// ownBehind is what is left of this work tree's threads where their folders are gone.
func (l *Ledger) ownBehind(ctx context.Context) ([]model.Thread, error) {
	dirs, err := l.d.Repo.StateDirs(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := l.behindRows(ctx, dirs)
	return slices.DeleteFunc(rows, func(t model.Thread) bool { return t.WorkTree != l.d.Repo.WorkTree }), err
}

// recorded tells whether a work tree has the folder of the thread.
func recorded(dirs []gitops.StateDir, id model.ThreadID) bool {
	for _, d := range dirs {
		if dirOf(d.Dir, id).exists() {
			return true
		}
	}
	return false
}
