//go:build unix

package refs_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"overturn/gitops/refs"
	"overturn/model"
)

// locks lists the lock files below refs/overturn.
func locks(t *testing.T, root string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, ".git/refs/overturn"), func(path string, _ os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".lock" {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestBeginCommitRelease(t *testing.T) {
	r, s, id := three(t)
	ctx := context.Background()
	updates := []refs.Update{{Name: ours + "2", New: id[1]}, {Name: ours + "1", New: id[0]}}
	given, err := s.Begin(ctx, updates)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(given.Locks()); n != 2 {
		t.Errorf("%d locks", n)
	}
	if read(t, s, ours+"1") != "" || read(t, s, ours+"2") != "" {
		t.Error("a ref is there before Commit")
	}
	if _, err := s.Begin(ctx, updates[:1]); model.CodeOf(err) != model.CodeLocked {
		t.Errorf("begun twice: %v", err)
	}
	given.Release()
	if left := locks(t, r.Root); len(left) > 0 || read(t, s, ours+"1") != "" {
		t.Errorf("given up: %v", left)
	}
	done, err := s.Begin(ctx, updates)
	if err != nil {
		t.Fatal(err)
	}
	defer done.Release()
	if err := done.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	done.Release()
	if read(t, s, ours+"1") != id[0] || read(t, s, ours+"2") != id[1] || len(locks(t, r.Root)) > 0 {
		t.Error("not committed")
	}
}

// What git carries out itself, and nothing at all, have no locks to sync.
func TestBeginWithoutLocks(t *testing.T) {
	_, s, id := three(t)
	ctx := context.Background()
	apply(t, s, refs.Update{Name: ours + "1", New: id[0]})
	for _, updates := range [][]refs.Update{nil, {{Name: ours + "1", Old: id[0]}}} {
		change, err := s.Begin(ctx, updates)
		if err != nil || len(change.Locks()) != 0 {
			t.Fatal(err)
		}
		if read(t, s, ours+"1") != id[0] {
			t.Error("moved before Commit")
		}
		if err := change.Commit(ctx); err != nil {
			t.Error(err)
		}
		change.Release()
	}
	if read(t, s, ours+"1") != "" {
		t.Error("it was not deleted")
	}
}
