//go:build linux || darwin

package worktree

import (
	"errors"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"

	"overturn/model"
)

// Sub holds a folder of the work tree by itself: the paths of the Tree that is
// returned are names in it, and lead there even when the folder is given another
// name or moved out of the work tree. Close it. fs.ErrNotExist when there is none, *Blocked when
// something else stands there.
func (t *Tree) Sub(dir model.Path) (*Tree, error) {
	at, err := t.open(dir)
	if err != nil {
		return nil, named(err, "cannot open the folder", dir)
	}
	defer at.close()
	fd, err := openDir(at.fd, at.name)
	if err != nil {
		return nil, named(t.explain(at.fd, at.name, dir, dir, err), "cannot open the folder", dir)
	}
	return &Tree{root: filepath.Join(t.root, filepath.FromSlash(string(dir))), fd: fd, plain: t.plain}, nil
}

// Leads tells whether dir still is the folder that sub holds. It is not where
// somebody moved that one away, or put another folder or a link in its place.
func (t *Tree) Leads(dir model.Path, sub *Tree) (bool, error) {
	now, err := t.Sub(dir)
	var blocked *Blocked
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &blocked) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer now.Close()
	var held, there unix.Stat_t
	if err := unix.Fstat(sub.fd, &held); err != nil {
		return false, named(err, "cannot look at", dir)
	}
	if err := unix.Fstat(now.fd, &there); err != nil {
		return false, named(err, "cannot look at", dir)
	}
	return held.Dev == there.Dev && held.Ino == there.Ino, nil
}
