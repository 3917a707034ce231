package review

import (
	"context"
	"errors"
	"time"

	"overturn/gitops/objects"
	"overturn/model"
)

// switched tells which paths a switch of branch changed during a turn: HEAD went to
// a commit that is older than the turn, and the path went from what the old commit
// holds to what the new one does. Nil where HEAD stayed, or went to a commit that
// was made during the turn: then the files came first and the commit after.
func (e *Engine) switched(ctx context.Context, t *model.Turn) (func(model.Path) bool, error) {
	if t.Start == nil || t.End == nil || t.Start.Head == t.End.Head || t.Start.Head == "" || t.End.Head == "" {
		return nil, nil
	}
	before, err := e.deps.Objects.Commit(ctx, t.Start.Head)
	if err != nil {
		return ignoreMissing(err)
	}
	after, err := e.deps.Objects.Commit(ctx, t.End.Head)
	if err != nil {
		return ignoreMissing(err)
	}
	// Commits keep whole seconds.
	if !after.Committer.When.Before(t.Start.CapturedAt.Truncate(time.Second)) {
		return nil, nil
	}
	find := func(tree string, p model.Path) (objects.TreeEntry, error) {
		en, _, err := e.deps.Objects.Lookup(ctx, tree, p)
		return en, err
	}
	return func(p model.Path) bool {
		oldHead, err1 := find(before.Tree, p)
		start, err2 := find(t.Start.Tree, p)
		newHead, err3 := find(after.Tree, p)
		end, err4 := find(t.End.Tree, p)
		return errors.Join(err1, err2, err3, err4) == nil && oldHead == start && newHead == end
	}, nil
}

// ignoreMissing: a commit that was pruned since says nothing.
func ignoreMissing(err error) (func(model.Path) bool, error) {
	if errors.Is(err, objects.ErrNotFound) {
		return nil, nil
	}
	return nil, err
}
