package ledger

import (
	"context"
	"errors"

	"overturn/gitops/checkpoint"
	"overturn/model"
	"overturn/model/trace"
)

// endAgain works out a further end of a turn that is closed: where the state is
// another one than was captured, the agent worked on, and the end moves to it.
// Once a newer turn has started in the work tree, what is found now is no longer
// this turn's alone, and the end stays.
func (p *pass) endAgain(ctx context.Context, th *threadState, t *turnFile, e ending) error {
	if t.Aside || !p.isNewest(th, t) {
		return nil
	}
	snap, err := p.capture(ctx)
	if err != nil || t.Turn.End != nil && t.Turn.End.Tree == snap.Tree {
		return nil //nolint:nilerr // the end that was captured stands
	}
	c := p.change(th, t)
	c.ended = true
	old, ok, err := p.oldEnd(ctx, c)
	if err != nil {
		return err
	}
	if !ok {
		return p.record(ctx, c, nil)
	}
	t.Turn.State, t.Turn.CompletedAt = e.state, &e.at
	if e.messageID != "" {
		t.Turn.MessageID = e.messageID
	}
	if e.message != "" {
		c.lines = append(c.lines, evidenceLine{Kind: lineMessage, At: e.at, Text: shorten(e.message, maxText)})
	}
	changes, err := p.captureEnd(ctx, c, old)
	if err != nil {
		return err
	}
	if err := p.sayWhen(ctx, t, e); err != nil {
		return err
	}
	p.noteEnd(t)
	return p.record(ctx, c, changes)
}

// oldEnd returns what the ref of the turn's end holds, and keeps the state that
// it had captured as evidence. false: the ref holds something else than the end,
// and the turn says so.
func (p *pass) oldEnd(ctx context.Context, c *change) (string, bool, error) {
	t, end := c.t, c.t.Turn.End
	if end == nil {
		if t.Turn.Start != nil {
			t.Turn.Status, t.Turn.StatusReason = model.StatusReady, ""
		}
		return "", true, nil
	}
	held, err := p.l.d.Refs.Read(ctx, end.Ref)
	if err != nil {
		return "", false, err
	}
	if held != end.Commit {
		p.fail(t, model.StatusError, "the end was not moved: "+end.Ref+" holds "+orNothing(held)+", not the end that was recorded")
		return "", false, nil
	}
	captured := end.CapturedAt
	c.lines = append(c.lines, evidenceLine{Kind: lineEnd, At: *t.Turn.CompletedAt, Captured: &captured, Tree: end.Tree})
	return held, true, nil
}

func orNothing(oid string) string {
	if oid == "" {
		return "nothing"
	}
	return oid
}

// isNewest tells whether no turn has started after t, in its thread or in another
// thread of the work tree.
func (p *pass) isNewest(th *threadState, t *turnFile) bool {
	newest, err := th.newest()
	if err != nil || newest != t {
		return false
	}
	return p.state.Thread == "" || p.state.Thread == th.id && p.state.Turn == t.Turn.Number
}

// record adds the durable record of a turn that ended, or what it has become. A
// record that cannot be written waits: the snapshot is published all the same.
func (p *pass) record(ctx context.Context, c *change, changes []byte) error {
	t := c.t
	lines, err := p.evidence(c)
	if err != nil {
		return err
	}
	t.Turn.Effects = effectsOf(lines)
	if p.l.d.Records == nil {
		t.RecordWaits = "the store of records could not be opened"
		return nil
	}
	t.RecordWaits = ""
	rec := &checkpoint.Record{Format: checkpoint.FormatOf(p.l.d.Records.Type()), Turn: t.Turn, Evidence: linesJSON(lines), Changes: changes}
	pending, err := p.l.d.Records.Create(ctx, p.w, rec)
	if errors.Is(err, checkpoint.ErrExists) {
		pending, err = p.l.d.Records.Revise(ctx, p.w, t.Turn.Checkpoint, func(r *checkpoint.Record) error {
			r.Turn, r.Evidence = rec.Turn, rec.Evidence
			if rec.Changes != nil {
				r.Changes = rec.Changes
			}
			return nil
		})
	}
	if err != nil {
		t.RecordWaits = err.Error()
		p.note(trace.Event{Event: trace.CheckpointCreate, Outcome: "failed", Reason: err.Error(), ID: t.Turn.Checkpoint}, t)
		return nil
	}
	p.pending = append(p.pending, pending)
	p.updates = append(p.updates, pending.Updates...)
	p.note(trace.Event{Event: trace.CheckpointCreate, Outcome: string(t.Turn.Status), After: pending.Commit, ID: t.Turn.Checkpoint}, t)
	return nil
}

// mint makes the id of a checkpoint, in the spelling of the store that will hold
// it.
func (l *Ledger) mint() (model.ID, error) {
	if l.d.Records == nil {
		return l.d.IDs.New()
	}
	return l.d.Records.NewID(l.d.IDs)
}
