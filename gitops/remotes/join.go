package remotes

import (
	"context"
	"fmt"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/remotes/join"
)

const (
	recordsPattern = checkpoint.RefPrefix + "*"
	branchPattern  = checkpoint.BranchRef + "*" // with a star, so that its absence is no failure
)

// sides are the two histories of one ref.
type sides struct {
	ours     string // the local commit
	leaves   string // what leaves for it
	theirs   string // the remote's
	base     string // the newest commit that leaves and theirs share; "" for none
	onlyOurs bool   // theirs is in the history of leaves
}

// compare finds how the sides stand. Histories are compared as they are on the
// remote: what leaves for a commit may be another commit.
func (e *Engine) compare(ctx context.Context, ours, leaves, theirs string) (sides, error) {
	s := sides{ours: ours, leaves: leaves, theirs: theirs}
	far, err := e.history(ctx, theirs)
	if err != nil {
		return s, err
	}
	if far[leaves] {
		s.base = leaves
		return s, nil
	}
	// Breadth first from ours: the first commit that is theirs too is the nearest.
	seen := map[string]bool{}
	for at := []string{leaves}; len(at) > 0; at = at[1:] {
		if seen[at[0]] {
			continue
		}
		seen[at[0]] = true
		if far[at[0]] {
			if s.base == "" {
				s.base = at[0]
			}
			s.onlyOurs = s.onlyOurs || at[0] == theirs
			continue
		}
		c, err := e.Objects.Commit(ctx, at[0])
		if err != nil {
			return s, err
		}
		at = append(at, c.Parents...)
	}
	if s.onlyOurs {
		s.base = theirs
	}
	return s, nil
}

// history is a commit and all before it.
func (e *Engine) history(ctx context.Context, tip string) (map[string]bool, error) {
	seen := map[string]bool{}
	for at := []string{tip}; len(at) > 0; {
		next := at[len(at)-1]
		at = at[:len(at)-1]
		if seen[next] {
			continue
		}
		seen[next] = true
		c, err := e.Objects.Commit(ctx, next)
		if err != nil {
			return nil, err
		}
		at = append(at, c.Parents...)
	}
	return seen, nil
}

// merge writes the commit of a ref that has both sides: on top of ours, with theirs as
// the second parent. A file that both changed in their own ways is a *join.Conflict.
func (e *Engine) merge(ctx context.Context, name string, s sides, w *objects.Writer) (string, error) {
	trees := map[string]string{}
	for _, commit := range []string{s.ours, s.leaves, s.theirs, s.base} {
		if commit == "" {
			continue
		}
		c, err := e.Objects.Commit(ctx, commit)
		if err != nil {
			return "", err
		}
		trees[commit] = c.Tree
	}
	tree, err := join.Trees(ctx, e.Objects, w, join.Sides{
		Base: trees[s.base], Sent: trees[s.leaves], Ours: trees[s.ours], Theirs: trees[s.theirs],
	})
	if err != nil {
		return "", err
	}
	self := objects.Signature{Name: gitops.IdentityName, Email: gitops.IdentityEmail, When: e.Clock().UTC()}
	message := "Join of the records of two places\n"
	if id, err := checkpoint.ParseRef(name); err == nil {
		message = fmt.Sprintf("Join of checkpoint %s\n\nOverturn-Checkpoint: %s\n", id, id)
	}
	return w.WriteCommit(objects.Commit{Tree: tree, Parents: []string{s.ours, s.theirs}, Author: self, Committer: self, Message: message})
}
