package checkpoint

import (
	"context"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
	"overturn/model/trace"
)

// Context is what a backend is built from.
type Context struct {
	Repo    *gitops.Repo
	Objects *objects.Store
	Refs    *refs.Store
	Clock   model.Clock
	Trace   trace.Recorder // of what fails beside a write; nil: nothing is recorded

	// Fetch brings one record that is not here from a remote: its ref, or for an id
	// of the branch kind the branch. found false without an error says that no remote
	// has it. It is asked once for a read or an update that misses, never for a
	// create or a list. nil: there is no network.
	Fetch func(ctx context.Context, id model.ID) (found bool, err error)
	// Queue is told which refs a write moved, for the next push. nil: nobody pushes.
	Queue Queue

	// Mirror says that the store is a mirror: it takes ids of whatever backend is the
	// primary, and is given neither Fetch nor Queue.
	Mirror bool
}

// Queue takes the names of refs that wait to be pushed. Names that wait already
// change nothing.
type Queue interface {
	Enqueue(ctx context.Context, refs ...string) error
}
