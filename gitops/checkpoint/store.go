package checkpoint

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// ErrNotFound is wrapped by errors about a checkpoint that is positively not
// there; a lookup that failed is any other error.
var ErrNotFound = errors.New("no such checkpoint")

// ErrExists is wrapped by errors about a checkpoint that is there already.
var ErrExists = errors.New("the checkpoint is there already")

// ErrCorrupt is wrapped by errors about a checkpoint that is there and not whole: its
// files do not say what they should, or their objects are lost.
var ErrCorrupt = errors.New("the checkpoint is damaged")

// corrupt is a cause by which a checkpoint is not whole; it is told in its own words.
type corrupt struct{ cause error }

func (c *corrupt) Error() string        { return c.cause.Error() }
func (c *corrupt) Unwrap() error        { return c.cause }
func (c *corrupt) Is(target error) bool { return target == ErrCorrupt }

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
	// Forget lets go of records; ids that are not here are passed over.
	Forget(ctx context.Context, ids ...model.ID) error
}

// Merge adds the updates of one write to those of others that are published with it:
// of two that move the same ref one after the other, one update is made.
func Merge(list []refs.Update, more ...refs.Update) []refs.Update {
	for _, u := range more {
		i := slices.IndexFunc(list, func(have refs.Update) bool { return have.Name == u.Name })
		if i < 0 {
			list = append(list, u)
		} else {
			list[i].New = u.New
		}
	}
	return list
}

// maxAttempts bounds how often a write starts over because another writer came
// first; each time somebody else got a write in, so it ends.
const maxAttempts = 200

// maxLocked is how often a write starts over because it waited for a lock in vain, a
// second each time: one that others take and let go again and again comes round.
const maxLocked = 10

// Persist has try write until no other writer comes first: it is called again while
// its error is refs.ErrMoved. The pauses between grow up to 20 ms, by chance, so
// that of many writers none is always the late one.
func Persist(ctx context.Context, what string, try func() error) error {
	for attempt, locked := 1, 0; ; attempt++ {
		err := try()
		switch {
		case err != nil && model.CodeOf(err) == model.CodeLocked && locked < maxLocked:
			locked++
		case err == nil || !errors.Is(err, refs.ErrMoved):
			return err
		}
		if attempt == maxAttempts {
			return model.Failf(err, "cannot write %s: others kept writing it", what).WithHint("try again")
		}
		pause := time.NewTimer(rand.N(time.Duration(min(attempt, 20)) * time.Millisecond))
		select {
		case <-ctx.Done():
			pause.Stop()
			return context.Cause(ctx)
		case <-pause.C:
		}
	}
}

// CreateNow creates one record by itself, flushed and published.
func CreateNow(ctx context.Context, c Context, store Store, rec *Record) error {
	return Persist(ctx, "checkpoint "+string(rec.ID()), func() error {
		w := c.Objects.NewWriter()
		pending, err := store.Create(ctx, w, rec)
		if err != nil {
			w.Discard()
			return err
		}
		return Publish(ctx, w, c.Refs, pending)
	})
}

// UpdateNow revises one record by itself, flushed and published: what Update of a
// store does that keeps its records in the repository.
func UpdateNow(ctx context.Context, c Context, store Store, id model.ID, edit func(*Record) error) error {
	return Persist(ctx, "checkpoint "+string(id), func() error {
		w := c.Objects.NewWriter()
		pending, err := store.Revise(ctx, w, id, edit)
		if err != nil {
			w.Discard()
			return err
		}
		return Publish(ctx, w, c.Refs, pending)
	})
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
