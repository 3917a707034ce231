package ledger

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"overturn/model"
	"overturn/model/durable"
)

func (d threadDir) revertedDir(id model.ID) threadDir {
	return threadDir{filepath.Join(d.path, revertedName, string(id))}
}

// moveTurns moves the local files of the turns that pick names from one folder to
// another: evidence and lists first, so that a turn is never where these are not. It
// can be run again after it was cut short.
func moveTurns(from, to threadDir, pick func(n int) bool) error {
	numbers, err := from.numbers()
	if err != nil {
		return err
	}
	durable.Point("ledger.moveturns.mkdir")
	if err := os.MkdirAll(to.path, 0o700); err != nil {
		return localFailure(err, to.path)
	}
	for _, n := range slices.Backward(numbers) {
		if !pick(n) {
			continue
		}
		if err := to.makeRoom(n); err != nil {
			return err
		}
		for _, pair := range [][2]string{{from.evidencePath(n), to.evidencePath(n)}, {from.listsPath(n), to.listsPath(n)}} {
			durable.Point("ledger.moveturns.rename")
			if err := os.Rename(pair[0], pair[1]); err != nil && !errors.Is(err, os.ErrNotExist) {
				return localFailure(err, to.path)
			}
		}
		durable.Point("ledger.moveturns.rename")
		if err := os.Rename(from.turnPath(n), to.turnPath(n)); err != nil {
			return localFailure(err, to.path)
		}
	}
	return nil
}

// revert takes turns out of a thread of this work tree.
func (l *Ledger) revert(ctx context.Context, thread model.ThreadID, to int, id model.ID) error {
	return l.rearrange(ctx, thread, func(p *pass, th *threadState) error {
		if to < 0 || to > th.last {
			return model.Usagef("thread %q has no boundary %d", thread, to)
		}
		if open, err := th.openTurn(); err != nil || open != nil {
			return errors.Join(err, model.Refusedf("turn %d of thread %q is open", th.last, thread).
				WithHint("wait for the agent, or end it with `overturn turn end --thread %s`", thread))
		}
		if err := moveTurns(th.dir, th.dir.revertedDir(id), func(n int) bool { return n > to }); err != nil {
			return err
		}
		return p.restate(th)
	})
}

// unrevert puts them back.
func (l *Ledger) unrevert(ctx context.Context, thread model.ThreadID, id model.ID) error {
	return l.rearrange(ctx, thread, func(p *pass, th *threadState) error {
		from := th.dir.revertedDir(id)
		numbers, err := from.numbers()
		if err != nil || len(numbers) == 0 {
			return err
		}
		if th.last >= numbers[0] {
			return model.Refusedf("thread %q has gone on: turn %d was started after the revert", thread, th.last).
				WithHint("the turns taken out can be looked at with `overturn turns --reverted --thread %s`", thread)
		}
		if err := moveTurns(from, th.dir, func(int) bool { return true }); err != nil {
			return err
		}
		return p.restate(th)
	})
}

// rearrange runs change under the lock, on a thread of this work tree.
func (l *Ledger) rearrange(ctx context.Context, thread model.ThreadID, change func(*pass, *threadState) error) error {
	unlock, err := l.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if !dirOf(l.d.Repo.StateDir(), thread).exists() {
		return model.Refusedf("thread %q was not recorded in this work tree", thread).
			WithHint("go to the work tree that `overturn threads` names")
	}
	p := l.newPass()
	defer p.w.Discard()
	th, err := l.load(ctx, l.d.Repo.StateDir(), thread)
	if err != nil {
		return err
	}
	return change(p, th)
}

// restate says anew which turn is the newest of the work tree, after turns of th
// moved, and makes a new generation.
func (p *pass) restate(th *threadState) error {
	if p.state.Thread == th.id {
		last, err := th.dir.last()
		if err != nil {
			return err
		}
		p.state = stateFile{Thread: th.id}
		if last > 0 {
			t, err := th.dir.turn(last)
			if err != nil {
				return err
			}
			p.state.Turn, p.state.StartedAt = t.Turn.Number, t.Turn.StartedAt
		}
	}
	return p.l.writeState(p.state, stateFile{})
}

// revertedTurns lists the turns of a thread that reverts took out.
func (l *Ledger) revertedTurns(ctx context.Context, thread model.ThreadID) ([]model.Turn, error) {
	dirs, err := l.d.Repo.StateDirs(ctx)
	if err != nil {
		return nil, err
	}
	var list []model.Turn
	for _, d := range dirs {
		base := dirOf(d.Dir, thread)
		reverts, err := os.ReadDir(filepath.Join(base.path, revertedName))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, model.Failf(err, "cannot list the reverted turns of thread %q", thread)
		}
		for _, r := range slices.Backward(reverts) {
			from := base.revertedDir(model.ID(r.Name()))
			numbers, err := from.numbers()
			if err != nil {
				return nil, err
			}
			for _, n := range slices.Backward(numbers) {
				th := &threadState{id: thread, dir: from, recover: func(n int) *turnFile { return &turnFile{} }}
				if t, err := from.turn(n); err == nil {
					th.fill(t)
					list = append(list, t.Turn)
				}
			}
		}
	}
	return list, nil
}
