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

// Reverting is a revert of a thread as the ledger takes part in it: the turns
// behind boundary To, of which Latest was the newest, lie in a folder named by ID while
// they are out. Refs moves their refs, under the lock of the ledger, so that no event
// of a hook comes between; nil moves none.
type Reverting struct {
	Thread     model.ThreadID
	To, Latest int
	ID         model.ID
	Refs       func(ctx context.Context) error
}

func (d threadDir) revertedDir(id model.ID) threadDir {
	return threadDir{filepath.Join(d.path, revertedName, string(id))}
}

// goneOn refuses for a thread in which a turn was started since.
func goneOn(thread model.ThreadID, n int) error {
	return model.Refusedf("thread %q has gone on: turn %d was started since", thread, n).
		WithHint("the turns that are out are listed by `overturn turns --reverted --thread %s`", thread.Word())
}

// revert takes turns out of a thread of this work tree, refs first: a turn whose
// snapshots are not where they were says so, and no later turn meets them. The oldest
// goes first, so that until the last is out a turn that starts gets a number of its own.
func (l *Ledger) revert(ctx context.Context, r Reverting) error {
	return l.rearrange(ctx, r.Thread, func(p *pass, th *threadState) error {
		if r.To < 0 || r.To > r.Latest {
			return model.Usagef("thread %q has no boundary %d to go back to", r.Thread, r.To)
		}
		taken := th.dir.revertedDir(r.ID)
		out, err := taken.numbers()
		if err != nil {
			return err
		}
		if slices.Contains(out, r.Latest) {
			return nil // all of it was done; what the thread has now came since
		}
		if open, err := th.openTurn(); err != nil || open != nil {
			return errors.Join(err, model.Refusedf("turn %d of thread %q is open", th.last, r.Thread).
				WithHint("wait for the agent, or end it with `overturn turn end --thread %s`", r.Thread.Word()))
		}
		if th.last > r.Latest {
			return goneOn(r.Thread, th.last)
		}
		if r.Refs != nil {
			if err := r.Refs(ctx); err != nil {
				return err
			}
		}
		if err := moveTurns(th.dir, taken, r, false); err != nil {
			return err
		}
		return p.restate(th, true)
	})
}

// unrevert puts them back, the newest first, for the same reason, and then the refs.
func (l *Ledger) unrevert(ctx context.Context, r Reverting) error {
	return l.rearrange(ctx, r.Thread, func(p *pass, th *threadState) error {
		from := th.dir.revertedDir(r.ID)
		if err := th.hasGoneOn(from, r); err != nil {
			return err
		}
		if err := moveTurns(from, th.dir, r, true); err != nil {
			return err
		}
		if r.Refs != nil {
			if err := r.Refs(ctx); err != nil {
				return err
			}
		}
		return p.restate(th, false)
	})
}

func (l *Ledger) canUnrevert(ctx context.Context, r Reverting) error {
	th, err := l.load(ctx, l.d.Repo.StateDir(), r.Thread)
	if err != nil {
		return err
	}
	return th.hasGoneOn(th.dir.revertedDir(r.ID), r)
}

// hasGoneOn refuses where a turn was started after those in out were taken out.
func (s *threadState) hasGoneOn(out threadDir, r Reverting) error {
	taken, err := out.numbers()
	if err != nil || !slices.Contains(taken, r.Latest) {
		return err // nothing is out, or the newest is back: what is newer came behind it
	}
	if s.last > r.To {
		return goneOn(r.Thread, s.last)
	}
	return nil
}

// moveTurns moves the local files of the turns of r from one folder to another:
// evidence and lists first, so that a turn is never where these are not, and makes that
// durable. It can be run again after it was cut short.
func moveTurns(from, to threadDir, r Reverting, falling bool) error {
	numbers, err := from.numbers()
	numbers = slices.DeleteFunc(numbers, func(n int) bool { return n <= r.To || n > r.Latest })
	if err != nil || len(numbers) == 0 {
		return err
	}
	if falling {
		slices.Reverse(numbers)
	}
	durable.Point("ledger.moveturns.mkdir")
	if err := os.MkdirAll(to.path, 0o700); err != nil {
		return localFailure(err, to.path)
	}
	folders := map[string]bool{from.path: true, to.path: true, filepath.Dir(to.path): true}
	for _, n := range numbers {
		if err := to.makeRoom(n); err != nil {
			return err
		}
		folders[from.room(n)], folders[to.room(n)] = true, true
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
	for dir := range folders {
		if err := durable.SyncDir(dir); err != nil {
			return localFailure(err, dir)
		}
	}
	return nil
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
// moved, and makes a new generation. The newest turn behind a revert does not move its
// end any more: an event that comes late is of a turn that is out.
func (p *pass) restate(th *threadState, reverted bool) error {
	if p.state.Thread == th.id {
		last, err := th.dir.last()
		if err != nil {
			return err
		}
		p.state = stateFile{Thread: th.id, Reverted: reverted}
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
