package rollback

import (
	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/trace"
)

// Deps is what an engine stands on.
type Deps struct {
	Repo      *gitops.Repo
	Objects   *objects.Store
	Refs      *refs.Store
	Snapshots *snapshot.Engine
	Review    Source
	Tree      *worktree.Tree
	Clock     model.Clock
	IDs       *model.IDSource
	Trace     trace.Recorder
}

// Engine stages, plans and carries out rollbacks of one work tree.
type Engine struct{ Deps }

// New returns the engine of one work tree; it does nothing until it is asked.
func New(d Deps) *Engine { return &Engine{d} }
