package checkpoint

import (
	"context"
	"errors"

	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// ErrNotFound is wrapped by errors about a checkpoint that is positively not
// there; a lookup that failed is any other error.
var ErrNotFound = errors.New("no such checkpoint")

// ErrExists is wrapped by errors about a checkpoint that is there already.
var ErrExists = errors.New("the checkpoint is there already")

// Pending is a write whose objects are in the writer and whose refs have not
// moved yet. The caller flushes the writer, applies Updates together with its
// own, and then calls Published when it is set.
type Pending struct {
	Commit  string        // that the record's ref will hold; "" when the backend has none
	Updates []refs.Update // to be applied after the flush, all or none

	// Published tells those who follow the store (mirrors, the push queue). It is
	// best effort: its failure is its own to record. May be nil.
	Published func(ctx context.Context)
}

// Store keeps records. Every backend passes storetest.Run. Methods may be called
// from several goroutines and several processes at once.
type Store interface {
	// Type is the backend's name in settings, as "git-refs".
	Type() string
	// NewID makes the id of a new record, in the spelling of this backend.
	NewID(ids *model.IDSource) (model.ID, error)
	// Create writes a new record, without the network. An id that is there
	// already is ErrExists; the update it returns demands absence, so a race is
	// refs.ErrMoved when it is applied.
	Create(ctx context.Context, w *objects.Writer, rec *Record) (Pending, error)
	// Revise reads the record, has edit change it, and writes the result on top.
	// The update demands the value that was read. Absent: ErrNotFound. An error
	// of edit is returned as it is, and nothing is written.
	Revise(ctx context.Context, w *objects.Writer, id model.ID, edit func(*Record) error) (Pending, error)
	// Update is Revise, flushed and published; edit runs again on the newer
	// record when another writer came first, so that neither write is lost.
	Update(ctx context.Context, id model.ID, edit func(*Record) error) error
	// Read returns the record, ErrNotFound, or an error that names what is
	// damaged.
	Read(ctx context.Context, id model.ID) (*Record, error)
	// Evidence returns the record's evidence alone, whatever its turn did. Errors
	// are those of Read.
	Evidence(ctx context.Context, id model.ID) ([]byte, error)
	// List returns what is here, newest first. Refs that are not checkpoints are
	// skipped.
	List(ctx context.Context) ([]Info, error)
}

// Publish flushes w and applies what is pending: the way to store one record by
// itself. A checkpoint that came to be in between is refs.ErrMoved.
func Publish(ctx context.Context, w *objects.Writer, store *refs.Store, pending Pending) error {
	change, err := store.Begin(ctx, pending.Updates)
	if err != nil {
		w.Discard() // as after a Flush: nothing of it is left to be found
		return err
	}
	defer change.Release()
	if err := w.Flush(ctx, change.Locks()...); err != nil {
		return err
	}
	if err := change.Commit(ctx); err != nil {
		return err
	}
	if pending.Published != nil {
		pending.Published(ctx)
	}
	return nil
}

// MissingError says that id is not in a store of the given type.
func MissingError(id model.ID, backend string) error {
	e := model.Usagef("there is no checkpoint %s in the %s store", id, backend)
	e.Err = ErrNotFound
	return e.WithHint("`overturn checkpoint list` shows what is here")
}

// ExistsError says that id is there already.
func ExistsError(id model.ID, backend string) error {
	e := model.Errorf(model.CodeFailed, "checkpoint %s is in the %s store already", id, backend)
	e.Err = ErrExists
	return e.WithHint("a record is created once; update it instead")
}
