package branchstore

import (
	"context"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// Store keeps records on the branch refs/heads/overturn/checkpoints/v1.
type Store struct{ c checkpoint.Context }

// Open is the factory for checkpoint.Registry.
func Open(c checkpoint.Context) (checkpoint.Store, error) { return &Store{c}, nil }

// Type is "git-branch".
func (s *Store) Type() string { return checkpoint.TypeBranch }

// NewID makes an id of 12 hex digits.
func (s *Store) NewID(ids *model.IDSource) (model.ID, error) { return ids.Hex() }

// Create adds rec to the branch, which is made with the first record.
func (s *Store) Create(ctx context.Context, w *objects.Writer, rec *checkpoint.Record) (checkpoint.Pending, error) {
	id := rec.ID()
	if err := hexOnly(id); err != nil {
		return checkpoint.Pending{}, err
	}
	h, err := s.forWrite(ctx, w)
	if err != nil {
		return checkpoint.Pending{}, err
	}
	switch _, there, err := s.find(ctx, h, id); {
	case err != nil:
		return checkpoint.Pending{}, err
	case there:
		return checkpoint.Pending{}, checkpoint.ExistsError(id, s.Type())
	}
	return s.put(ctx, w, h, rec, nil, true)
}

// Revise writes the edited record on top of the newest one.
func (s *Store) Revise(ctx context.Context, w *objects.Writer, id model.ID, edit func(*checkpoint.Record) error) (checkpoint.Pending, error) {
	h, tree, err := s.look(ctx, id, func() (head, error) { return s.forWrite(ctx, w) })
	if err != nil {
		return checkpoint.Pending{}, err
	}
	rec, entries, err := s.read(ctx, id, tree)
	if err != nil {
		return checkpoint.Pending{}, err
	}
	rec.Tip, rec.Backend = h.commit, s.Type()
	if err := edit(rec); err != nil {
		return checkpoint.Pending{}, err
	}
	if rec.ID() != id {
		return checkpoint.Pending{}, model.Errorf(model.CodeFailed, "an update of checkpoint %s changed its id to %q", id, rec.ID())
	}
	return s.put(ctx, w, h, rec, entries, false)
}

// Update revises and publishes, over again while others come first.
func (s *Store) Update(ctx context.Context, id model.ID, edit func(*checkpoint.Record) error) error {
	return checkpoint.UpdateNow(ctx, s.c, s, id, edit)
}

// Read returns the newest state of a record.
func (s *Store) Read(ctx context.Context, id model.ID) (*checkpoint.Record, error) {
	h, tree, err := s.look(ctx, id, func() (head, error) { return s.head(ctx) })
	if err != nil {
		return nil, err
	}
	rec, _, err := s.read(ctx, id, tree)
	if err != nil {
		return nil, err
	}
	rec.Tip, rec.Backend = h.commit, s.Type()
	return rec, nil
}

// Evidence reads one file of the record.
func (s *Store) Evidence(ctx context.Context, id model.ID) ([]byte, error) {
	_, tree, err := s.look(ctx, id, func() (head, error) { return s.head(ctx) })
	if err != nil {
		return nil, err
	}
	entries, err := s.c.Objects.Tree(ctx, tree)
	if err != nil {
		return nil, checkpoint.Unreadable(id, err)
	}
	return checkpoint.ReadFile(ctx, s.c.Objects, id, entries, checkpoint.FileEvidence)
}

// List returns the records on the branch, newest first by what they say.
func (s *Store) List(ctx context.Context) ([]checkpoint.Info, error) {
	h, err := s.head(ctx)
	if err != nil || h.commit == "" {
		return []checkpoint.Info{}, err
	}
	infos := []checkpoint.Info{}
	err = s.each(ctx, h, func(id model.ID, tree string) error {
		infos = append(infos, checkpoint.Info{ID: id, Ref: checkpoint.BranchRef, Commit: h.commit, At: s.timeOf(ctx, id, tree), Type: s.Type()})
		return ctx.Err()
	})
	checkpoint.SortInfos(infos)
	return infos, err
}

// Forget takes the records out of the branch's newest tree. Its history keeps them:
// a branch that others have is not rewritten.
func (s *Store) Forget(ctx context.Context, ids ...model.ID) error {
	return checkpoint.Persist(ctx, "branch "+branchName, func() error {
		w := s.c.Objects.NewWriter()
		h, err := s.head(ctx)
		if err != nil || h.commit == "" {
			return err
		}
		pending, err := s.without(ctx, w, h, ids)
		if err != nil || len(pending.Updates) == 0 {
			w.Discard()
			return err
		}
		if err := s.movable(ctx); err != nil {
			w.Discard()
			return err
		}
		return checkpoint.Publish(ctx, w, s.c.Refs, pending)
	})
}

func hexOnly(id model.ID) error {
	if checkpoint.KindOf(string(id)) != checkpoint.KindHex {
		return model.Usagef("checkpoint %q cannot be made here: records of the %s store have %d hex digits as id; with any other id no reader would find it",
			id, checkpoint.TypeBranch, checkpoint.HexLength)
	}
	return nil
}

func update(h head, commit string) checkpoint.Pending {
	return checkpoint.Pending{Commit: commit, Updates: []refs.Update{{Name: checkpoint.BranchRef, Old: h.base, New: commit}}}
}
