package review

import (
	"context"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/review/ledger"
)

// Deps is what the engine works with.
type Deps struct {
	Repo      *gitops.Repo
	Objects   *objects.Store
	Refs      *refs.Store
	Snapshots Snapshots
	Ledger    Ledger
	Clock     model.Clock
}

// Snapshots captures the present and knows git's conversions; a *snapshot.Engine.
type Snapshots interface {
	Capture(ctx context.Context, w *objects.Writer) (*snapshot.Snapshot, error)
	Converts(ctx context.Context, paths []model.Path) (map[model.Path]bool, error)
	Smudge(ctx context.Context, path model.Path, oid string) ([]byte, error)
}

// Ledger lists what was recorded: a *ledger.Ledger, or a *recorders.Book, which knows
// the threads of other programs too. Only what overturn recorded says who owns what.
type Ledger interface {
	Threads(ctx context.Context) ([]model.Thread, error) // that overturn recorded
	Thread(ctx context.Context, id model.ThreadID) (model.Thread, error)
	Briefs(ctx context.Context, thread model.ThreadID, limit int) ([]model.Turn, error)
	Between(ctx context.Context, thread model.ThreadID, from, to int) ([]model.Turn, error)
	Brief(ctx context.Context, thread model.ThreadID, n int) (model.Turn, error)
	Default(ctx context.Context) (model.ThreadID, error)
	Resolve(ctx context.Context, name string) (model.ThreadID, error)
	Evidence(ctx context.Context, thread model.ThreadID, n int) (ledger.Evidence, error)
	Boundary(ctx context.Context, thread model.ThreadID, n int) (string, error)
}

// Engine answers comparisons. It is safe for several goroutines.
type Engine struct{ deps Deps }

// New returns an engine; it does nothing until it is asked.
func New(d Deps) *Engine { return &Engine{deps: d} }
