package rollback

import (
	"cmp"
	"context"
	"errors"
	"time"

	"overturn/model"
	"overturn/model/durable"
	"overturn/model/trace"
	"overturn/review/ledger"
	"overturn/rollback/journal"
	"overturn/rollback/restore"
)

// Interrupted is a rollback that a crash cut short. Done counts the targets that
// stand as it leaves them.
type Interrupted struct {
	ID        model.ID  `json:"id"`
	Kind      string    `json:"kind"`
	StartedAt time.Time `json:"started_at"`
	Done      int       `json:"done"`
	Of        int       `json:"of"`
	Thread    bool      `json:"thread"` // it takes a thread back, or brings it again: the conversation and the turns come with the files
}

// Recovered is what Recover did (overturn.recover/1). Skipped lists paths that
// someone changed since the crash: they stay. Kept names files outside the work
// tree that hold what was found and belongs to neither end.
type Recovered struct {
	Found    bool
	ID       model.ID
	Way      string
	Outcome  model.Outcome
	Restored model.Paths
	Skipped  []model.Noted
	Kept     []model.Noted

	Conversation *model.Conversation // of a revert: what became of it
}

// Interrupted looks for a rollback to settle; nil when there is none, or when it
// is being carried out just now.
func (e *Engine) Interrupted(ctx context.Context) (*Interrupted, error) {
	open, err := e.journal().Unsettled()
	if err != nil || len(open) == 0 {
		return nil, err
	}
	lock, err := durable.TryAcquire(e.lockFile(), "status")
	if model.CodeOf(err) == model.CodeLocked {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := lock.Unlock(); err != nil {
		return nil, err
	}
	entry, err := e.journal().Read(open[0])
	if err != nil {
		return nil, withDamageHint(err)
	}
	return &Interrupted{ID: entry.ID, Kind: entry.Kind, StartedAt: entry.At, Done: e.Replaced(entry), Of: len(entry.Targets), Thread: entry.Revert != nil}, nil
}

// Replaced counts the targets of a rollback that was cut short which stand as it leaves
// them. It looks at the disk: the journal's marks may lag behind what was swapped, and
// are ahead of it where an unwind was cut short. What cannot be read is not counted.
func (e *Engine) Replaced(entry *journal.Entry) int {
	if !entry.Beside && !entry.Tidied && entry.Way == "" {
		return 0 // nothing is swapped before all new files are there
	}
	n := 0
	for _, t := range entry.Targets {
		found, err := e.present(t.Target.Path, entry.Targets)
		if err == nil && (found == t.Target.To || found == restore.Reachable(t.Target.To)) {
			n++
		}
	}
	return n
}

// Recover settles the interrupted rollback id ("": the one there is): way "finish"
// brings every target to its planned state, "unwind" back to what was there. A path
// that is in neither state was changed since and stays. It may be cut short and
// repeated, with either way. Nothing to settle is no error.
func (e *Engine) Recover(ctx context.Context, id model.ID, way string) (*Recovered, error) {
	return e.RecoverWith(ctx, id, RecoverOptions{Way: way})
}

// RecoverOptions is how an interrupted entry is settled. Keep leaves the conversation of
// a revert that is finished as it is.
type RecoverOptions struct {
	Way  string
	Keep bool
}

// RecoverWith is Recover with more to say.
func (e *Engine) RecoverWith(ctx context.Context, id model.ID, o RecoverOptions) (*Recovered, error) {
	way := o.Way
	if way != journal.WayFinish && way != journal.WayUnwind {
		return nil, model.Usagef("name the way to settle it").WithHint("`--finish` or `--unwind`")
	}
	lock, err := e.lock(ctx, "recover")
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	open, err := e.journal().Unsettled()
	if err != nil {
		return nil, err
	}
	for _, candidate := range open {
		if id == "" || id == candidate {
			return e.settle(ctx, candidate, o)
		}
	}
	return &Recovered{Way: way}, nil
}

func (e *Engine) settle(ctx context.Context, id model.ID, o RecoverOptions) (*Recovered, error) {
	way := o.Way
	log, entry, err := e.journal().Resume(id)
	if err != nil {
		return nil, withDamageHint(err)
	}
	s := &settling{e: e, entry: entry, log: log, unwind: way == journal.WayUnwind, keep: o.Keep, result: resultOf(&entry.Prepared, model.OutcomeComplete)}
	if err := s.canTurn(ctx); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	err = log.Mark(journal.Record{Type: journal.TypeRecover, At: e.Clock().UTC(), Way: way})
	if err == nil {
		durable.Point("recover.begun")
		ended := e.rolling(ctx, ledger.Rollback{ID: id, Paths: targetsOf(entry), At: e.Clock()})
		err = s.run(ctx)
		ended(context.WithoutCancel(ctx))
	}
	if err != nil {
		return nil, errors.Join(model.Failf(err, "rollback %s could not be settled", id).
			WithHint("%s", cmp.Or(model.HintOf(err), "`overturn recover` may be run again")), log.Close())
	}
	e.Trace.Record(trace.Event{Event: trace.RollbackRecovered, ID: id, Outcome: way, Paths: s.restored})
	e.verified(ctx, s.result)
	if !s.unwind && entry.Kind == journal.KindRollback {
		err = e.clear(context.WithoutCancel(ctx), entry.Staged)
	}
	return &Recovered{Found: true, ID: id, Way: way, Outcome: s.result.Outcome, Restored: s.restored, Skipped: s.skipped, Kept: s.kept, Conversation: s.result.Conversation}, err
}

func targetsOf(entry *journal.Entry) model.Paths {
	var paths model.Paths
	for _, t := range entry.Targets {
		paths = append(paths, t.Target.Path)
	}
	return paths
}
