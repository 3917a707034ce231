package backfill

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/model"
)

// Outcome is what came of one record.
type Outcome string

// The outcomes.
const (
	Filled  Outcome = "filled"  // something was added
	Whole   Outcome = "whole"   // there was nothing to add
	Absent  Outcome = "absent"  // there is no such record, here or on a remote
	Failed  Outcome = "failed"  // it, or what was to be added, could not be read or written
	Damaged Outcome = "damaged" // it is there and not whole
)

// The parts that are added.
const (
	PartSummary     = "summary"
	PartTranscript  = "transcript"
	PartAttribution = "attribution"
)

// Ledger tells of turns.
type Ledger interface {
	Transcript(ctx context.Context, thread model.ThreadID, n int) ([]byte, error)
	Resummarise(ctx context.Context, thread model.ThreadID, n int) (model.Turn, error)
}

// Deps is what a backfill works with.
type Deps struct {
	Ledger  Ledger
	Records checkpoint.Store // one that may fetch, where the user asked for it
	// Files are the changes of a turn with their owners, as a review shows them; nil: no
	// attribution is made.
	Files func(ctx context.Context, thread model.ThreadID, n int) ([]model.FileChange, error)
	Clock model.Clock
}

// Result is one turn.
type Result struct {
	Thread  model.ThreadID `json:"thread"`
	Turn    int            `json:"turn"`
	ID      model.ID       `json:"id"`
	Outcome Outcome        `json:"outcome"`
	Added   []string       `json:"added"`
	Reason  string         `json:"reason,omitempty"`
}

// Turn adds to the record of one turn what it lacks.
func (d Deps) Turn(ctx context.Context, t *model.Turn) Result {
	r := Result{Thread: t.Thread, Turn: t.Number, ID: t.Checkpoint, Outcome: Whole, Added: []string{}}
	if t.State == model.TurnOpen {
		r.Reason = "the turn is not over"
		return r
	}
	rec, err := d.Records.Read(ctx, t.Checkpoint)
	if err != nil {
		return r.failed(err)
	}
	var reasons []error
	if summed, err := d.summary(ctx, rec); err != nil {
		reasons = append(reasons, err)
	} else if summed {
		r.Added = append(r.Added, PartSummary)
	}
	if t.Status != model.StatusReady {
		d.Files = nil // without both of its snapshots nothing says who changed what
	}
	add, err := d.late(ctx, rec, &r)
	reasons = append(reasons, err)
	if add != nil {
		if err := d.Records.Update(ctx, t.Checkpoint, add); err != nil {
			r.Added = r.Added[:0]
			return r.failed(err)
		}
	}
	if len(r.Added) > 0 {
		r.Outcome = Filled
	}
	if err := errors.Join(reasons...); err != nil {
		r.Outcome, r.Reason = Failed, err.Error()
	}
	return r
}

// late works out the parts that come after the turn; nil: there is nothing to add.
func (d Deps) late(ctx context.Context, rec *checkpoint.Record, r *Result) (func(*checkpoint.Record) error, error) {
	var reasons []error
	part, err := d.Ledger.Transcript(ctx, r.Thread, r.Turn)
	if err != nil {
		part = nil
		if rec.Transcript == nil || !errors.Is(err, fs.ErrNotExist) { // else the record has what the agent removed
			reasons = append(reasons, err)
		}
	}
	if len(part) > len(rec.Transcript) && bytes.HasPrefix(part, rec.Transcript) { // else it was cut back, or written anew
		r.Added = append(r.Added, PartTranscript)
	} else {
		part = nil
	}
	var files []model.FileChange
	if d.Files != nil && rec.Attribution == nil {
		owned, err := d.Files(ctx, r.Thread, r.Turn)
		if err != nil {
			reasons = append(reasons, err)
		} else {
			r.Added = append(r.Added, PartAttribution)
			files = model.NotNil(owned)
		}
	}
	if part == nil && files == nil {
		return nil, errors.Join(reasons...)
	}
	end, now := rec.Turn.End, d.Clock().UTC().Truncate(time.Second)
	return func(current *checkpoint.Record) error {
		if part != nil && bytes.HasPrefix(part, current.Transcript) {
			current.Transcript = part
		}
		if files != nil && sameEnd(end, current.Turn.End) { // not where the turn went on meanwhile
			current.Attribution = &checkpoint.Attribution{At: now, Files: files}
		}
		return nil
	}, errors.Join(reasons...)
}

func sameEnd(a, b *model.Boundary) bool { return a != nil && b != nil && a.Tree == b.Tree }

// summary has the ledger make the summary of files that failed.
func (d Deps) summary(ctx context.Context, rec *checkpoint.Record) (bool, error) {
	if t := &rec.Turn; t.Files != nil || t.Status != model.StatusReady || t.Start == nil || t.End == nil {
		return false, nil
	}
	t, err := d.Ledger.Resummarise(ctx, rec.Turn.Thread, rec.Turn.Number)
	return err == nil && t.Files != nil, err
}

// failed tells the three answers of a miss apart.
func (r Result) failed(err error) Result {
	r.Outcome, r.Reason = Failed, err.Error()
	switch {
	case errors.Is(err, checkpoint.ErrNotFound):
		r.Outcome = Absent
	case errors.Is(err, checkpoint.ErrCorrupt):
		r.Outcome = Damaged
	}
	return r
}

// Transcripts adds the transcripts of a thread's turns, the newest first, up to the
// first one whose record has its own already: what a session that ends has to tell.
// Attributions are not made.
func (d Deps) Transcripts(ctx context.Context, turns []model.Turn) error {
	d.Files = nil
	var failed error
	for i := len(turns) - 1; i >= 0 && ctx.Err() == nil; i-- {
		r := d.Turn(ctx, &turns[i])
		switch r.Outcome {
		case Whole:
			return failed
		case Filled:
		default:
			failed = errors.Join(failed, model.Errorf(model.CodeFailed, "the record of turn %d was not filled: %s", r.Turn, r.Reason))
		}
	}
	return failed
}
