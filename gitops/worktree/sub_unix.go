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
	is, err := identityOf(fd)
	if err != nil {
		_ = unix.Close(fd) // nothing was read
		return nil, named(err, "cannot look at", dir)
	}
	return &Tree{root: filepath.Join(t.root, filepath.FromSlash(string(dir))), fd: fd, plain: t.plain, blocks: t.blocks, is: is}, nil
}

// Leads tells whether dir still is the folder that sub holds. It is not where
// somebody moved that one away, or put another folder or a link in its place.
func (t *Tree) Leads(dir model.Path, sub *Tree) (bool, error) {
	if fd, err := openParent(t.fd, string(dir)); err == nil { // of a Sub, so its path was looked at then
		now, err := identityOf(fd)
		_ = unix.Close(fd) // nothing was read
		return now == sub.is, named(err, "cannot look at", dir)
	}
	now, err := t.Sub(dir)
	var blocked *Blocked
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &blocked) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return now.is == sub.is, now.Close()
}
