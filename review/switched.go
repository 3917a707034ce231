package review

import (
	"context"
	"errors"
	"time"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/ledger"
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
func switched(ctx context.Context, objs *objects.Store, t ledger.Span) (*headSwitch, error) {
	if t.StartHead == t.EndHead || t.StartHead == "" || t.EndHead == "" {
		return nil, nil
	}
	before, err := objs.Commit(ctx, t.StartHead)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	after, err := objs.Commit(ctx, t.EndHead)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	// Commits keep whole seconds.
	if !after.Committer.When.Before(t.StartAt.Truncate(time.Second)) {
		return nil, nil
	}
	// It is asked long after the job that made it is over.
	return &headSwitch{context.WithoutCancel(ctx), objs, before.Tree, after.Tree, t.StartTree, t.EndTree}, nil
}

// tell gives what is known of the switch to the rules of ownership; nil is none.
func (s *headSwitch) tell(t *ownership.Turn) {
	if s != nil {
		t.Moved, t.Through = s.moved, s.through
	}
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
		if en.IsTree() { // a folder stands there: no file of that path
			en = objects.TreeEntry{}
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
