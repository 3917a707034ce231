package rollback

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/journal"
)

// task is what a rollback, undo or redo is about to do.
type task struct {
	kind        string
	of          model.ID
	fingerprint string
	why         string
	patch       []byte
	staged      string // SHA-256 of the file of the staged set that is carried out
	scopes      []string
	targets     []PreparedTarget  // those that write
	stored      map[string]string // ids of blobs that were read whole, to their hashes
	index       []journal.IndexChange
	remove      []journal.Folder      // go when empty
	perm        map[model.Path]uint32 // of folders that are made again
	kept        []model.Noted
	skipped     []model.Noted
	domains     []model.DomainCover
	residual    []model.Effect
	partial     bool
	progress    func(done, of int)
	captured    time.Time // when the tree of the safety snapshot was

	revert func(id model.ID) (*journal.Revert, error) // what the entry id does beside the files; nil: nothing
}

// nothing is the result of a task without targets: all is already as planned.
func (t *task) nothing() *model.Result {
	outcome := model.OutcomeComplete
	if len(t.skipped) > 0 {
		outcome = model.OutcomePartial
	}
	r := emptyResult(outcome, t.fingerprint, t.scopes)
	r.Kept, r.Skipped = model.NotNil(t.kept), model.NotNil(t.skipped)
	r.Domains, r.Residual, r.Verified = model.NotNil(t.domains), model.NotNil(t.residual), true
	r.Advice = model.Advice(r.Residual)
	return r
}

// lockWait is how long a verb waits for another overturn that is carrying
// something out; a rollback takes well under a second.
const lockWait = 2 * time.Second

// exclusive takes the lock of rollbacks of this work tree and refuses while an
// interrupted one is not settled.
func (e *Engine) exclusive(ctx context.Context, what string) (func(), error) {
	lock, err := e.lock(ctx, what)
	if err != nil {
		return nil, err
	}
	open, err := e.journal().Unsettled()
	if err == nil && len(open) > 0 {
		_, err = e.journal().Read(open[0])
		err = withDamageHint(err)
	}
	if err == nil && len(open) > 0 {
		err = model.Errorf(model.CodeFailed, "rollback %s was interrupted and has to be settled first; nothing was written", open[0]).
			WithHint("`overturn recover --finish` or `overturn recover --unwind`")
	}
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return func() { _ = lock.Unlock() }, nil // the system frees it with the process at the latest
}

func (e *Engine) lock(ctx context.Context, what string) (*durable.Lock, error) {
	if err := e.Repo.EnsureStateDir(); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := durable.Acquire(waiting, e.lockFile(), what)
	if err != nil && ctx.Err() != nil {
		return nil, cancelled(ctx)
	}
	return lock, err
}

func (e *Engine) lockFile() string { return filepath.Join(e.Repo.StateDir(), "rollback.lock") }

func (e *Engine) journal() *journal.Store { return journal.Open(e.Repo.StateDir()) }

func (e *Engine) keptFolder(id model.ID) string {
	return filepath.Join(e.Repo.StateDir(), "kept", string(id))
}

func cancelled(ctx context.Context) error {
	return &model.Error{Code: model.CodeCancelled, Message: "cancelled; nothing was written", Err: context.Cause(ctx)}
}

// ready checks what must hold before anything is written for t.
func (e *Engine) ready(t *task) error {
	if len(t.index) > 0 {
		lock := e.indexLock()
		if _, err := os.Lstat(lock); !errors.Is(err, fs.ErrNotExist) {
			return model.Errorf(model.CodeFailed, "git holds the lock of the index, and staged entries have to go back; nothing was written").
				WithHint("wait until the other git command ends, or remove %s if none runs", lock)
		}
	}
	return e.space(t)
}
