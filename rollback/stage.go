package rollback

import (
	"context"

	"overturn/model"
)

// PathArg is a PATH as the user gave it, relative to the root. With Folder it
// stands for all that the scope changed at it and below, chosen by owner; "" is
// then all of the scope. Without, a changed file of that very path is named, and
// all of it is meant, whoever owns it; where there is none, it is a folder.
type PathArg struct {
	Path   model.Path
	Folder bool
}

// LineRange is lines From to To, both included, counted from 1, of the new side,
// or of the old one.
type LineRange struct {
	Old      bool
	From, To int
}

// StageRequest names what to take back. No Paths: all of the scope. Hunks are
// numbers of the exact diff, ModeHunk the mode change; they and Lines need exactly
// one named file.
type StageRequest struct {
	Scope   model.Scope
	Paths   []PathArg
	Hunks   []int
	Lines   []LineRange
	Method  model.Method // "" is take-out
	Discard bool
}

// Stage adds to the staged set and returns it as a plan. A path that the scope did
// not change, a hunk that is not there and a path that is staged from another
// scope are wrong use (CodeUsage); a turn of another work tree is CodeRefused.
// Whatever it refuses, it changes nothing.
func (e *Engine) Stage(ctx context.Context, r StageRequest) (*model.Plan, error) {
	return nil, model.Errorf(model.CodeFailed, "cannot stage")
}

// Unstage takes paths, and what lies below them, out of the staged set; no paths:
// all. It returns what is left as a plan.
func (e *Engine) Unstage(ctx context.Context, paths []model.Path) (*model.Plan, error) {
	return nil, model.Errorf(model.CodeFailed, "cannot unstage")
}

// Plan works the staged set out against the present work tree. With nothing staged
// the plan has no targets.
func (e *Engine) Plan(ctx context.Context) (*model.Plan, *Prepared, error) {
	return nil, nil, model.Errorf(model.CodeFailed, "cannot plan")
}

// Clear empties the staged set, once it has been carried out.
func (e *Engine) Clear(ctx context.Context) error {
	return model.Errorf(model.CodeFailed, "cannot empty the staged set")
}
