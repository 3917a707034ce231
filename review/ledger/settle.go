package ledger

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/model/durable"
)

// settle works off what earlier events could not finish, removes the locks of
// processes that were killed and their temporary files, and joins the packs that many turns left. It returns
// CodeLocked when a recording is under way: then that one does part of it.
func (l *Ledger) settle(ctx context.Context) error {
	recent := l.recentRefs()
	if l.unsettled() {
		if err := l.settleTurns(ctx); err != nil {
			return err
		}
	}
	if err := l.d.Refs.SweepAt(ctx, recent...); err != nil {
		return err
	}
	l.sweep()
	return l.d.Objects.Join(ctx)
}

// deadAfter is when a temporary file beside the stat table or the facts of the
// repository, or a folder that a file was converted in, is taken for one of a process
// that was killed.
const deadAfter = 10 * time.Minute

// sweep removes these: where somebody waits for a verb or a session begins, not at
// every capture.
func (l *Ledger) sweep() {
	durable.SweepStale(l.d.Repo.StateDir(), l.d.Clock().Add(-deadAfter), "table-", "facts-", "convert-")
}

// recentRefs are the refs that the last recordings moved: a lock that a killed one
// left lies there. Looking through all of them costs more with every turn.
func (l *Ledger) recentRefs() []string {
	s := l.readState()
	turns := append([]ThreadTurn{{s.Thread, s.Turn}}, l.marked(markOpen)...)
	var names []string
	for _, of := range append(turns, l.marked(markWaiting)...) {
		if of.Thread != "" {
			names = append(names, endRef(of.Thread, of.Turn), startRef(of.Thread, of.Turn), endRef(of.Thread, 0))
		}
	}
	return names
}

func (l *Ledger) settleTurns(ctx context.Context) error {
	// Whoever holds the lock is recording, and works off the inbox too: a review
	// that opens need not wait long.
	ctx, cancel := context.WithTimeout(ctx, settleWait)
	defer cancel()
	unlock, err := l.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = l.pass(ctx, nil, func(p *pass, _ *turnFile) error {
		for _, step := range []func(context.Context) error{p.closeAbandoned, p.fillMissing, p.writeWaiting} {
			if err := step(ctx); err != nil {
				return err
			}
		}
		return p.publish(ctx)
	})
	return err
}

// settleWait bounds settling as a whole.
const settleWait = 10 * time.Second

// unsettled tells whether there may be something to do, at the cost of a few
// looks into small folders, so that a review which opens need not lock.
func (l *Ledger) unsettled() bool {
	if !dirEmpty(filepath.Join(l.d.Repo.StateDir(), inboxName)) ||
		len(l.marked(markOpen)) > 0 || len(l.marked(markWaiting)) > 0 {
		return true
	}
	s := l.readState()
	if s.Thread == "" || s.Reverted {
		return false
	}
	t, err := dirOf(l.d.Repo.StateDir(), s.Thread).turn(s.Turn)
	return err != nil || fillable(t)
}

func dirEmpty(path string) bool {
	entries, err := os.ReadDir(path)
	return err != nil || len(entries) == 0
}

// closeAbandoned closes open turns whose agent is gone, with what is found now,
// and those that a crash left open behind a newer turn, without an end: what is
// found now is the newer turn's.
func (p *pass) closeAbandoned(ctx context.Context) error {
	for _, of := range p.l.marked(markOpen) {
		th, err := p.thread(ctx, of.Thread)
		if err != nil {
			return err
		}
		t, err := th.turn(of.Turn)
		if err != nil {
			return err
		}
		if t == nil || !t.open() {
			if err := p.l.clearMark(markOpen, of); err != nil {
				return err
			}
			continue
		}
		newest, err := th.newest()
		switch {
		case err != nil:
			return err
		case newest != t:
			err = p.closeBehind(ctx, th, t)
		case Gone(t.Process):
			err = p.close(ctx, th, t, ending{state: model.TurnInterrupted, at: p.now})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// closeBehind closes a turn that is open behind a newer one.
func (p *pass) closeBehind(ctx context.Context, th *threadState, t *turnFile) error {
	c := p.change(th, t)
	c.ended = true
	published, whole, err := p.adopt(ctx, t)
	if err != nil || whole {
		return err
	}
	t.Turn.State, t.Turn.CompletedAt = model.TurnInterrupted, &p.now
	if published != nil {
		c.published = published
		changes, err := p.captureEnd(ctx, c, "")
		if err != nil {
			return err
		}
		p.noteEnd(t)
		return p.record(ctx, c, changes)
	}
	if err := p.verifyStart(ctx, t); err != nil { // the same crash may have cut the start short
		return err
	}
	p.fail(t, model.StatusMissing, "its end was not captured: the recording was cut short, and a newer turn has started since")
	p.noteEnd(t)
	return p.record(ctx, c, nil)
}

// fillable tells whether a turn's end is missing and may still be captured.
func fillable(t *turnFile) bool {
	return !t.open() && !t.Aside && t.Turn.Start != nil && t.Turn.End == nil && t.Turn.CompletedAt != nil
}

// fillMissing captures the end that the newest turn lacks, if nothing at all has
// changed on disk since it ended: only then is what is found now its end.
func (p *pass) fillMissing(ctx context.Context) error {
	if p.state.Thread == "" || p.state.Reverted || len(p.l.marked(markOpen)) > 0 || len(p.changed) > 0 {
		return nil
	}
	th, err := p.thread(ctx, p.state.Thread)
	if err != nil {
		return err
	}
	t, err := th.turn(p.state.Turn)
	if err != nil || t == nil || !fillable(t) || !p.isNewest(th, t) {
		return err
	}
	snap, err := p.capture(ctx)
	if err != nil {
		return nil //nolint:nilerr // still missing, with the reason that it has
	}
	end := *t.Turn.CompletedAt
	same, err := p.unchangedSince(ctx, end, t.Turn.Start.Tree, snap.Tree)
	if err != nil || !same {
		return err
	}
	reason := "captured " + p.now.Sub(end).Round(time.Second).String() + " after the end; nothing had changed since"
	return p.endAgain(ctx, th, t, ending{state: t.Turn.State, at: end, messageID: t.Turn.MessageID, reason: reason})
}

// unchangedSince tells whether every file of now, and every folder of either tree,
// was last changed before the given time. Change times cannot be set by programs.
func (p *pass) unchangedSince(ctx context.Context, since time.Time, trees ...string) (bool, error) {
	folders := map[string]bool{".": true}
	quiet := errors.New("changed since")
	for i, tree := range trees {
		present := i == len(trees)-1
		err := p.l.d.Objects.DiffFunc(ctx, "", tree, func(c objects.TreeChange) error {
			for dir := path.Dir(string(c.Path)); !folders[dir]; dir = path.Dir(dir) {
				folders[dir] = true
			}
			if present && !p.olderThan(string(c.Path), since, true) {
				return quiet
			}
			return nil
		})
		if errors.Is(err, quiet) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	for dir := range folders {
		if !p.olderThan(dir, since, false) {
			return false, nil
		}
	}
	return true, nil
}

// olderThan tells whether what stands at path was last changed before since. A
// folder that is not there cannot tell; the one above it can, and is asked too.
func (p *pass) olderThan(name string, since time.Time, must bool) bool {
	info, err := os.Lstat(filepath.Join(p.l.d.Repo.Root, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return !must
	}
	if err != nil {
		return false
	}
	changed, ok := changeTime(info)
	return ok && !changed.After(since)
}

// writeWaiting writes the records that could not be written with their turns.
func (p *pass) writeWaiting(ctx context.Context) error {
	if p.l.d.Records == nil {
		return nil
	}
	for _, of := range p.l.marked(markWaiting) {
		th, err := p.thread(ctx, of.Thread)
		if err != nil {
			return err
		}
		t, err := th.turn(of.Turn)
		if err != nil {
			return err
		}
		if t == nil || t.open() {
			if err := p.l.clearMark(markWaiting, of); err != nil {
				return err
			}
			continue
		}
		c := p.change(th, t)
		c.ended = true
		changes, err := p.rawChanges(ctx, t)
		if err != nil {
			return err
		}
		if err := p.record(ctx, c, changes); err != nil {
			return err
		}
	}
	return nil
}
