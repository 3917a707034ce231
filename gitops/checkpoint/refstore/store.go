package refstore

import (
	"context"
	"strings"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// Store keeps records under refs/overturn/checkpoints/.
type Store struct{ c checkpoint.Context }

// Open is the factory for checkpoint.Registry.
func Open(c checkpoint.Context) (checkpoint.Store, error) {
	return &Store{c}, nil
}

// Type is "git-refs".
func (s *Store) Type() string { return checkpoint.TypeRefs }

// NewID makes a ULID.
func (s *Store) NewID(ids *model.IDSource) (model.ID, error) { return ids.New() }

// Create writes rec as an orphan commit.
func (s *Store) Create(ctx context.Context, w *objects.Writer, rec *checkpoint.Record) (checkpoint.Pending, error) {
	id := rec.ID()
	if !s.c.Mirror && checkpoint.KindOf(string(id)) != checkpoint.KindULID {
		return checkpoint.Pending{}, model.Usagef("checkpoint %q cannot be made here: new records of the %s store have a ULID as id", id, s.Type())
	}
	name, err := checkpoint.RefName(id)
	if err != nil {
		return checkpoint.Pending{}, err
	}
	tip, err := s.c.Refs.Read(ctx, name)
	if err != nil {
		return checkpoint.Pending{}, model.Failf(err, "cannot look up checkpoint %s", id)
	}
	if tip != "" {
		return checkpoint.Pending{}, checkpoint.ExistsError(id, s.Type())
	}
	commit, err := s.write(w, rec, nil, "")
	if err != nil {
		return checkpoint.Pending{}, err
	}
	return checkpoint.Pending{Commit: commit, Updates: []refs.Update{{Name: name, New: commit}}}, nil
}

// Revise writes the edited record on top of the newest one.
func (s *Store) Revise(ctx context.Context, w *objects.Writer, id model.ID, edit func(*checkpoint.Record) error) (checkpoint.Pending, error) {
	rec, tree, err := s.load(ctx, id)
	if err != nil {
		return checkpoint.Pending{}, err
	}
	tip := rec.Tip
	if err := edit(rec); err != nil {
		return checkpoint.Pending{}, err
	}
	if rec.ID() != id {
		return checkpoint.Pending{}, model.Errorf(model.CodeFailed, "an update of checkpoint %s changed its id to %q", id, rec.ID())
	}
	commit, err := s.write(w, rec, tree, tip)
	if err != nil {
		return checkpoint.Pending{}, err
	}
	name, err := checkpoint.RefName(id)
	if err != nil {
		return checkpoint.Pending{}, err
	}
	return checkpoint.Pending{Commit: commit, Updates: []refs.Update{{Name: name, Old: tip, New: commit}}}, nil
}

// Update revises and publishes, over again while others come first.
func (s *Store) Update(ctx context.Context, id model.ID, edit func(*checkpoint.Record) error) error {
	return checkpoint.UpdateNow(ctx, s.c, s, id, edit)
}

// Read returns the newest state of a record.
func (s *Store) Read(ctx context.Context, id model.ID) (*checkpoint.Record, error) {
	rec, _, err := s.load(ctx, id)
	return rec, err
}

// Evidence reads one file of the record.
func (s *Store) Evidence(ctx context.Context, id model.ID) ([]byte, error) {
	_, entries, err := s.entries(ctx, id)
	if err != nil {
		return nil, err
	}
	return checkpoint.ReadFile(ctx, s.c.Objects, id, entries, checkpoint.FileEvidence)
}

// entries finds a record: the commit that its ref holds, and its tree.
func (s *Store) entries(ctx context.Context, id model.ID) (string, []objects.TreeEntry, error) {
	name, err := checkpoint.RefName(id)
	if err != nil {
		return "", nil, err
	}
	tip, err := s.tip(ctx, id, name)
	if err != nil {
		return "", nil, err
	}
	commit, err := s.c.Objects.Commit(ctx, tip)
	if err != nil {
		return "", nil, checkpoint.Unreadable(id, err)
	}
	entries, err := s.c.Objects.Tree(ctx, commit.Tree)
	if err != nil {
		return "", nil, checkpoint.Unreadable(id, err)
	}
	return tip, entries, nil
}

// tip is what the ref of a record holds. One that is not here is fetched once: that
// no remote has it and that none could be asked are different answers.
func (s *Store) tip(ctx context.Context, id model.ID, name string) (string, error) {
	tip, err := s.c.Refs.Read(ctx, name)
	if err == nil && tip == "" && s.c.Fetch != nil {
		var found bool
		if found, err = s.c.Fetch(ctx, id); err != nil {
			return "", model.Failf(err, "checkpoint %s is not here and cannot be fetched", id)
		}
		if found {
			tip, err = s.c.Refs.Read(ctx, name)
		}
	}
	if err != nil {
		return "", model.Failf(err, "cannot look up checkpoint %s", id)
	}
	if tip == "" {
		return "", checkpoint.MissingError(id, s.Type())
	}
	return tip, nil
}

// load reads a record and the entries of its tree.
func (s *Store) load(ctx context.Context, id model.ID) (*checkpoint.Record, []objects.TreeEntry, error) {
	tip, entries, err := s.entries(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	rec, err := checkpoint.ReadTree(ctx, s.c.Objects, id, entries)
	if err != nil {
		return nil, nil, err
	}
	rec.Tip, rec.Backend = tip, s.Type()
	return rec, entries, nil
}

// List returns the records here, newest first: by the time in a ULID; those that
// have an id of the older kind by what they say.
func (s *Store) List(ctx context.Context) ([]checkpoint.Info, error) {
	all, err := s.c.Refs.List(ctx, strings.TrimSuffix(checkpoint.RefPrefix, "/"))
	if err != nil {
		return nil, model.Failf(err, "cannot list the checkpoints")
	}
	infos := make([]checkpoint.Info, 0, len(all))
	for _, ref := range all {
		id, err := checkpoint.ParseRef(ref.Name)
		if err != nil {
			continue // not a checkpoint: somebody else's ref below our prefix
		}
		infos = append(infos, checkpoint.Info{ID: id, Ref: ref.Name, Commit: ref.OID, At: s.timeOf(ctx, id, ref.OID), Type: s.Type()})
	}
	checkpoint.SortInfos(infos)
	return infos, nil
}

func (s *Store) timeOf(ctx context.Context, id model.ID, tip string) time.Time {
	if checkpoint.KindOf(string(id)) == checkpoint.KindULID {
		return id.Time()
	}
	commit, err := s.c.Objects.Commit(ctx, tip)
	if err != nil {
		return time.Time{}
	}
	entries, err := s.c.Objects.Tree(ctx, commit.Tree)
	if err != nil {
		return time.Time{}
	}
	metadata, err := checkpoint.ReadFile(ctx, s.c.Objects, id, entries, checkpoint.FileMetadata)
	if err != nil {
		return time.Time{}
	}
	return checkpoint.TimeOf(metadata)
}

// write adds the objects of rec, with the entries of old that are not files of a
// record, and a commit on top of parent ("" for none).
func (s *Store) write(w *objects.Writer, rec *checkpoint.Record, old []objects.TreeEntry, parent string) (string, error) {
	tree, err := checkpoint.WriteTree(w, rec, old)
	if err != nil {
		return "", err
	}
	return w.WriteCommit(checkpoint.Commit(rec, tree, parent, parent == "", s.c.Clock()))
}

// Forget deletes the refs of the records, each as it is now.
func (s *Store) Forget(ctx context.Context, ids ...model.ID) error {
	names := make([]string, 0, len(ids))
	for _, id := range ids {
		name, err := checkpoint.RefName(id)
		if err != nil {
			return err
		}
		names = append(names, name)
	}
	held, err := s.c.Refs.Values(ctx, names)
	if err != nil {
		return model.Failf(err, "cannot look up the checkpoints")
	}
	var updates []refs.Update
	for _, name := range names {
		if held[name] != "" {
			updates = append(updates, refs.Update{Name: name, Old: held[name]})
		}
	}
	return s.c.Refs.Apply(ctx, updates)
}
