package ledger

import (
	"context"
	"slices"

	"overturn/model"
)

// parkedRoot is where a revert puts the refs of the turns that it takes out (CONTRACT,
// section 4).
const parkedRoot = "refs/overturn/reverted"

// revertedTurns lists the turns of a thread that reverts took out, with the refs that
// their snapshots lie under by now.
func (l *Ledger) revertedTurns(ctx context.Context, thread model.ThreadID) ([]model.Turn, error) {
	dirs, err := l.d.Repo.StateDirs(ctx)
	if err != nil {
		return nil, err
	}
	refs, err := l.d.Refs.List(ctx, parkedRoot)
	if err != nil {
		return nil, model.Failf(err, "cannot look up the snapshots")
	}
	parked := make(map[string]string, len(refs))
	for _, r := range refs {
		parked[r.OID] = r.Name
	}
	var list []model.Turn
	for _, d := range dirs {
		reverts, err := dirOf(d.Dir, thread).reverts()
		if err != nil {
			return nil, err
		}
		for _, from := range reverts {
			turns, err := l.outOf(ctx, thread, from, parked)
			if err != nil {
				return nil, err
			}
			list = append(list, turns...)
		}
	}
	return list, nil
}

// outOf lists the turns that lie in a folder of one revert, the newest first. The start
// of one may have been parked by another revert.
func (l *Ledger) outOf(ctx context.Context, thread model.ThreadID, from threadDir, parked map[string]string) ([]model.Turn, error) {
	numbers, err := from.numbers()
	if err != nil {
		return nil, err
	}
	th := &threadState{id: thread, dir: from, recover: func(int) *turnFile { return &turnFile{} }}
	var files []*turnFile
	for _, n := range slices.Backward(numbers) {
		t, err := from.turn(n)
		if err != nil {
			continue // damaged: nothing else tells of it
		}
		for _, b := range []*model.Boundary{t.Turn.Start, t.Turn.End} {
			if b != nil && parked[b.Commit] != "" {
				b.Ref = parked[b.Commit]
			}
		}
		if t.Turn.End != nil {
			t.Turn.Ref = t.Turn.End.Ref
		}
		files = append(files, t)
	}
	held, err := l.heldRefs(ctx, files...)
	if err != nil {
		return nil, err
	}
	list := make([]model.Turn, 0, len(files))
	for _, t := range files {
		seen, err := l.viewWith(th, t, held, false)
		if err != nil {
			return nil, err
		}
		list = append(list, seen)
	}
	return list, nil
}
