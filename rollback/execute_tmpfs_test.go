//go:build linux && system

package rollback_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"overturn/model"
	"overturn/rollback/restore"
)

// TestNotEnoughSpaceIsSeenBeforeTheFirstWrite: 10 MB of disk, 50 MB to restore.
func TestNotEnoughSpaceIsSeenBeforeTheFirstWrite(t *testing.T) {
	small, err := os.MkdirTemp("", "small-disk-")
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=80m"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(syscall.Unmount(small, syscall.MNT_DETACH), os.Remove(small)); err != nil {
			t.Error(err)
		}
	})
	t.Setenv("TMPDIR", small)
	w := newWorld(t)
	w.Write("big", strings.Repeat("0123456789abcdef", 50<<16))
	w.Git("add", "-A")
	w.Commit("base")
	w.turn(func() { w.Remove("big") })
	plan := w.stage()
	w.must(os.WriteFile(w.Path(".git/filler"), make([]byte, 60<<20), 0o600))
	before := w.files()
	_, err = w.execute(plan)
	refused(t, err, model.CodeFailed, "space", "nothing was written")
	w.same("no space", w.files(), before)
	if entries, err := w.engine.History(t.Context()); err != nil || len(entries) > 0 {
		t.Errorf("history: %v, %v", entries, err)
	}
	w.must(os.Remove(w.Path(".git/filler")))
	w.settled()
}

// TestKeptOnAnotherFileSystem: the displaced file cannot be moved to the kept
// folder, so a copy of it is kept.
func TestKeptOnAnotherFileSystem(t *testing.T) {
	other := t.TempDir()
	if err := syscall.Mount("tmpfs", other, "tmpfs", 0, "size=1m"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(other, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	w := newWorld(t)
	w.must(os.MkdirAll(filepath.Join(w.repo.StateDir()), 0o700))
	w.must(os.Symlink(other, filepath.Join(w.repo.StateDir(), "kept")))
	everyKind(w)
	before := w.files()
	w.turn(func() { changeEveryKind(w) })
	displaced := w.contents(w.Root)
	r := w.done(w.stage())
	w.same("rolled back", w.files(), before)
	kept := slices.Collect(maps.Values(w.contents(filepath.Join(other, string(r.ID)))))
	for name, now := range w.contents(w.Root) {
		if displaced[name] == now {
			delete(displaced, name) // it stayed
		}
	}
	if len(displaced) < 3 {
		t.Errorf("only %d files came out", len(displaced))
	}
	for name, was := range displaced {
		if !slices.Contains(kept, was) {
			t.Errorf("%s held %q, and kept are %q", name, was, kept)
		}
	}
	shelf, err := restore.OpenShelf(filepath.Join(other, string(r.ID)))
	w.must(err)
	defer shelf.Close()
	names, err := os.ReadDir(filepath.Join(other, string(r.ID)))
	if err != nil || len(names) < 5 {
		t.Errorf("kept: %v, %v", names, err)
	}
}

// contents is the bytes of the files below a folder, by their path in it.
func (w *world) contents(folder string) map[string]string {
	w.t.Helper()
	all := map[string]string{}
	w.must(filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git" && d.IsDir():
			return fs.SkipDir
		case d.Type().IsRegular():
			data, err := os.ReadFile(name)
			all[strings.TrimPrefix(name, folder)] = string(data)
			return err
		}
		return nil
	}))
	return all
}
