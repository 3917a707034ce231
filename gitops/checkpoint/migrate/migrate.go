package migrate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
	"overturn/model/durable"
)

// Outcome is what came of one record.
type Outcome string

// The outcomes.
const (
	Migrated Outcome = "migrated" // made now, or moved forward to what the branch has
	Already  Outcome = "already"  // its ref has this state, and perhaps newer ones
	Left     Outcome = "left"     // for the reason given; it is read from the branch
)

// Record is one record of the branch.
type Record struct {
	ID      model.ID `json:"id"`
	Ref     string   `json:"ref"`
	Outcome Outcome  `json:"outcome"`
	Reason  string   `json:"reason,omitempty"`
}

// batch is how many records are published at once.
const batch = 200

// Run migrates every record of the branch; dry: it tells what it would do. The list is
// in order of the ids. An error leaves the list at what was done until then.
func Run(ctx context.Context, c checkpoint.Context, dry bool) ([]Record, error) {
	policy, err := checkpoint.ReadPolicy(ctx, c)
	if err == nil {
		err = policy.Allows(checkpoint.FormatRefs)
	}
	if err != nil {
		return nil, err
	}
	from, err := readBranch(ctx, c)
	if err != nil {
		return nil, err
	}
	var done []Record
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(from.trees)), batch) {
		r := &run{c: c, from: from, dry: dry}
		if err := r.batch(ctx, ids); err != nil {
			return done, err
		}
		done = append(done, r.done...)
	}
	return done, nil
}

// run is one batch.
type run struct {
	c    checkpoint.Context
	from *branch
	dry  bool

	done    []Record
	updates []refs.Update
}

// batch works out the refs of some records, publishes them together, and reads them
// back. It begins anew when another process moved one of them meanwhile.
func (r *run) batch(ctx context.Context, ids []model.ID) error {
	err := checkpoint.Persist(ctx, "the migrated records", func() error {
		r.done, r.updates = nil, nil
		w := r.c.Objects.NewWriter()
		for _, id := range ids {
			one, err := r.plan(ctx, w, id)
			if err != nil {
				w.Discard()
				return err
			}
			r.done = append(r.done, one)
		}
		if r.dry || len(r.updates) == 0 {
			w.Discard()
			return nil
		}
		durable.Point("migrate.batch.planned")
		return checkpoint.Publish(ctx, w, r.c.Refs, checkpoint.Pending{Updates: r.updates})
	})
	if err != nil || r.dry {
		return err
	}
	durable.Point("migrate.batch.published")
	return r.verify(ctx)
}

// plan works out one record. What is wrong with it alone is its outcome.
func (r *run) plan(ctx context.Context, w *objects.Writer, id model.ID) (Record, error) {
	name, err := checkpoint.RefName(id)
	if err != nil {
		return Record{}, err
	}
	one := Record{ID: id, Ref: name}
	left := func(reason string) (Record, error) { one.Outcome, one.Reason = Left, reason; return one, nil }
	if err := r.whole(ctx, id, r.from.trees[id]); err != nil {
		return left(err.Error())
	}
	held, err := r.c.Refs.Read(ctx, name)
	if err != nil {
		return one, model.Failf(err, "cannot look up checkpoint %s", id)
	}
	line, err := r.commits(ctx, w, id)
	if err != nil {
		return one, err
	}
	tip := line[len(line)-1]
	one.Outcome = Migrated
	switch {
	case held == tip:
		one.Outcome = Already
	case held == "" || slices.Contains(line, held):
		r.updates = append(r.updates, refs.Update{Name: name, Old: held, New: tip})
	default:
		has, err := r.hasTree(ctx, held, r.from.trees[id])
		if err != nil {
			return left(err.Error())
		}
		if !has {
			return left("it was changed on the branch and under " + name + ", each without the other; both are kept")
		}
		one.Outcome = Already
	}
	return one, nil
}

// commits writes the history of a record, oldest first; states of which objects are
// lost are left out.
func (r *run) commits(ctx context.Context, w *objects.Writer, id model.ID) ([]string, error) {
	var line []string
	for i, step := range r.from.steps[id] {
		newest := i == len(r.from.steps[id])-1
		if !newest && r.whole(ctx, id, step.tree) != nil {
			line = nil
			continue
		}
		commit := objects.Commit{Tree: step.tree, Author: step.at.Author, Committer: step.at.Committer, Message: step.at.Message}
		if len(line) > 0 {
			commit.Parents = []string{line[len(line)-1]}
		}
		oid, err := w.WriteCommit(commit)
		if err != nil {
			return nil, err
		}
		line = append(line, oid)
	}
	return line, nil
}

// whole tells whether the record of a tree can be read, all of it.
func (r *run) whole(ctx context.Context, id model.ID, tree string) error {
	entries, err := r.c.Objects.Tree(ctx, tree)
	if err != nil {
		return checkpoint.Unreadable(id, err)
	}
	for _, e := range entries {
		there, err := r.c.Objects.Has(ctx, e.OID)
		if err == nil && !there {
			err = fmt.Errorf("%s: %w", e.Name, objects.ErrNotFound)
		}
		if err != nil {
			return checkpoint.Unreadable(id, err)
		}
	}
	_, err = checkpoint.ReadTree(ctx, r.c.Objects, id, entries)
	return err
}

// hasTree tells whether the history of a ref has the state already.
func (r *run) hasTree(ctx context.Context, tip, tree string) (bool, error) {
	seen, next := map[string]bool{}, []string{tip}
	for len(next) > 0 {
		oid := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[oid] {
			continue
		}
		seen[oid] = true
		commit, err := r.c.Objects.Commit(ctx, oid)
		if errors.Is(err, objects.ErrNotFound) && oid != tip {
			continue // behind the end of a shallow clone
		}
		if err != nil {
			return false, err
		}
		if commit.Tree == tree {
			return true, nil
		}
		next = append(next, commit.Parents...)
	}
	return false, nil
}

// verify reads back what the batch made, and tells the push queue.
func (r *run) verify(ctx context.Context) error {
	var names []string
	for i := range r.done {
		one := &r.done[i]
		if one.Outcome == Left {
			continue
		}
		held, err := r.c.Refs.Read(ctx, one.Ref)
		if err == nil {
			err = r.holds(ctx, one, held)
		}
		if err != nil {
			return model.Failf(err, "checkpoint %s did not come to be under %s as it is on the branch", one.ID, one.Ref).
				WithHint("the branch has it as before; `git fsck` tells whether the repository lost objects")
		}
		names = append(names, one.Ref)
	}
	if r.c.Queue != nil && len(names) > 0 {
		return r.c.Queue.Enqueue(ctx, names...)
	}
	return nil
}

func (r *run) holds(ctx context.Context, one *Record, held string) error {
	has, err := r.hasTree(ctx, held, r.from.trees[one.ID])
	if err == nil && !has {
		err = fmt.Errorf("its history lacks the tree %s", r.from.trees[one.ID])
	}
	if err != nil {
		return err
	}
	commit, err := r.c.Objects.Commit(ctx, held)
	if err != nil {
		return err
	}
	return r.whole(ctx, one.ID, commit.Tree)
}
