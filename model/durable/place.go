package durable

import (
	"errors"
	"io/fs"
	"os"
)

// MakePlace removes what stands at path where that is no plain file (a folder, a
// link, a FIFO), so that a file of overturn's own can be made there again. It is
// for files that can be made anew, in overturn's own folders: never for a path of
// the user's.
func MakePlace(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() {
		return nil
	}
	if err != nil {
		return err
	}
	Point("durable.makeplace.remove")
	return os.RemoveAll(path)
}

// RenameOwn renames from over to, a file of overturn's own that can be made anew:
// what stands there and is no plain file goes.
func RenameOwn(from, to string) error {
	Point("durable.renameown.rename")
	err := os.Rename(from, to)
	if err != nil && MakePlace(to) == nil {
		Point("durable.renameown.again")
		err = os.Rename(from, to)
	}
	return err
}
