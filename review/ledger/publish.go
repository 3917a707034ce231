package ledger

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"overturn/gitops/checkpoint"
	"overturn/gitops/refs"
	"overturn/model"
	"overturn/model/durable"
)

// publish writes what the pass worked out, in the order that the package comment
// gives, and says what a crash at each point leaves.
func (p *pass) publish(ctx context.Context) error {
	if len(p.changed) == 0 {
		p.release("")
		p.tell(ctx)
		return nil
	}
	if err := p.noteStarts(); err != nil {
		p.release("")
		return err
	}
	durable.Point("ledger.start.noted")
	err := p.store(ctx)
	if errors.Is(err, ErrDeferred) {
		p.release("")
		return err
	}
	if err != nil {
		p.giveUp(err)
	}
	durable.Point("ledger.published")
	if err := p.noteEnds(); err != nil {
		return err
	}
	durable.Point("ledger.end.noted")
	if err := p.tellLateWriters(); err != nil {
		return err
	}
	p.release(p.commit)
	if err := p.l.writeState(p.state, p.stateBefore); err != nil {
		return err
	}
	p.tell(ctx)
	return nil
}

// noteStarts writes down the turns that open. It comes before the refs: a turn
// whose start is not there counts as not captured, whereas a start ref without
// its turn would be in the way of the next one.
func (p *pass) noteStarts() error {
	for _, c := range p.changed {
		if !c.started {
			continue
		}
		if err := p.l.own.claim(); err != nil {
			return err
		}
		if c.thread != nil {
			if err := c.th.dir.writeThread(*c.thread); err != nil {
				return err
			}
		}
		if err := p.flushLines(c); err != nil {
			return err
		}
		// the mark first: one without its turn is passed over, a turn without its
		// mark would never be closed
		if err := p.l.setMark(markOpen, ThreadTurn{c.th.id, c.t.Turn.Number}); err != nil {
			return err
		}
		if err := c.th.dir.writeTurn(c.t, true); err != nil {
			return err
		}
		p.noteFolders(c)
	}
	return nil
}

// noteFolders notes the folder of a turn's file, and those above that may be as new.
func (p *pass) noteFolders(c *change) {
	room := c.th.dir.room(c.t.Turn.Number)
	p.folders = append(p.folders, room)
	if room != c.th.dir.path {
		p.folders = append(p.folders, c.th.dir.path)
	}
	if c.thread != nil {
		state := p.l.d.Repo.StateDir()
		p.folders = append(p.folders, ledgerDir(state), state, filepath.Dir(state))
	}
}

// flush makes the objects durable, in one round of syncs with the locks of refs and
// the folders noted.
func (p *pass) flush(ctx context.Context, locks ...*os.File) error {
	also := slices.Clone(locks)
	for _, folder := range p.folders {
		f, err := os.Open(folder)
		if err != nil {
			return localFailure(err, folder)
		}
		defer f.Close()
		also = append(also, f)
	}
	return p.w.Flush(ctx, also...)
}

// store makes the objects durable and moves the refs, all or none. A record that
// cannot be written beside the snapshots, since others keep writing the ref that it
// shares with theirs, or hold its lock, waits: the snapshots are published.
func (p *pass) store(ctx context.Context) error {
	var failed error
	flushed := true
	err := checkpoint.Persist(ctx, "the records of turns", func() error {
		flushed, failed = p.publishRefs(ctx)
		if !flushed || !p.overtaken(failed) {
			return nil
		}
		p.recordsAgain(ctx)
		return refs.ErrMoved
	})
	if err == nil {
		err = failed
	}
	if err == nil || !flushed || len(p.records) == 0 || ctx.Err() != nil || errors.Is(err, ErrDeferred) {
		return err
	}
	p.recordsWait(err.Error())
	_, err = p.publishRefs(ctx)
	return err
}

// publishRefs tells, beside its error, whether what it wrote can still be published:
// objects whose flush failed are gone.
func (p *pass) publishRefs(ctx context.Context) (flushed bool, err error) {
	updates := p.allUpdates()
	if len(updates) == 0 && p.w.Pending() == 0 {
		if err := p.flush(ctx); err != nil {
			return false, err
		}
		return true, p.l.own.claim()
	}
	change, err := p.l.d.Refs.Begin(ctx, updates)
	if err != nil {
		return true, err
	}
	defer change.Release()
	if err := p.flush(ctx, change.Locks()...); err != nil {
		return false, err
	}
	durable.Point("ledger.flushed")
	if err := p.l.own.claim(); err != nil {
		return false, err
	}
	return true, change.Commit(ctx)
}

// giveUp turns what was worked out into turns that say why it could not be kept.
// An end that was to be moved stays as it was.
func (p *pass) giveUp(cause error) {
	p.commit, p.records = "", nil
	kept := p.changed[:0]
	for _, c := range p.changed {
		if before, err := c.th.dir.turn(c.t.Turn.Number); err == nil && !before.open() {
			*c.t = *before
			continue
		}
		reason := "the snapshot could not be stored: " + cause.Error()
		if c.ended {
			c.t.RecordWaits = reason
		}
		kept = append(kept, c)
		if c.t.Aside {
			continue // it has no snapshot to lose
		}
		if c.started {
			c.t.Turn.Start = nil
		}
		c.t.Turn.Status = model.StatusReady
		c.t.Turn.End, c.t.Turn.Ref, c.t.Turn.Files, c.t.Beside = nil, "", nil, ""
		p.fail(c.t, model.StatusError, reason)
	}
	p.changed = kept
}

// noteEnds writes down the turns that closed, and again those that opened when
// that came to nothing.
func (p *pass) noteEnds() error {
	for _, c := range p.changed {
		of := ThreadTurn{c.th.id, c.t.Turn.Number}
		if c.thread != nil && !c.started {
			if err := c.th.dir.writeThread(*c.thread); err != nil {
				return err
			}
		}
		if err := p.flushLines(c); err != nil {
			return err
		}
		if c.started && c.t.open() && c.t.Turn.Status == model.StatusReady {
			continue // written by noteStarts, and nothing happened since
		}
		if err := c.th.dir.writeTurn(c.t, false); err != nil {
			return err
		}
		if c.t.open() {
			continue
		}
		if err := p.l.clearMark(markOpen, of); err != nil {
			return err
		}
		if err := p.markWaiting(c, of); err != nil {
			return err
		}
	}
	return nil
}

func (p *pass) markWaiting(c *change, of ThreadTurn) error {
	if c.t.RecordWaits != "" {
		return p.l.setMark(markWaiting, of)
	}
	return p.l.clearMark(markWaiting, of)
}

func (p *pass) flushLines(c *change) error {
	if len(c.lines) == 0 {
		return nil
	}
	lines := c.lines
	c.lines = nil
	return c.th.dir.appendEvidence(c.t.Turn.Number, lines...)
}

// release hands the stat table of the capture back.
func (p *pass) release(commit string) {
	if p.snap == nil {
		return
	}
	// The table is a means to be quick: without it the next capture costs more and
	// is as true, so that its failure is not the turn's.
	if commit == "" {
		_ = p.snap.Discarded()
		return
	}
	_ = p.snap.Published(commit)
}

// tell lets those know who follow, and drops the inbox files that are done.
func (p *pass) tell(ctx context.Context) {
	for _, r := range p.records {
		if r.pending.Published != nil {
			r.pending.Published(ctx)
		}
	}
	p.l.d.Trace.Record(p.events...)
	for _, path := range p.unlinked {
		// A file that stays is worked off again, and finds its turn as it left it.
		durable.Point("ledger.tell.remove")
		_ = os.Remove(path)
	}
}
