package refs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// applyByGit makes the updates in one transaction of git's own.
func (s *Store) applyByGit(ctx context.Context, updates []Update) error {
	zero := strings.Repeat("0", 2*s.repo.HashSize())
	var in bytes.Buffer
	in.WriteString("start\x00")
	for _, u := range updates {
		switch {
		case u.New == "":
			fmt.Fprintf(&in, "delete %s\x00%s\x00", u.Name, u.Old)
		case u.Old == "":
			fmt.Fprintf(&in, "update %s\x00%s\x00%s\x00", u.Name, u.New, zero)
		default:
			fmt.Fprintf(&in, "update %s\x00%s\x00%s\x00", u.Name, u.New, u.Old)
		}
	}
	in.WriteString("prepare\x00commit\x00")
	_, err := s.repo.GitInput(ctx, in.Bytes(), "update-ref", "--stdin", "-z")
	if err == nil {
		return s.syncNames(updates)
	}
	return s.whyNot(ctx, updates, err)
}

// syncNames makes durable what git leaves to the system: the names that it made and
// removed. The contents it syncs (core.fsync in gitops).
func (s *Store) syncNames(updates []Update) error {
	if s.repo.RefStorage != "files" {
		return nil
	}
	folders := map[string]bool{s.repo.CommonDir: true} // that of packed-refs
	for _, u := range updates {
		folders[standingFolder(filepath.Dir(s.path(u.Name)))] = true
	}
	list := slices.Collect(maps.Keys(folders))
	if err := together(len(list), func(i int) error { return s.syncFolder(list[i]) }); err != nil {
		return model.Failf(err, "the refs moved, and may be as they were after a power cut")
	}
	return nil
}

// standingFolder is dir, or the nearest folder above it that is there: git removes
// those that it empties.
func standingFolder(dir string) string {
	for {
		if _, err := os.Lstat(dir); err == nil || filepath.Dir(dir) == dir {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// whyNot looks at the refs instead of git's words: one that does not hold what was
// expected is the reason.
func (s *Store) whyNot(ctx context.Context, updates []Update, cause error) error {
	for _, u := range updates {
		found, err := s.Read(ctx, u.Name)
		if err == nil && found != u.Old {
			return &MovedError{Name: u.Name, Want: u.Old, Found: found}
		}
	}
	var failed *gitops.GitError
	if errors.As(cause, &failed) && strings.Contains(failed.Stderr, ".lock': File exists") {
		return &model.Error{Code: model.CodeLocked, Message: "the refs are locked by another process", Err: cause,
			Hint: "try again; if no git or overturn is running, remove the lock file that is named"}
	}
	return model.Failf(cause, "cannot move refs")
}
