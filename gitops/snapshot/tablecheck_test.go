package snapshot_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
)

func TestCheckTable(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "1\n")
	r.Write("deep/er/b", "2\n")
	r.Write("ignored.o", "3\n")
	r.Write(".gitignore", "*.o\n")
	repo := r.Open()
	store := objects.Open(repo)
	defer store.Close()
	e := snapshot.New(repo, store, refs.New(repo), snapshot.Options{})
	if _, err := e.CheckTable(); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("before the first capture: %v", err)
	}
	if err := repo.EnsureStateDir(); err != nil {
		t.Fatal(err)
	}
	w := store.NewWriter()
	snap, err := e.Capture(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	commit, err := e.WriteCommit(t.Context(), w, snap, snapshot.Trailers{Boundary: "safety"}, nil)
	if err == nil {
		err = w.Flush(t.Context())
	}
	if err == nil {
		err = snap.Published(commit)
	}
	if err != nil {
		t.Fatal(err)
	}
	if n, err := e.CheckTable(); err != nil || n != 3 {
		t.Errorf("%d paths, %v, want 3", n, err)
	}
	table := filepath.Join(repo.StateDir(), "table")
	data, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 0x40
	if err := os.WriteFile(table, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.CheckTable(); model.CodeOf(err) != model.CodeFailed {
		t.Errorf("a damaged table: %v", err)
	}
}
