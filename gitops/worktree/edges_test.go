//go:build linux || darwin

package worktree_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"overturn/gitops/worktree"
	"overturn/model"
)

func TestLinkTextsOfEveryLength(t *testing.T) {
	tree, root := open(t)
	for _, n := range []int{1, 255, 256, 257, 300, 1024, 2000} {
		text := strings.Repeat("x", n)
		const name = "link"
		must(t, os.Symlink(text, filepath.Join(root, name)))
		got, state, err := tree.Read(name, 0)
		if err != nil || string(got) != text || state.Size != int64(n) || state.Kind != model.KindLink {
			t.Errorf("a link of %d bytes is read as %d bytes, %+v, %v", n, len(got), state, err)
		}
		must(t, os.Remove(filepath.Join(root, name)))
	}
}

func TestWhatStandsInTheWayIsNamed(t *testing.T) {
	tree, root := open(t)
	put(t, root, "a/b/file", "f", 0o644)
	must(t, os.Symlink("b", filepath.Join(root, "a/link")))
	for _, c := range []struct {
		path, at model.Path
		kind     model.Kind
	}{{"a/b/file/x/y", "a/b/file", model.KindFile}, {"a/link/file", "a/link", model.KindLink}} {
		_, err := tree.State(c.path)
		var in *worktree.Blocked
		if !errors.As(err, &in) || in.Path != c.path || in.At != c.at || in.Kind != c.kind {
			t.Errorf("%s: %v, want %s, a %s, in the way", c.path, err, c.at, c.kind)
		}
	}
	if state, err := tree.State("a/none/file"); err != nil || state.Kind != model.KindAbsent {
		t.Errorf("below an absent folder: %+v, %v", state, err)
	}
}

// What is gone, or something else by now, has nothing to be synced.
func TestSyncPassesOverWhatIsGone(t *testing.T) {
	tree, root := open(t)
	put(t, root, "d/file", "f", 0o644)
	must(t, os.Symlink("file", filepath.Join(root, "d/link")))
	must(t, unix.Mkfifo(filepath.Join(root, "d/fifo"), 0o600))
	must(t, tree.Sync([]model.Path{"d/file", "d/link", "d/gone", "none/file", "d/file/below"}, []model.Path{"", "d", "gone", "d/file", "d/link"}))
}

func TestSpaceIsInBytes(t *testing.T) {
	_, root := open(t)
	var st unix.Statfs_t
	must(t, unix.Statfs(root, &st))
	space, err := worktree.SpaceOf(root)
	if block := int64(st.Bsize); err != nil || space.Free < 1<<20 || space.Free%block != 0 {
		t.Errorf("free are %d bytes in blocks of %d, %v", space.Free, block, err)
	}
}
