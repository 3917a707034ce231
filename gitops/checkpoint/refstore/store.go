package refstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// maxAttempts bounds how often Update starts over because another writer came
// first; each time somebody else got a write in, so it ends.
const maxAttempts = 64

// Store keeps records under refs/overturn/checkpoints/.
type Store struct {
	objects *objects.Store
	refs    *refs.Store
	clock   model.Clock
}

// Open is the factory for checkpoint.Registry.
func Open(c checkpoint.Context) (checkpoint.Store, error) {
	return &Store{c.Objects, c.Refs, c.Clock}, nil
}

// Type is "git-refs".
func (s *Store) Type() string { return checkpoint.TypeRefs }

// NewID makes a ULID.
func (s *Store) NewID(ids *model.IDSource) (model.ID, error) { return ids.New() }

// Create writes rec as an orphan commit.
func (s *Store) Create(ctx context.Context, w *objects.Writer, rec *checkpoint.Record) (checkpoint.Pending, error) {
	id := rec.ID()
	if checkpoint.KindOf(string(id)) != checkpoint.KindULID {
		return checkpoint.Pending{}, model.Usagef("checkpoint %q cannot be made here: new records of the %s store have a ULID as id", id, s.Type())
	}
	name, err := checkpoint.RefName(id)
	if err != nil {
		return checkpoint.Pending{}, err
	}
	tip, err := s.refs.Read(ctx, name)
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
	for attempt := 1; ; attempt++ {
		w := s.objects.NewWriter()
		pending, err := s.Revise(ctx, w, id, edit)
		if err != nil {
			return err
		}
		err = checkpoint.Publish(ctx, w, s.refs, pending)
		if err == nil || !errors.Is(err, refs.ErrMoved) {
			return err
		}
		if attempt == maxAttempts {
			return model.Failf(err, "cannot update checkpoint %s: others kept writing it", id).WithHint("try again")
		}
	}
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
	for _, e := range entries {
		if e.Name != checkpoint.FileEvidence || e.Mode != objects.ModeFile {
			continue
		}
		data, err := s.objects.Blob(ctx, e.OID)
		if err != nil {
			return nil, unreadable(id, err)
		}
		return data, nil
	}
	return nil, nil
}

// entries finds a record: the commit that its ref holds, and its tree.
func (s *Store) entries(ctx context.Context, id model.ID) (string, []objects.TreeEntry, error) {
	name, err := checkpoint.RefName(id)
	if err != nil {
		return "", nil, err
	}
	tip, err := s.refs.Read(ctx, name)
	if err != nil {
		return "", nil, model.Failf(err, "cannot look up checkpoint %s", id)
	}
	if tip == "" {
		return "", nil, checkpoint.MissingError(id, s.Type())
	}
	commit, err := s.objects.Commit(ctx, tip)
	if err != nil {
		return "", nil, unreadable(id, err)
	}
	entries, err := s.objects.Tree(ctx, commit.Tree)
	if err != nil {
		return "", nil, unreadable(id, err)
	}
	return tip, entries, nil
}

// load reads a record and the entries of its tree.
func (s *Store) load(ctx context.Context, id model.ID) (*checkpoint.Record, []objects.TreeEntry, error) {
	tip, entries, err := s.entries(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	rec, err := s.decode(ctx, id, entries)
	if err != nil {
		return nil, nil, err
	}
	rec.Tip = tip
	return rec, entries, nil
}

func (s *Store) decode(ctx context.Context, id model.ID, entries []objects.TreeEntry) (*checkpoint.Record, error) {
	files := map[string][]byte{}
	for _, e := range entries {
		if !slices.Contains(checkpoint.FileNames(), e.Name) || e.Mode != objects.ModeFile {
			continue
		}
		data, err := s.objects.Blob(ctx, e.OID)
		if err != nil {
			return nil, unreadable(id, err)
		}
		files[e.Name] = data
	}
	return checkpoint.Decode(id, files)
}

func unreadable(id model.ID, cause error) error {
	return model.Failf(cause, "checkpoint %s cannot be read", id).
		WithHint("`git fsck` tells whether the repository lost objects")
}

// List returns the records here, newest first: by the time in a ULID, ids of
// the older kind last.
func (s *Store) List(ctx context.Context) ([]checkpoint.Info, error) {
	all, err := s.refs.List(ctx, strings.TrimSuffix(checkpoint.RefPrefix, "/"))
	if err != nil {
		return nil, model.Failf(err, "cannot list the checkpoints")
	}
	infos := make([]checkpoint.Info, 0, len(all))
	for _, ref := range all {
		id, err := checkpoint.ParseRef(ref.Name)
		if err != nil {
			continue // not a checkpoint: somebody else's ref below our prefix
		}
		infos = append(infos, checkpoint.Info{ID: id, Ref: ref.Name, Commit: ref.OID, At: idTime(id)})
	}
	slices.SortFunc(infos, func(a, b checkpoint.Info) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return strings.Compare(string(b.ID), string(a.ID))
	})
	return infos, nil
}

func idTime(id model.ID) time.Time {
	if checkpoint.KindOf(string(id)) != checkpoint.KindULID {
		return time.Time{}
	}
	return id.Time()
}

// write adds the objects of rec: its files, the entries of old that are not
// files of a record, and a commit on top of parent ("" for none).
func (s *Store) write(w *objects.Writer, rec *checkpoint.Record, old []objects.TreeEntry, parent string) (string, error) {
	files, err := checkpoint.Encode(rec)
	if err != nil {
		return "", err
	}
	var entries []objects.TreeEntry
	for _, e := range old {
		if !slices.Contains(checkpoint.FileNames(), e.Name) {
			entries = append(entries, e)
		}
	}
	for _, name := range checkpoint.FileNames() {
		data, ok := files[name]
		if !ok {
			continue
		}
		oid, err := w.Write(objects.TypeBlob, data)
		if err != nil {
			return "", err
		}
		entries = append(entries, objects.TreeEntry{Mode: objects.ModeFile, Name: name, OID: oid})
	}
	tree, err := w.WriteTree(entries)
	if err != nil {
		return "", err
	}
	return w.WriteCommit(s.commit(rec, tree, parent))
}

// commit is by overturn itself and says whose record it is, so that a record can
// be told from its history alone.
func (s *Store) commit(rec *checkpoint.Record, tree, parent string) objects.Commit {
	self := objects.Signature{Name: "overturn", Email: "overturn@localhost", When: s.clock().UTC()}
	subject, parents := "Checkpoint", []string(nil)
	if parent != "" {
		subject, parents = "Update of checkpoint", []string{parent}
	}
	return objects.Commit{
		Tree: tree, Parents: parents, Author: self, Committer: self,
		Message: fmt.Sprintf("%s %s\n\nOverturn-Checkpoint: %s\nOverturn-Turn: %d\n", subject, rec.ID(), rec.ID(), rec.Turn.Number),
	}
}
