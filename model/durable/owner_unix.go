//go:build unix

package durable

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// ownLike gives tmp the owner and the group of the file that it is to replace: who runs
// this may be another user, root as often as not. What the system does not permit stays
// as it is: contents and mode are what was promised.
func ownLike(tmp *os.File, path string) error {
	old, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !old.Mode().IsRegular() {
		return nil
	}
	if err != nil {
		return err
	}
	now, err := tmp.Stat()
	if err != nil {
		return err
	}
	want, known := old.Sys().(*syscall.Stat_t)
	have, same := now.Sys().(*syscall.Stat_t)
	if !known || !same || want.Uid == have.Uid && want.Gid == have.Gid {
		return nil
	}
	Point("durable.ownlike.chown")
	if err := tmp.Chown(int(want.Uid), int(want.Gid)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
