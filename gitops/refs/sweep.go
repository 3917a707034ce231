package refs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"overturn/model"
)

// Sweep removes locks on overturn's refs whose makers were killed. Such a lock is
// taken over when its ref is written again, but that may never come to pass, and
// meanwhile git reports it whenever it packs that ref. It looks through all folders:
// for moments when nobody waits.
func (s *Store) Sweep(ctx context.Context) error {
	return s.sweepAll(ctx, "")
}

// manyRefs are the folders that grow with the turns.
const (
	manyThreads     = "refs/overturn/threads"
	manyCheckpoints = "refs/overturn/checkpoints"
)

// SweepAt is Sweep that costs the same however many turns there are: it looks at the
// refs that are named, and through the folders that stay small, and goes on to all
// others when it finds a lock. Refs move in the order of their names, so that whoever
// died on the way left the last of its locks.
func (s *Store) SweepAt(ctx context.Context, names ...string) error {
	if s.repo.RefStorage != "files" {
		return nil
	}
	for _, name := range names {
		if _, err := os.Lstat(s.path(name) + ".lock"); err == nil {
			return s.Sweep(ctx)
		}
	}
	return s.sweepAll(ctx, s.path(manyThreads))
}

// sweepAll looks through the folders but that one, and through the checkpoints with
// their thousand shards, which sort first, only when there was a lock in another.
func (s *Store) sweepAll(ctx context.Context, skip string) error {
	if s.repo.RefStorage != "files" {
		return nil
	}
	found, err := s.sweep(ctx, "refs/overturn", s.path(manyCheckpoints), skip)
	if err == nil && found {
		_, err = s.sweep(ctx, manyCheckpoints)
		if skip != "" && err == nil {
			_, err = s.sweep(ctx, manyThreads)
		}
	}
	if err != nil {
		return model.Failf(err, "cannot remove the locks that a killed process left")
	}
	return nil
}

// sweep looks below a folder but not into those to skip; found tells that there
// was a lock, be it one in use.
func (s *Store) sweep(ctx context.Context, folder string, skip ...string) (found bool, err error) {
	err = filepath.WalkDir(s.path(folder), func(file string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // packed or removed meanwhile
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case slices.Contains(skip, file):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".lock"):
			return nil
		}
		found = true
		return s.breakStale(file)
	})
	return found, err
}
