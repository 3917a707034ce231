//go:build linux

package worktree_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/worktree"
	"overturn/model"
)

// TestWithoutRights: in a folder that nobody may look into, and in one that nobody may
// write in, every step says that it is the rights and at which path, and changes nothing.
func TestWithoutRights(t *testing.T) {
	gittest.Unprivileged(t)
	root := t.TempDir()
	own := func(p model.Path) model.Path { return worktree.Beside(p, id, 0) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"shut/below", "fixed/below", "aside"} {
		must(os.MkdirAll(filepath.Join(root, dir), 0o755))
		must(os.WriteFile(filepath.Join(root, dir, "file"), []byte("text\n"), 0o644))
		must(os.WriteFile(filepath.Join(root, string(own(model.Path(dir+"/file")))), []byte("ours\n"), 0o644))
	}
	must(os.WriteFile(filepath.Join(root, "unreadable"), []byte("text\n"), 0))
	tree, err := worktree.Open(root)
	must(err)
	defer tree.Close()
	aside, err := os.Open(filepath.Join(root, "aside"))
	must(err)
	defer aside.Close()
	for dir, perm := range map[string]os.FileMode{"shut": 0, "fixed": 0o500, "fixed/below": 0o500} {
		must(os.Chmod(filepath.Join(root, dir), perm))
		t.Cleanup(func() { must(os.Chmod(filepath.Join(root, dir), 0o755)) })
	}
	content := worktree.Content{Kind: model.KindFile, Perm: 0o644, Data: []byte("new\n")}
	text := worktree.Content{Kind: model.KindLink, Data: []byte("to")}
	for what, step := range map[string]func(p model.Path) error{
		"state":    func(p model.Path) error { _, err := tree.State(p); return err },
		"glance":   func(p model.Path) error { _, err := tree.Glance(p); return err },
		"read":     func(p model.Path) error { _, _, err := tree.Read(p, 1<<20); return err },
		"list":     func(p model.Path) error { _, err := tree.List(p); return err },
		"parents":  func(p model.Path) error { _, err := tree.MissingParents(p + "/x"); return err },
		"sub":      func(p model.Path) error { _, err := tree.Sub(p); return err },
		"sync":     func(p model.Path) error { return tree.Sync([]model.Path{p}, nil) },
		"write":    func(p model.Path) error { return tree.Write(worktree.Beside(p, id, 2), content) },
		"link":     func(p model.Path) error { return tree.Write(worktree.Beside(p, id, 2), text) },
		"folder":   func(p model.Path) error { _, err := tree.MakeFolder(p+".new", 0o755); return err },
		"exchange": func(p model.Path) error { return tree.Exchange(p, own(p)) },
		"move":     func(p model.Path) error { return tree.Move(p, worktree.Beside(p, id, 2)) },
		"move in":  func(p model.Path) error { return tree.Move(own("aside/file"), p+".new") },
		"keep":     func(p model.Path) error { return tree.Keep(own(p), aside, "kept") },
		"remove":   func(p model.Path) error { return tree.Remove(own(p)) },
	} {
		paths := []model.Path{"shut/below/file"}
		switch what {
		case "write", "link", "folder", "exchange", "move", "move in", "keep", "remove":
			paths = append(paths, "fixed/below/file")
		}
		for _, p := range paths {
			if err := step(p); !isPermission(err) {
				t.Errorf("%s of %q: %v", what, p, err)
			}
		}
	}
	if _, err := tree.List("shut"); !isPermission(err) {
		t.Errorf("list of what may not be listed: %v", err)
	}
	if _, _, err := tree.Read("unreadable", 1<<20); !isPermission(err) {
		t.Errorf("read of what may not be read: %v", err)
	}
	if s, err := tree.Glance("unreadable"); err != nil || s.Kind != model.KindFile {
		t.Errorf("what may not be read is %+v: %v", s, err)
	}
	if gone, err := tree.RemoveEmptyDirs([]model.Path{"shut/below", "fixed/below"}); len(gone) > 0 {
		t.Errorf("folders were removed: %v, %v", gone, err)
	}
	if data, err := os.ReadFile(filepath.Join(root, "fixed/below/file")); err != nil || string(data) != "text\n" {
		t.Errorf("the file holds %q: %v", data, err)
	}
	if names, err := os.ReadDir(filepath.Join(root, "aside")); err != nil || len(names) != 2 {
		t.Errorf("aside holds %v: %v", names, err)
	}
}

func isPermission(err error) bool { return errors.Is(err, fs.ErrPermission) }
