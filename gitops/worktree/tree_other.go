//go:build !linux && !darwin

package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"overturn/model"
)

// Tree is an open work tree, on this system for reading only.
type Tree struct{ root string }

// Open holds the folder root, which must exist.
func Open(root string) (*Tree, error) {
	if st, err := os.Stat(root); err != nil || !st.IsDir() {
		return nil, model.Failf(errors.Join(err, fs.ErrInvalid), "cannot open the work tree %s", root)
	}
	return &Tree{root: root}, nil
}

// WithoutExchange changes nothing: nothing is written here.
func (t *Tree) WithoutExchange() *Tree { return t }

// Close gives the handle back.
func (t *Tree) Close() error { return nil }

// State is what stands at p, read by bytes.
func (t *Tree) State(p model.Path) (model.FileState, error) {
	_, state, err := t.Read(p, 0)
	return state, err
}

// Glance is State without reading: of a file the hash is left empty.
func (t *Tree) Glance(p model.Path) (model.FileState, error) {
	state, err := t.State(p)
	if state.Kind == model.KindFile {
		state.SHA256 = ""
	}
	return state, err
}

// Read is State with the bytes; ErrTooLarge over limit bytes (when limit > 0).
func (t *Tree) Read(p model.Path, limit int64) ([]byte, model.FileState, error) {
	if _, err := model.ParsePath(string(p)); err != nil {
		return nil, model.FileState{}, err
	}
	name := t.root
	parts := strings.Split(string(p), "/")
	for i, part := range parts {
		name = filepath.Join(name, part)
		st, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, model.Absent(), nil
		}
		if err != nil {
			return nil, model.FileState{}, model.Failf(err, "cannot look at %q", string(p))
		}
		if i == len(parts)-1 {
			return readAt(name, st, limit)
		}
		if !st.IsDir() {
			return nil, model.FileState{}, &Blocked{Path: p, At: model.Path(strings.Join(parts[:i+1], "/")), Kind: kindOf(st.Mode())}
		}
	}
	return nil, model.Absent(), nil
}

func kindOf(mode fs.FileMode) model.Kind {
	switch {
	case mode.IsRegular():
		return model.KindFile
	case mode&fs.ModeSymlink != 0:
		return model.KindLink
	}
	return model.KindOther
}

func readAt(name string, st fs.FileInfo, limit int64) ([]byte, model.FileState, error) {
	var data []byte
	var err error
	kind := kindOf(st.Mode())
	switch kind {
	case model.KindLink:
		var text string
		text, err = os.Readlink(name)
		data = []byte(text)
	case model.KindFile:
		if limit > 0 && st.Size() > limit {
			return nil, model.FileState{Kind: kind, Size: st.Size()}, ErrTooLarge
		}
		data, err = os.ReadFile(name)
	default:
		return nil, model.FileState{Kind: kind, Mode: fmt.Sprintf("%06o", st.Mode().Perm())}, nil
	}
	if err != nil {
		return nil, model.FileState{}, model.Failf(err, "cannot read %q", name)
	}
	return data, StateOf(Content{Kind: kind, Perm: uint32(st.Mode().Perm()), Data: data}), nil
}

func refuse() error {
	return model.Refusedf("writing to a work tree is not supported on %s", runtime.GOOS).
		WithHint("review here; roll back on Linux or macOS")
}

// Write refuses.
func (t *Tree) Write(model.Path, Content) error { return refuse() }

// Exchange refuses.
func (t *Tree) Exchange(a, b model.Path) error { return refuse() }

// Move refuses.
func (t *Tree) Move(from, to model.Path) error { return refuse() }

// Sub refuses.
func (t *Tree) Sub(model.Path) (*Tree, error) { return nil, refuse() }

// Leads refuses.
func (t *Tree) Leads(model.Path, *Tree) (bool, error) { return false, refuse() }

// Remove refuses.
func (t *Tree) Remove(model.Path) error { return refuse() }

// Keep refuses.
func (t *Tree) Keep(model.Path, *os.File, string) error { return refuse() }

// MissingParents refuses.
func (t *Tree) MissingParents(model.Path) ([]model.Path, error) { return nil, refuse() }

// MakeFolder refuses.
func (t *Tree) MakeFolder(model.Path, uint32) (bool, error) { return false, refuse() }

// RemoveEmptyDirs refuses.
func (t *Tree) RemoveEmptyDirs([]model.Path) ([]Folder, error) { return nil, refuse() }

// Sync refuses.
func (t *Tree) Sync(files, folders []model.Path) error { return refuse() }

// Space refuses.
func (t *Tree) Space(model.Path) (Space, error) { return Space{}, refuse() }

// SpaceOf refuses.
func SpaceOf(string) (Space, error) { return Space{}, refuse() }

// List refuses.
func (t *Tree) List(model.Path) ([]model.Path, error) { return nil, refuse() }
