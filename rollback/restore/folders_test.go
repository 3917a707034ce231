//go:build linux || darwin

package restore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/rollback/restore"
)

func TestParentInTheWayIsADifference(t *testing.T) {
	outside := t.TempDir()
	for what, block := range map[string]worktree.Content{"link": link(outside), "file": file(0o644, "user's")} {
		p := newPlace(t, false)
		p.set("d", block)
		b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
		s := step("d/t", [2]worktree.Content{none, file(0o644, "back")})
		var differs *restore.Differs
		if err := run(b, s); !errors.As(err, &differs) || !strings.Contains(differs.Reason, "in the way") {
			t.Errorf("%s: %v", what, err)
		}
		if p.state("d") != stateOf(block) {
			t.Errorf("%s in the way is changed", what)
		}
	}
	if names, err := os.ReadDir(outside); err != nil || len(names) > 0 {
		t.Errorf("written outside: %v, %v", names, err)
	}
}

func TestFoldersAreMadeAndMakeRoom(t *testing.T) {
	p := newPlace(t, false)
	b := restore.New(p.tree, id, restore.Options{Kept: p.kept, Perm: map[model.Path]uint32{"a/b": 0o700}})
	s := step("a/b/f", [2]worktree.Content{none, file(0o644, "x")})
	p.must(run(b, s))
	if st, err := os.Stat(filepath.Join(p.root, "a/b")); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("a/b: %v, %v", st, err)
	}

	// A folder becomes a file again: only when it is empty, and only one of ours.
	p.must(os.MkdirAll(filepath.Join(p.root, "g/sub"), 0o755))
	into := step("g", [2]worktree.Content{none, file(0o644, "file again")})
	if err := run(restore.New(p.tree, id, restore.Options{Kept: p.kept}), into); err == nil {
		t.Error("a folder that may not go was replaced")
	}
	p.must(restore.New(p.tree, id, restore.Options{Kept: p.kept, Removable: []model.Path{"g", "g/sub"}}).Swap(into))
	if p.state("g") != into.To {
		t.Errorf("g is %+v", p.state("g"))
	}

	// A file becomes a folder again: what goes below it lies beside it until then.
	goes := &restore.Step{N: 5, Path: "h", From: stateOf(file(0o644, "h")), To: model.Absent()}
	p.set("h", file(0o644, "h"))
	below := &restore.Step{N: 6, Path: "h/t", From: model.Absent(), To: stateOf(file(0o644, "t")), Content: []byte("t")}
	b = restore.New(p.tree, id, restore.Options{Kept: p.kept, Targets: []model.Path{"h", "h/t"}})
	p.must(b.Write(below))
	if p.state("h") != goes.From {
		t.Error("h was touched before its own step")
	}
	p.must(b.Swap(goes))
	// The folder is in the place of the file, whose displaced self lies beside it.
	p.must(b.Swap(below))
	if p.state("h/t") != below.To {
		t.Errorf("h/t is %+v", p.state("h/t"))
	}
}

// TestNoWayBackKeepsWhatCameOut: a link stands where the folder was from which a file
// came out; the file is kept, and nothing of it stays in the work tree.
func TestNoWayBackKeepsWhatCameOut(t *testing.T) {
	p := newPlace(t, false)
	outside := t.TempDir()
	p.set("h/t", file(0o644, "t"))
	b := restore.New(p.tree, id, restore.Options{Kept: p.kept, Targets: []model.Path{"h", "h/t"}})
	s := step("h/t", [2]worktree.Content{file(0o644, "t"), none})
	p.must(run(b, s))
	p.must(os.Remove(filepath.Join(p.root, "h")))
	p.must(os.Symlink(outside, filepath.Join(p.root, "h")))
	differs := new(restore.Differs)
	if err := b.Back(s); !errors.As(err, &differs) || len(differs.Kept) != 1 || s.Swapped() {
		t.Fatalf("back: %v, kept %v", err, differs.Kept)
	}
	if data, err := os.ReadFile(differs.Kept[0]); err != nil || string(data) != "t" {
		t.Errorf("kept: %q, %v", data, err)
	}
	names, err := os.ReadDir(outside)
	if own := p.own(); err != nil || len(own)+len(names) > 0 {
		t.Errorf("left %v, outside %v, %v", own, names, err)
	}
}
