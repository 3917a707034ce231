package cli

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/kept"
)

func TestTheStateOfAReviewIsKept(t *testing.T) {
	ctx, repo := context.Background(), gittest.New(t).Open()
	s := &screen{engines: &engines{repo: repo}}
	file := filepath.Join(repo.StateDir(), keptName)
	state := kept.State{Theme: "tide", Wrap: true}
	keep := func(state kept.State) {
		t.Helper()
		if err := s.Keep(ctx, state); err != nil {
			t.Fatal(err)
		}
	}
	is := func(want kept.State) {
		t.Helper()
		if got := s.Kept(ctx); !reflect.DeepEqual(got, want) {
			t.Errorf("kept is %+v, want %+v", got, want)
		}
	}

	is(kept.State{})
	keep(state)
	if _, err := os.Lstat(repo.StateDir()); !os.IsNotExist(err) {
		t.Error("looking made a state folder")
	}
	if err := repo.EnsureStateDir(); err != nil {
		t.Fatal(err)
	}
	keep(state)
	is(state)
	before, err := os.Stat(file)
	if err != nil || before.Mode().Perm() != 0o600 {
		t.Fatalf("the file is %v, %v", before.Mode(), err)
	}
	keep(state)
	if after, _ := os.Stat(file); !os.SameFile(before, after) {
		t.Error("what is there already was written again")
	}
	state.Wrap = false
	torn := filepath.Join(repo.StateDir(), "."+keptName+".tmp-7") // of one that was killed
	if err := os.WriteFile(torn, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	keep(state) // the last one wins
	is(state)
	if _, err := os.Lstat(torn); !os.IsNotExist(err) {
		t.Error("what a killed review left is there still")
	}
}

// Whatever stands in its place is no state, and no error; and no link is followed.
func TestADamagedStateIsNone(t *testing.T) {
	ctx, repo := context.Background(), gittest.New(t).Open()
	if err := repo.EnsureStateDir(); err != nil {
		t.Fatal(err)
	}
	s := &screen{engines: &engines{repo: repo}}
	file := filepath.Join(repo.StateDir(), keptName)
	theirs := filepath.Join(t.TempDir(), "theirs")
	sound := kept.Encode(kept.State{Theme: "tide"})
	if err := os.WriteFile(theirs, sound, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, put := range map[string]func() error{
		"cut":      func() error { return os.WriteFile(file, sound[:len(sound)/2], 0o600) },
		"empty":    func() error { return os.WriteFile(file, nil, 0o600) },
		"a folder": func() error { return os.Mkdir(file, 0o700) },
		"a link":   func() error { return os.Symlink(theirs, file) },
	} {
		if err := put(); err != nil {
			t.Fatal(err)
		}
		if got := s.Kept(ctx); !reflect.DeepEqual(got, kept.State{}) {
			t.Errorf("%s: kept is %+v", name, got)
		}
		err := s.Keep(ctx, kept.State{Wrap: true})
		if got := s.Kept(ctx); err == nil && !got.Wrap || err != nil && name != "a folder" {
			t.Errorf("%s: then kept is %+v, %v", name, got, err)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if data, _ := os.ReadFile(theirs); string(data) != string(sound) {
		t.Errorf("what the link led to is now %q", data)
	}
}
