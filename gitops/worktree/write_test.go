//go:build linux || darwin

package worktree_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"overturn/gitops/worktree"
	"overturn/model"
)

const id = model.ID("01h455vb4pex5vsknk084sn02q")

func content(t *testing.T, root, name, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(root, name))
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
	}
}

func TestWriteLeavesTheStateItPromises(t *testing.T) {
	tree, root := open(t)
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	for n, c := range []worktree.Content{
		{Kind: model.KindFile, Perm: 0o644, Data: []byte("a\n")},
		{Kind: model.KindFile, Perm: 0o664},
		{Kind: model.KindFile, Perm: 0o6755, Data: []byte("setuid stays out")},
		{Kind: model.KindFile, Perm: 0o400, Data: []byte("r")},
		{Kind: model.KindLink, Data: []byte("../elsewhere")},
	} {
		own := worktree.Beside("f", id, n)
		must(t, tree.Write(own, c))
		if got, err := tree.State(own); err != nil || got != worktree.StateOf(c) {
			t.Errorf("case %d: %+v, %v; want %+v", n, got, err, worktree.StateOf(c))
		}
		if err := tree.Write(own, c); !errors.Is(err, fs.ErrExist) {
			t.Errorf("case %d written twice: %v", n, err)
		}
		must(t, tree.Sync([]model.Path{own}, []model.Path{""}))
		must(t, tree.Remove(own))
	}
	if names, err := os.ReadDir(root); err != nil || len(names) != 0 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

func TestUsersFilesAreNeverRemovedOrReplaced(t *testing.T) {
	for _, plain := range []bool{false, true} {
		tree, root := open(t)
		if plain {
			tree.WithoutExchange()
		}
		put(t, root, "a", "a", 0o644)
		put(t, root, "b", "b", 0o644)
		own := worktree.Beside("a", id, 0)
		must(t, tree.Write(own, worktree.Content{Kind: model.KindFile, Perm: 0o644, Data: []byte("own")}))
		shelf, err := os.Open(t.TempDir())
		must(t, err)
		defer shelf.Close()
		if err := tree.Remove("a"); err == nil {
			t.Error("Remove took a file of the user")
		}
		if err := tree.Keep("a", shelf, "k"); err == nil {
			t.Error("Keep took a file of the user")
		}
		if err := tree.Write("new", worktree.Content{Kind: model.KindFile}); err == nil {
			t.Error("Write made a file under a name of the user's")
		}
		if err := tree.Move("a", "c"); err == nil {
			t.Error("Move renamed a file of the user's to another name")
		}
		if err := tree.Move(own, "b"); !errors.Is(err, fs.ErrExist) {
			t.Errorf("Move onto a file: %v", err)
		}
		if err := tree.Move(worktree.Beside("a", id, 7), "new"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Move of nothing: %v", err)
		}
		content(t, root, "a", "a")
		content(t, root, "b", "b")
		must(t, tree.Move(own, "new"))
		content(t, root, "new", "own")
	}
}

func TestExchangeSwapsWholeFiles(t *testing.T) {
	tree, root := open(t)
	put(t, root, "d/a", "theirs", 0o640)
	own := worktree.Beside("d/a", id, 0)
	must(t, tree.Write(own, worktree.Content{Kind: model.KindLink, Data: []byte("x")}))
	before, err := os.Lstat(filepath.Join(root, "d/a"))
	must(t, err)
	must(t, tree.Exchange(own, "d/a"))
	if s, err := tree.State("d/a"); err != nil || s.Kind != model.KindLink {
		t.Errorf("d/a: %+v, %v", s, err)
	}
	after, err := os.Lstat(filepath.Join(root, string(own)))
	must(t, err)
	if !os.SameFile(before, after) || after.Mode() != before.Mode() {
		t.Error("the displaced file is not the one that stood there")
	}
	if err := tree.Exchange(own, "d/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("exchange with nothing: %v", err)
	}
	if err := tree.WithoutExchange().Exchange(own, "d/a"); !errors.Is(err, worktree.ErrNoExchange) {
		t.Errorf("exchange where there is none: %v", err)
	}
}

func TestKeepMovesTheFileItself(t *testing.T) {
	tree, root := open(t)
	kept := t.TempDir()
	shelf, err := os.Open(kept)
	must(t, err)
	defer shelf.Close()
	own := worktree.Beside("f", id, 0)
	must(t, tree.Write(own, worktree.Content{Kind: model.KindFile, Perm: 0o600, Data: []byte("k")}))
	before, err := os.Lstat(filepath.Join(root, string(own)))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(kept, "taken"), []byte("old"), 0o600))
	if err := tree.Keep(own, shelf, "taken"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("kept over another: %v", err)
	}
	must(t, tree.Keep(own, shelf, "0"))
	after, err := os.Lstat(filepath.Join(kept, "0"))
	must(t, err)
	if !os.SameFile(before, after) {
		t.Error("the kept file is a copy")
	}
	content(t, kept, "taken", "old")
}

func TestOnlyEmptyFoldersGo(t *testing.T) {
	tree, root := open(t)
	for _, dir := range []string{"made/in/deep", "mine/in", "empty"} {
		must(t, os.MkdirAll(filepath.Join(root, dir), 0o750))
	}
	put(t, root, "mine/in/f", "x", 0o644)
	must(t, os.Symlink("empty", filepath.Join(root, "l")))
	put(t, root, "file", "x", 0o644)
	gone, err := tree.RemoveEmptyDirs([]model.Path{"made", "made/in", "made/in/deep", "mine", "mine/in", "l", "file", "none", "none/x", "file/x"})
	must(t, err)
	if len(gone) != 3 || gone[0] != (worktree.Folder{Path: "made/in/deep", Perm: 0o750}) {
		t.Errorf("gone: %v", gone)
	}
	for name, there := range map[string]bool{"made": false, "mine/in/f": true, "l": true, "file": true, "empty": true} {
		if _, err := os.Lstat(filepath.Join(root, name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMissingParentsAndFolders(t *testing.T) {
	tree, root := open(t)
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	put(t, root, "a/f", "x", 0o644)
	got, err := tree.MissingParents("a/b/c/f")
	if err != nil || !equal(got, []model.Path{"a/b", "a/b/c"}) {
		t.Errorf("%q, %v", got, err)
	}
	var in *worktree.Blocked
	if _, err := tree.MissingParents("a/f/c/d"); !errors.As(err, &in) || in.At != "a/f" {
		t.Errorf("below a file: %v", err)
	}
	if made, err := tree.MakeFolder("a/b", 0); err != nil || !made {
		t.Error(made, err)
	}
	if made, err := tree.MakeFolder("a/b/c", 0o707); err != nil || !made {
		t.Error(made, err)
	}
	if made, err := tree.MakeFolder("a/b", 0o777); err != nil || made {
		t.Error(made, err)
	}
	if _, err := tree.MakeFolder("a/f", 0); !errors.As(err, &in) {
		t.Errorf("over a file: %v", err)
	}
	for name, perm := range map[string]fs.FileMode{"a/b": 0o750, "a/b/c": 0o707} {
		if st, err := os.Stat(filepath.Join(root, name)); err != nil || st.Mode().Perm() != perm {
			t.Errorf("%s is %v, %v", name, st.Mode(), err)
		}
	}
}

func TestSyncManyAndFew(t *testing.T) {
	tree, _ := open(t)
	for _, n := range []int{3, 100} {
		var files []model.Path
		for i := range n {
			own := worktree.Beside("f", id, i)
			must(t, tree.Write(own, worktree.Content{Kind: model.KindFile, Perm: 0o644, Data: []byte("x")}))
			files = append(files, own)
		}
		must(t, tree.Sync(append(files, "gone", "no/folder"), []model.Path{"", "none"}))
		for _, own := range files {
			must(t, tree.Remove(own))
		}
	}
}

func TestSpace(t *testing.T) {
	tree, root := open(t)
	must(t, os.WriteFile(filepath.Join(root, "file"), nil, 0o644))
	must(t, os.Symlink("/dev", filepath.Join(root, "link")))
	all, err := tree.Space("")
	if err != nil || all.Free <= 0 {
		t.Errorf("room: %+v, %v", all, err)
	}
	for _, folder := range []model.Path{"none", "none/none", "file", "file/below", "link", "link/shm"} { // nothing is mounted here, and no link is followed
		if s, err := tree.Space(folder); err != nil || s.Device != all.Device {
			t.Errorf("room in %q: %+v, %v", folder, s, err)
		}
	}
	if _, err := tree.Space("a/../.."); err == nil {
		t.Error("room outside the tree was told")
	}
	if s, err := worktree.SpaceOf(root); err != nil || s.Device != all.Device {
		t.Errorf("room of the folder: %+v, %v", s, err)
	}
	if _, err := worktree.SpaceOf(filepath.Join(root, "none")); err == nil {
		t.Error("room of no folder was told")
	}
}
