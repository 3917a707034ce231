//go:build linux || darwin

package worktree_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"overturn/gitops/worktree"
	"overturn/model"
)

// TestSubFollowsItsFolder: a folder that is held is the same under another name, and
// its old name does not lead to it any more, whatever stands there.
func TestSubFollowsItsFolder(t *testing.T) {
	tree, root := open(t)
	put(t, root, "d/e/f", "x", 0o644)
	sub, err := tree.Sub("d/e")
	must(t, err)
	defer sub.Close()
	leads := func(want bool, when string) {
		t.Helper()
		if got, err := tree.Leads("d/e", sub); err != nil || got != want {
			t.Errorf("%s: %v, %v", when, got, err)
		}
	}
	leads(true, "at first")
	must(t, os.Rename(filepath.Join(root, "d"), filepath.Join(root, "was")))
	leads(false, "moved away")
	must(t, os.Symlink("was", filepath.Join(root, "d")))
	leads(false, "a link in its place, to that very folder")
	must(t, os.Remove(filepath.Join(root, "d")))
	put(t, root, "d/e/f", "another", 0o644)
	leads(false, "another folder in its place")
	if data, _, err := sub.Read("f", 0); err != nil || string(data) != "x" {
		t.Errorf("the file in the moved folder: %q, %v", data, err)
	}
	must(t, os.RemoveAll(filepath.Join(root, "d")))
	must(t, os.Rename(filepath.Join(root, "was"), filepath.Join(root, "d")))
	leads(true, "moved back")

	if _, err := tree.Sub("none/e"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of nothing: %v", err)
	}
	var blocked *worktree.Blocked
	if _, err := tree.Sub("d/e/f"); !errors.As(err, &blocked) {
		t.Errorf("of a file: %v", err)
	}
}

// TestFolderThatIsNoneAnyMoreStays: somebody puts a link in the place of an empty
// folder at the moment in which it is to go.
func TestFolderThatIsNoneAnyMoreStays(t *testing.T) {
	tree, root := open(t)
	dir, leave := filepath.Join(root, "d"), filepath.Join(t.TempDir(), "leave")
	must(t, os.Mkdir(dir, 0o755))
	t.Setenv("OVERTURN_FAIL_POINT", "worktree.removeemptydirs.unlink=wait:"+leave)
	done := make(chan error, 1)
	go func() {
		for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(time.Millisecond) {
			if _, err := os.Lstat(leave + ".here"); err == nil {
				break
			}
		}
		err := errors.Join(os.Remove(dir), os.Symlink(t.TempDir(), dir))
		done <- errors.Join(err, os.WriteFile(leave, nil, 0o600))
	}()
	gone, err := tree.RemoveEmptyDirs([]model.Path{"d"})
	must(t, <-done)
	if err != nil || len(gone) > 0 {
		t.Errorf("gone %v, %v", gone, err)
	}
	if st, err := os.Lstat(dir); err != nil || st.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link: %v, %v", st, err)
	}
}
