package migrate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/model"
)

// state is what a record was at one commit of the branch.
type state struct {
	tree string
	at   objects.Commit
}

// branch is the branch of records: what it holds, and how each record came to be.
type branch struct {
	trees map[model.ID]string  // of the records at the tip
	steps map[model.ID][]state // oldest first
}

// readBranch reads the branch whole; no branch has no records.
func readBranch(ctx context.Context, c checkpoint.Context) (*branch, error) {
	b := &branch{trees: map[model.ID]string{}, steps: map[model.ID][]state{}}
	tip, err := c.Refs.Read(ctx, checkpoint.BranchRef)
	if err != nil || tip == "" {
		return b, err
	}
	line, err := firstParents(ctx, c.Objects, tip)
	if err != nil {
		return nil, err
	}
	before := ""
	for _, commit := range line {
		if err := b.advance(ctx, c.Objects, before, commit); err != nil {
			return nil, err
		}
		before = commit.Tree
	}
	return b, nil
}

// firstParents lists the commits of the branch along their first parents, oldest
// first. It begins where the repository does: a shallow clone has no more.
func firstParents(ctx context.Context, store *objects.Store, tip string) ([]objects.Commit, error) {
	var line []objects.Commit
	for oid := tip; oid != ""; {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		commit, err := store.Commit(ctx, oid)
		if errors.Is(err, objects.ErrNotFound) && oid != tip {
			break
		}
		if err != nil {
			return nil, model.Failf(err, "the branch of checkpoint records cannot be read").
				WithHint("`git fsck` tells whether the repository lost objects")
		}
		line = append(line, commit)
		oid = ""
		if len(commit.Parents) > 0 {
			oid = commit.Parents[0]
		}
	}
	slices.Reverse(line)
	return line, nil
}

// advance takes in what a commit changed of the records.
func (b *branch) advance(ctx context.Context, store *objects.Store, before string, commit objects.Commit) error {
	changed := map[model.ID]bool{}
	err := store.DiffFunc(ctx, before, commit.Tree, func(c objects.TreeChange) error {
		if id, ok := idOf(string(c.Path)); ok {
			changed[id] = true
		}
		return ctx.Err()
	})
	if err != nil {
		return model.Failf(err, "the history of the checkpoint records cannot be read").
			WithHint("`git fsck` tells whether the repository lost objects")
	}
	for id := range changed {
		entry, there, err := store.Lookup(ctx, commit.Tree, model.Path(pathOf(id)))
		if err != nil {
			return checkpoint.Unreadable(id, err)
		}
		if !there || !entry.IsTree() { // let go; if it comes again, it begins anew
			delete(b.trees, id)
			delete(b.steps, id)
			continue
		}
		b.trees[id] = entry.OID
		b.steps[id] = append(b.steps[id], state{entry.OID, commit})
	}
	return nil
}

// idOf is the record that a path on the branch belongs to.
func idOf(path string) (model.ID, bool) {
	parts := strings.SplitN(path, "/", 3)
	if len(parts) < 3 || len(parts[0]) != 2 {
		return "", false
	}
	id := parts[0] + parts[1]
	return model.ID(id), checkpoint.KindOf(id) == checkpoint.KindHex
}

func pathOf(id model.ID) string { return string(id[:2]) + "/" + string(id[2:]) }
