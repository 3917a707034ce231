package rollback

import (
	"context"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/trace"
	"overturn/review/ledger"
	"overturn/rollback/revert"
)

// Deps is what an engine stands on.
type Deps struct {
	Repo      *gitops.Repo
	Objects   *objects.Store
	Refs      *refs.Store
	Snapshots *snapshot.Engine
	Review    Source
	Witness   Witness      // nil: nobody is told
	Saga      *revert.Saga // nil: threads are not taken back, and no entry that did so can be settled
	Tree      *worktree.Tree
	Clock     model.Clock
	IDs       *model.IDSource
	Trace     trace.Recorder
}

// Engine stages, plans and carries out rollbacks of one work tree.
type Engine struct{ Deps }

// rolling tells the turns of a rollback; ended is never nil.
func (e *Engine) rolling(ctx context.Context, r ledger.Rollback) (ended func(context.Context)) {
	if e.Witness == nil || len(r.Paths) == 0 {
		return func(context.Context) {}
	}
	return e.Witness.Rolling(ctx, r)
}

// New returns the engine of one work tree; it does nothing until it is asked.
func New(d Deps) *Engine { return &Engine{d} }
