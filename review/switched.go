package review

import (
	"context"
	"errors"
	"time"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/ownership"
)

// headSwitch is a switch of branch during a turn: HEAD went to a commit that is
// older than the turn. All are trees.
type headSwitch struct {
	ctx              context.Context
	objs             *objects.Store
	oldHead, newHead string
	start, end       string
}

// switched finds the switch of branch that a turn made. Nil where HEAD stayed, or
// went to a commit that was made during the turn: then the files came first and the
// commit after.
func (e *Engine) switched(ctx context.Context, t *model.Turn) (*headSwitch, error) {
	if t.Start == nil || t.End == nil || t.Start.Head == t.End.Head || t.Start.Head == "" || t.End.Head == "" {
		return nil, nil
	}
	before, err := e.deps.Objects.Commit(ctx, t.Start.Head)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	after, err := e.deps.Objects.Commit(ctx, t.End.Head)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	// Commits keep whole seconds.
	if !after.Committer.When.Before(t.Start.CapturedAt.Truncate(time.Second)) {
		return nil, nil
	}
	// It is asked long after the job that made it is over.
	return &headSwitch{context.WithoutCancel(ctx), e.deps.Objects, before.Tree, after.Tree, t.Start.Tree, t.End.Tree}, nil
}

// moved tells whether a path went from what the old commit holds to what the new
// one does.
func (s *headSwitch) moved(p model.Path) bool {
	at, ok := s.find(p, s.oldHead, s.start, s.newHead, s.end)
	return ok && at[0] == at[1] && at[2] == at[3]
}

// through is what the new commit holds at a path, where the old one held from and
// the turn did not end with either: the switch wrote it, and then it was changed.
func (s *headSwitch) through(p model.Path, from ownership.State) (ownership.State, bool) {
	at, ok := s.find(p, s.oldHead, s.newHead)
	return at[1], ok && at[0] == from && at[0] != at[1]
}

// find looks a path up in trees; false where one cannot be read.
func (s *headSwitch) find(p model.Path, trees ...string) ([]ownership.State, bool) {
	var git Side // entries as git has them
	states := make([]ownership.State, len(trees))
	for i, tree := range trees {
		en, _, err := s.objs.Lookup(s.ctx, tree, p)
		if err != nil {
			return states, false
		}
		states[i] = state(git.entry(p, en.Mode, en.OID))
	}
	return states, true
}

// ignoreMissing: a commit that was pruned since says nothing.
func ignoreMissing(err error) error {
	if errors.Is(err, objects.ErrNotFound) {
		return nil
	}
	return err
}
