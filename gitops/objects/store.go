package objects

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"overturn/gitops"
	"overturn/model"
)

// Store reads the objects of one repository. It is safe for several goroutines.
type Store struct {
	repo *gitops.Repo

	mu      sync.Mutex
	dirs    []*objectDir // nil until first used; the repository's own comes first
	odd     bool         // something is stored in a way that only git can read
	pending map[string]*pendingObject

	bases baseCache
	zlibs zlibs
	batch catFile
}

// Open returns the store of repo's objects; it opens nothing until it is asked.
func Open(repo *gitops.Repo) *Store {
	return &Store{repo: repo, pending: make(map[string]*pendingObject), batch: catFile{repo: repo}}
}

// Close ends the child and closes the packs. The Store must not be used afterwards.
func (s *Store) Close() error {
	s.mu.Lock()
	dirs := s.dirs
	s.dirs = nil
	s.mu.Unlock()
	err := s.batch.close()
	for _, d := range dirs {
		err = errors.Join(err, d.close())
	}
	return err
}

// Read returns an object whole. An object that is nowhere is ErrNotFound; one
// that is damaged, or cannot be reached, is another error.
func (s *Store) Read(ctx context.Context, oid string) (typ string, data []byte, err error) {
	raw, err := s.rawID(oid)
	if err != nil {
		return "", nil, err
	}
	if err := ctx.Err(); err != nil {
		return "", nil, context.Cause(ctx)
	}
	if typ, data, ok, err := s.readPending(oid); ok || err != nil {
		return typ, data, err
	}
	typ, data, err = s.readStored(oid, raw)
	if err == nil {
		if err = s.verify(oid, typ, data); err == nil {
			return typ, data, nil
		}
	}
	if errors.Is(err, ErrNotFound) && !s.isOdd() {
		if oid == s.EmptyTree() {
			return TypeTree, nil, nil // git knows it without storing it
		}
		return "", nil, err
	}
	// Git may read what we cannot, or know of another copy.
	typ, data, gitErr := s.batch.read(ctx, oid)
	if gitErr == nil {
		return typ, data, s.verify(oid, typ, data)
	}
	if errors.Is(err, ErrNotFound) {
		return "", nil, gitErr
	}
	return "", nil, err
}

// readStored looks into packs and loose objects. A copy that is damaged is passed
// over as long as there may be another.
func (s *Store) readStored(oid string, raw []byte) (string, []byte, error) {
	var bad error
	typ, data, err := visit(s, raw, func(d *objectDir) (typed, error) {
		typ, data, err := d.read(s, oid, raw)
		return typed{typ, data}, err
	}, &bad)
	if err != nil && bad != nil {
		return "", nil, bad
	}
	return typ, data, err
}

type typed struct {
	typ  string
	data []byte
}

// visitRounds bounds how often visit lists the packs of a folder that changes all the time.
const visitRounds = 10

// visit asks one object folder after the other; when none has the object, those
// whose packs are others than when they were asked are asked again. Once is not
// enough where other processes join their packs: the one that the object lies in now
// may be gone before it is opened, and a list that is read while names come and go
// may lack one that was there throughout its folder's change.
func visit(s *Store, raw []byte, ask func(*objectDir) (typed, error), bad *error) (string, []byte, error) {
	dirs, err := s.objectDirs()
	if err != nil {
		return "", nil, err
	}
	asked := make([]uint64, len(dirs))
	for round := range visitRounds {
		moved := false
		for i, d := range dirs {
			if round > 0 {
				d.relist(s)
			}
			packs := d.generation(s)
			if round > 0 && packs == asked[i] {
				continue
			}
			moved, asked[i] = true, packs
			got, err := ask(d)
			if err == nil {
				return got.typ, got.data, nil
			}
			if !errors.Is(err, ErrNotFound) {
				*bad = err
			}
		}
		if !moved {
			break
		}
	}
	return "", nil, notFound(fmt.Sprintf("%x", raw))
}

// objectDirs returns the folders to look into.
func (s *Store) objectDirs() ([]*objectDir, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dirs == nil {
		dirs, odd, err := openDirs(s.repo)
		if err != nil {
			return nil, err
		}
		s.dirs, s.odd = dirs, odd
	}
	return s.dirs, nil
}

func (s *Store) isOdd() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.odd
}

func (s *Store) readTyped(ctx context.Context, oid, want string) ([]byte, error) {
	typ, data, err := s.Read(ctx, oid)
	if err == nil && typ != want {
		err = model.Errorf(model.CodeFailed, "object %s is a %s, not a %s", oid, typ, want)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Blob is Read of a blob; another type is an error.
func (s *Store) Blob(ctx context.Context, oid string) ([]byte, error) {
	return s.readTyped(ctx, oid, TypeBlob)
}

// Size is the length of the object in bytes; of a loose or packed one without
// reading it whole.
func (s *Store) Size(ctx context.Context, oid string) (int64, error) {
	raw, err := s.rawID(oid)
	if err != nil {
		return 0, err
	}
	if size, ok := s.pendingSize(oid); ok {
		return size, nil
	}
	size := int64(-1)
	var bad error
	_, _, err = visit(s, raw, func(d *objectDir) (typed, error) {
		n, err := d.size(s, oid, raw)
		size = n
		return typed{}, err
	}, &bad)
	if err == nil {
		return size, nil
	}
	_, data, err := s.Read(ctx, oid) // odd or damaged: as Read says
	return int64(len(data)), err
}

// Has tells whether the object is stored here, in a live Writer of this Store, or
// in an alternate. It does not read it.
func (s *Store) Has(ctx context.Context, oid string) (bool, error) {
	raw, err := s.rawID(oid)
	if err != nil {
		return false, err
	}
	if _, ok := s.pendingSize(oid); ok {
		return true, nil
	}
	var bad error
	_, _, err = visit(s, raw, func(d *objectDir) (typed, error) {
		d.dropStale()
		return typed{}, d.has(s, oid, raw)
	}, &bad)
	switch {
	case err == nil:
		return true, nil
	case bad == nil && !errors.Is(err, ErrNotFound):
		return false, err
	case bad == nil && !s.isOdd():
		return oid == s.EmptyTree(), nil
	}
	_, _, err = s.batch.read(ctx, oid)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Tree is Read of a tree, in git's order. The empty tree needs not be stored.
func (s *Store) Tree(ctx context.Context, oid string) ([]TreeEntry, error) {
	data, err := s.readTyped(ctx, oid, TypeTree)
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(data, s.repo.HashSize())
	if err != nil {
		return nil, damaged(oid, err)
	}
	return entries, nil
}

// Commit is Read of a commit.
func (s *Store) Commit(ctx context.Context, oid string) (Commit, error) {
	data, err := s.readTyped(ctx, oid, TypeCommit)
	if err != nil {
		return Commit{}, err
	}
	c, err := parseCommit(data)
	if err != nil {
		return Commit{}, damaged(oid, err)
	}
	return c, nil
}
