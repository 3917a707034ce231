package filestore_test

import (
	"os"
	"path/filepath"
	"testing"

	"overturn/gitops/checkpoint/filestore"
	"overturn/gitops/checkpoint/storetest"
)

func TestContract(t *testing.T) { storetest.Run(t, filestore.Open) }

// TestNobodyElseReadsTheMirror: its first record may be what makes the state folder, as
// that of a linked work tree is another; records hold prompts.
func TestNobodyElseReadsTheMirror(t *testing.T) {
	b := storetest.NewBench(t, filestore.Open)
	state := filepath.Join(b.Context.Repo.CommonDir, "overturn")
	if err := os.RemoveAll(state); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Store.Create(t.Context(), b.Context.Objects.NewWriter(), b.Record(t, 1)); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{state, filepath.Join(state, "checkpoints")} {
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %s", dir, info.Mode())
		}
	}
}
