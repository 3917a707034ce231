package rollback

import (
	"context"
	"errors"

	"overturn/model"
	"overturn/model/durable"
	"overturn/model/trace"
	"overturn/review/ledger"
	"overturn/rollback/journal"
	"overturn/rollback/restore"
)

// run is one task on its way through the journal.
type run struct {
	e       *Engine
	t       *task
	p       journal.Prepared
	log     *journal.Writer
	batch   *restore.Batch
	steps   []*restore.Step // as p.Targets
	order   []*restore.Step // as they are swapped
	failed  map[int]string  // step to the reason why it was left
	notes   []model.Noted   // for Kept of the report
	indexed bool
	pruned  func() error    // how it went that old kept files were let go
	wait    context.Context // the caller's: it may end while an agent is waited for
}

// carry does what a task says: safety snapshot, journal, besides, swaps, marks,
// read back. A failure before the first swap leaves nothing; after it, what was
// done is unwound, or with partial left out. Old kept files go meanwhile: what lies
// there is of settled rollbacks alone.
func (e *Engine) carry(ctx context.Context, t *task) (*model.Result, error) {
	pruned := e.pruneMeanwhile()
	defer func() { _ = pruned() }() // where it matters it was asked for
	r, err := e.begin(ctx, t)
	if err != nil {
		if ctx.Err() != nil {
			err = cancelled(ctx)
			e.Trace.Record(trace.Event{Event: trace.RollbackCancelled, Paths: preparedPaths(t.targets)})
			return emptyResult(model.OutcomeCancelled, t.fingerprint, t.scopes), err
		}
		e.Trace.Record(trace.Event{Event: trace.RollbackRefused, Paths: preparedPaths(t.targets), Reason: err.Error()})
		return emptyResult(model.OutcomeRefused, t.fingerprint, t.scopes), err
	}
	defer r.batch.Close()
	r.wait, r.pruned = ctx, pruned
	e.Trace.Record(trace.Event{Event: trace.RollbackStarted, ID: r.p.ID, Paths: preparedPaths(t.targets), Before: r.p.SafetyOID})
	whole := context.WithoutCancel(ctx)
	defer e.rolling(whole, ledger.Rollback{ID: r.p.ID, Paths: preparedPaths(t.targets), Tree: r.p.Base.Tree, At: t.captured})(whole)
	if err := r.replaceAll(ctx); err != nil {
		return r.unwind(whole, err)
	}
	return r.finish(whole)
}

// replaceAll writes everything beside, then swaps step by step, then looks once
// more at what came out.
func (r *run) replaceAll(ctx context.Context) error {
	for i, err := range r.batch.WriteAll(ctx, r.steps) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.settle(r.steps[i], err); err != nil {
			return err
		}
	}
	if err := r.batch.Sync(r.steps); err != nil {
		return err
	}
	durable.Point(r.t.kind + ".beside")
	if err := r.log.Mark(journal.Record{Type: journal.TypeBeside}); err != nil {
		return err
	}
	for done, s := range r.order {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.swap(s); err != nil {
			return err
		}
		if r.t.progress != nil {
			r.t.progress(done+1, len(r.order))
		}
	}
	if err := r.recheck(); err != nil {
		return err
	}
	return r.index(ctx)
}

func (r *run) swap(s *restore.Step) error {
	if r.failed[s.N] != "" {
		return nil
	}
	err := r.settle(s, r.batch.Swap(s))
	if err != nil || !s.Swapped() {
		return err
	}
	durable.Point(r.t.kind + ".swapped")
	if err := r.log.Mark(journal.Record{Type: journal.TypeSwapped, N: s.N}); err != nil {
		return err
	}
	durable.Point(r.t.kind + ".marked")
	return nil
}

// settle decides about the failure of one step: with partial it is left out and
// noted, otherwise it ends the run.
func (r *run) settle(s *restore.Step, err error) error {
	if err == nil || !r.t.partial {
		return err
	}
	r.failed[s.N] = reasonOf(err)
	var differs *restore.Differs
	if errors.As(err, &differs) {
		r.noteKept(s.Path, differs.Kept)
	}
	kept, err := r.batch.Discard(s)
	if kept != "" {
		r.noteKept(s.Path, []string{kept})
	}
	return err
}

// recheck finds files that were written through an open handle after they came
// out, and folders that were moved.
func (r *run) recheck() error {
	moved := make([]string, len(r.order))
	err := several(len(r.order), func(i int) (err error) {
		moved[i], err = r.batch.Moved(r.order[i])
		return err
	})
	for i, s := range r.order {
		if err == nil && moved[i] != "" {
			err = r.sendBack(s, moved[i])
		}
	}
	return err
}

// sendBack puts a file back, with what was saved to it after it came out; it is left
// out like any other difference.
func (r *run) sendBack(s *restore.Step, reason string) error {
	err := r.batch.Back(s)
	if err == nil {
		err = &restore.Differs{Path: s.Path, Reason: reason}
	}
	if merr := r.log.Mark(journal.Record{Type: journal.TypeBack, N: s.N}); merr != nil {
		return errors.Join(err, merr)
	}
	return r.settle(s, err)
}

func (r *run) index(ctx context.Context) error {
	if len(r.p.Index) == 0 {
		return nil
	}
	var changes []journal.IndexChange
	for _, c := range r.p.Index {
		if r.carriedOut(c.Path) {
			changes = append(changes, c)
		}
	}
	r.indexed = true
	left, err := r.e.moveIndex(ctx, changes)
	r.notes = append(r.notes, left...)
	if err != nil {
		return err
	}
	return r.log.Mark(journal.Record{Type: journal.TypeIndex})
}

// carriedOut is false only for a target that was left out.
func (r *run) carriedOut(p model.Path) bool {
	for _, s := range r.steps {
		if s.Path == p {
			return s.Swapped()
		}
	}
	return true
}

func (r *run) noteKept(p model.Path, files []string) {
	for _, name := range files {
		r.notes = append(r.notes, model.Noted{Path: p, Reason: "what stood there for a moment is kept in " + name})
	}
}

func reasonOf(err error) string {
	var differs *restore.Differs
	if errors.As(err, &differs) {
		return differs.Reason
	}
	return err.Error()
}

func preparedPaths(targets []PreparedTarget) model.Paths {
	var paths model.Paths
	for _, t := range targets {
		paths = append(paths, t.Path)
	}
	return paths
}
