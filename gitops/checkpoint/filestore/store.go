package filestore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
	"overturn/model/durable"
)

// Store keeps records as files.
type Store struct {
	root  string
	clock model.Clock
}

// Folder is where the records lie, below the common git directory.
const Folder = "overturn/checkpoints"

// Open is the factory for checkpoint.Registry.
func Open(c checkpoint.Context) (checkpoint.Store, error) {
	return &Store{root: filepath.Join(c.Repo.CommonDir, filepath.FromSlash(Folder)), clock: c.Clock}, nil
}

// Type is "files".
func (s *Store) Type() string { return checkpoint.TypeFiles }

// NewID makes a ULID.
func (s *Store) NewID(ids *model.IDSource) (model.ID, error) { return ids.New() }

// Create writes the first version of rec at once; the writer is not used.
func (s *Store) Create(ctx context.Context, _ *objects.Writer, rec *checkpoint.Record) (checkpoint.Pending, error) {
	if _, err := checkpoint.ParseID(string(rec.ID())); err != nil {
		return checkpoint.Pending{}, err
	}
	if err := ctx.Err(); err != nil {
		return checkpoint.Pending{}, context.Cause(ctx)
	}
	newest, err := s.newest(rec.ID())
	if err == nil && newest == 0 {
		err = s.add(rec, 1, nil)
	}
	if newest > 0 || errors.Is(err, fs.ErrExist) {
		err = checkpoint.ExistsError(rec.ID(), s.Type())
	}
	return checkpoint.Pending{}, err
}

// Revise writes a further version at once, over again while others come first.
func (s *Store) Revise(ctx context.Context, _ *objects.Writer, id model.ID, edit func(*checkpoint.Record) error) (checkpoint.Pending, error) {
	return checkpoint.Pending{}, s.Update(ctx, id, edit)
}

// Update writes a further version.
func (s *Store) Update(ctx context.Context, id model.ID, edit func(*checkpoint.Record) error) error {
	return checkpoint.Persist(ctx, "checkpoint "+string(id), func() error {
		rec, n, files, err := s.load(id)
		if err != nil {
			return err
		}
		if err := edit(rec); err != nil {
			return err
		}
		if rec.ID() != id {
			return model.Errorf(model.CodeFailed, "an update of checkpoint %s changed its id to %q", id, rec.ID())
		}
		err = s.add(rec, n+1, files)
		if errors.Is(err, fs.ErrExist) {
			return &refs.MovedError{Name: s.dir(id), Want: strconv.Itoa(n), Found: strconv.Itoa(n + 1)}
		}
		return err
	})
}

// Read returns the newest version.
func (s *Store) Read(_ context.Context, id model.ID) (*checkpoint.Record, error) {
	rec, _, _, err := s.load(id)
	return rec, err
}

// Evidence is one file of the newest version.
func (s *Store) Evidence(_ context.Context, id model.ID) ([]byte, error) {
	rec, _, _, err := s.load(id)
	if err != nil {
		return nil, err
	}
	return rec.Evidence, nil
}

// List returns the records here.
func (s *Store) List(ctx context.Context) ([]checkpoint.Info, error) {
	infos := []checkpoint.Info{}
	shards, err := os.ReadDir(s.root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, s.failed(err)
	}
	for _, shard := range shards {
		if !shard.IsDir() {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(s.root, shard.Name()))
		if err != nil || ctx.Err() != nil {
			return nil, s.failed(errors.Join(err, context.Cause(ctx)))
		}
		for _, e := range entries {
			id := model.ID(e.Name())
			if checkpoint.KindOf(e.Name()) == checkpoint.KindUnknown || id.Shard() != shard.Name() {
				continue // not a record
			}
			infos = append(infos, checkpoint.Info{ID: id, At: s.timeOf(id), Type: s.Type()})
		}
	}
	checkpoint.SortInfos(infos)
	return infos, nil
}

// Forget removes records with all their versions.
func (s *Store) Forget(_ context.Context, ids ...model.ID) error {
	for _, id := range ids {
		if _, err := checkpoint.ParseID(string(id)); err != nil {
			return err
		}
		durable.Point("filestore.forget.remove")
		if err := os.RemoveAll(s.dir(id)); err != nil {
			return s.failed(err)
		}
	}
	return nil
}

func (s *Store) timeOf(id model.ID) time.Time {
	if checkpoint.KindOf(string(id)) == checkpoint.KindULID {
		return id.Time()
	}
	n, err := s.newest(id)
	if err != nil {
		return time.Time{}
	}
	metadata, err := os.ReadFile(filepath.Join(s.version(id, n), checkpoint.FileMetadata))
	if err != nil {
		return time.Time{}
	}
	return checkpoint.TimeOf(metadata)
}

// load reads the newest version: the record, its number, and the files of it that
// this program does not know.
func (s *Store) load(id model.ID) (*checkpoint.Record, int, map[string][]byte, error) {
	if _, err := checkpoint.ParseID(string(id)); err != nil {
		return nil, 0, nil, err
	}
	n, err := s.newest(id)
	if err != nil {
		return nil, 0, nil, err
	}
	if n == 0 {
		return nil, 0, nil, checkpoint.MissingError(id, s.Type())
	}
	entries, err := os.ReadDir(s.version(id, n))
	if err != nil {
		return nil, 0, nil, s.failed(err)
	}
	files, others := map[string][]byte{}, map[string][]byte{}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(s.version(id, n), e.Name()))
		if err != nil {
			return nil, 0, nil, s.failed(err)
		}
		if slices.Contains(checkpoint.FileNames(), e.Name()) {
			files[e.Name()] = data
		} else {
			others[e.Name()] = data
		}
	}
	rec, err := checkpoint.Decode(id, files)
	if err != nil {
		return nil, 0, nil, err
	}
	rec.Tip, rec.Backend = strconv.Itoa(n), s.Type()
	return rec, n, others, nil
}

// newest is the number of the newest version, 0 when there is none.
func (s *Store) newest(id model.ID) (int, error) {
	entries, err := os.ReadDir(s.dir(id))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, s.failed(err)
	}
	newest := 0
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil && strconv.Itoa(n) == e.Name() {
			newest = max(newest, n)
		}
	}
	return newest, nil
}

func (s *Store) dir(id model.ID) string { return filepath.Join(s.root, id.Shard(), string(id)) }

func (s *Store) version(id model.ID, n int) string {
	return filepath.Join(s.dir(id), strconv.Itoa(n))
}

func (s *Store) failed(err error) error {
	return model.Failf(err, "the mirror %s cannot be used", s.Type()).WithHint("see that you may write in %s", s.root)
}
