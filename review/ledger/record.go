package ledger

import (
	"context"
	"errors"
	"slices"

	"overturn/gitops/checkpoint"
	"overturn/gitops/refs"
	"overturn/model"
	"overturn/model/trace"
)

// recordWrite is the record of a turn that this pass writes.
type recordWrite struct {
	t       *turnFile
	rec     *checkpoint.Record
	pending checkpoint.Pending
	event   int // of the pass's events, that tells of it
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
	if err := p.suit(ctx, t); err != nil {
		return err
	}
	t.RecordWaits = ""
	r := recordWrite{t: t, event: len(p.events)}
	r.rec = &checkpoint.Record{Format: checkpoint.FormatOf(p.l.d.Records.Type()), Turn: t.Turn, Evidence: linesJSON(lines), Changes: changes,
		Repository: p.l.repositoryID(ctx)}
	if p.l.d.ShareSnapshots {
		r.rec.Snapshots = snapshotsOf(&t.Turn)
	}
	p.note(trace.Event{Event: trace.CheckpointCreate, ID: t.Turn.Checkpoint}, t)
	p.write(ctx, r)
	return nil
}

func snapshotsOf(t *model.Turn) checkpoint.Snapshots {
	var s checkpoint.Snapshots
	if t.Start != nil {
		s.Start = t.Start.Tree
	}
	if t.End != nil {
		s.End = t.End.Tree
	}
	return s
}

// suit gives a turn without a record an id that the store can make: the settings may
// have named another store when the turn started, or none could be opened.
func (p *pass) suit(ctx context.Context, t *turnFile) error {
	records := p.l.d.Records
	if records == nil || checkpoint.Makes(records.Type(), t.Turn.Checkpoint) {
		return nil
	}
	if _, err := records.Read(ctx, t.Turn.Checkpoint); !errors.Is(err, checkpoint.ErrNotFound) {
		return nil //nolint:nilerr // it is there, or may be: an update finds it and says what is wrong
	}
	id, err := p.l.mint()
	if err == nil {
		t.Turn.Checkpoint = id
	}
	return err
}

// write works out the write of a record: it is created, or it becomes what the turn
// has become.
func (p *pass) write(ctx context.Context, r recordWrite) {
	records := p.l.d.Records
	var err error
	if checkpoint.Makes(records.Type(), r.rec.ID()) {
		r.pending, err = records.Create(ctx, p.w, r.rec)
	} else {
		err = checkpoint.ErrExists // in the store that made its id
	}
	if errors.Is(err, checkpoint.ErrExists) {
		r.pending, err = records.Revise(ctx, p.w, r.rec.ID(), func(now *checkpoint.Record) error {
			if endOf(&now.Turn) != endOf(&r.rec.Turn) { // the turn went on: what was told of it ends too early
				now.Transcript, now.Attribution = nil, nil
			}
			now.Turn, now.Evidence, now.Snapshots = r.rec.Turn, r.rec.Evidence, r.rec.Snapshots
			if r.rec.Changes != nil {
				now.Changes = r.rec.Changes
			}
			return nil
		})
	}
	if err != nil {
		p.waits(r, err.Error())
		return
	}
	event := &p.events[r.event]
	event.Outcome, event.After = string(r.t.Turn.Status), r.pending.Commit
	p.records = append(p.records, r)
}

func endOf(t *model.Turn) string {
	if t.End == nil {
		return ""
	}
	return t.End.Tree
}

// waits leaves a record for a later event, or for Settle.
func (p *pass) waits(r recordWrite, reason string) {
	r.t.RecordWaits = reason
	event := &p.events[r.event]
	event.Outcome, event.Reason, event.After = "failed", reason, ""
}

// allUpdates are the refs that this pass moves: those of boundaries and of records.
func (p *pass) allUpdates() []refs.Update {
	updates := slices.Clone(p.updates)
	for _, r := range p.records {
		updates = checkpoint.Merge(updates, r.pending.Updates...)
	}
	return updates
}

// overtaken tells whether the records of this pass were written by another process
// first, or the branch that holds all of them was moved: they are then worked out
// anew from what is there now. A boundary's ref has one writer, and does not come
// here.
func (p *pass) overtaken(err error) bool {
	var moved *refs.MovedError
	return errors.As(err, &moved) && slices.ContainsFunc(p.records, func(r recordWrite) bool {
		return slices.ContainsFunc(r.pending.Updates, func(u refs.Update) bool { return u.Name == moved.Name })
	})
}

func (p *pass) recordsAgain(ctx context.Context) {
	again := p.records
	p.records = nil
	for _, r := range again {
		p.write(ctx, r)
	}
}

// recordsWait leaves all records of the pass for later.
func (p *pass) recordsWait(reason string) {
	for _, r := range p.records {
		p.waits(r, reason)
	}
	p.records = nil
}
