package refs

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"overturn/model"
)

// Sweep removes locks on overturn's refs whose makers were killed. Such a lock is
// taken over when its ref is written again, but that may never come to pass, and
// meanwhile git reports it whenever it packs that ref. It is for the end of work.
//
// Refs move in the order of their names, so that whoever died on the way left the
// last of its locks: the folder that sorts first, the checkpoints with their
// thousand shards, is looked through only when a lock was found in another.
func (s *Store) Sweep(ctx context.Context) error {
	if s.repo.RefStorage != "files" {
		return nil
	}
	const own, many = "refs/overturn", "refs/overturn/checkpoints"
	found, err := s.sweep(ctx, own, s.path(many))
	if err == nil && found {
		_, err = s.sweep(ctx, many, "")
	}
	if err != nil {
		return model.Failf(err, "cannot remove the locks that a killed process left")
	}
	return nil
}

// sweep looks below a folder but not into the one to skip; found tells that there
// was a lock, be it one in use.
func (s *Store) sweep(ctx context.Context, folder, skip string) (found bool, err error) {
	err = filepath.WalkDir(s.path(folder), func(file string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // packed or removed meanwhile
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case file == skip:
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".lock"):
			return nil
		}
		found = true
		return s.breakStale(file)
	})
	return found, err
}
