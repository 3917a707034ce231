package talkfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"overturn/model"
	"overturn/model/durable"
)

// Limit is the largest conversation that is read, in bytes.
const Limit = 1 << 30

// File is a conversation's file as it was read.
type File struct {
	Path string // what it really is, links seen through
	Data []byte
	Mode fs.FileMode // permission bits
}

// Read reads a whole file. A file that is not there is an error that wraps
// fs.ErrNotExist.
func Read(path string) (*File, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, model.Errorf(model.CodeFailed, "%s is not a file", path)
	case info.Size() > Limit:
		return nil, model.Errorf(model.CodeFailed, "%s is too large to be read whole (%d bytes)", path, info.Size())
	}
	data, err := durable.ReadFile(real)
	if err != nil {
		return nil, err
	}
	return &File{Path: real, Data: data, Mode: info.Mode().Perm()}, nil
}

// Sum is the SHA-256 of data in hex.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Lines are the lines of data, each with its line end; the last may have none.
func Lines(data []byte) [][]byte {
	var list [][]byte
	for line := range bytes.Lines(data) {
		list = append(list, line)
	}
	return list
}

// Keep puts a copy of the bytes that were read into dir, which is made where it is
// missing, and returns where it lies. The same bytes are kept once.
func (f *File) Keep(dir string) (string, error) {
	sum := Sum(f.Data)
	path := f.keptAs(f.Path, dir)
	if _, err := Read(path); err == nil {
		return path, same(path, sum)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", model.Failf(err, "cannot read %s", path)
	}
	durable.Point("talkfile.keep.mkdir")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", model.Failf(err, "cannot make the folder %s", dir)
	}
	if err := durable.ReplaceFile(path, f.Data, 0o600); err != nil {
		return "", model.Failf(err, "cannot keep a copy of %s", f.Path)
	}
	return path, same(path, sum)
}

// keptAs names the copy of f in dir, f being the file at path.
func (f *File) keptAs(path, dir string) string {
	return filepath.Join(dir, Sum(f.Data)[:12]+"-"+filepath.Base(path))
}

// Make writes a new file beside others of its kind; one that is there already with
// the same bytes is as good, one with others is an error.
func Make(path string, data []byte, mode fs.FileMode) error {
	there, err := Read(path)
	switch {
	case err == nil && bytes.Equal(there.Data, data):
		return nil
	case err == nil:
		return model.Refusedf("%s is there and holds something else", path)
	case !errors.Is(err, fs.ErrNotExist):
		return model.Failf(err, "cannot read %s", path)
	}
	if err := durable.ReplaceFile(path, data, mode); err != nil {
		return model.Failf(err, "cannot write %s", path)
	}
	return same(path, Sum(data))
}

// Unmake removes a file that Make wrote, while it holds what was written. gone is
// false when it holds something else by now, and stays.
func Unmake(path, sum string) (gone bool, err error) {
	there, err := Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, model.Failf(err, "cannot read %s", path)
	case Sum(there.Data) != sum:
		return false, nil
	}
	durable.Point("talkfile.unmake.remove")
	if err := os.Remove(path); err != nil {
		return false, model.Failf(err, "cannot remove %s", path)
	}
	return true, durable.SyncDir(filepath.Dir(path))
}

// same reads a file back.
func same(path, sum string) error {
	back, err := Read(path)
	if err != nil {
		return model.Failf(err, "cannot read back %s", path)
	}
	if Sum(back.Data) != sum {
		return model.Errorf(model.CodeFailed, "%s does not hold what was written to it", path)
	}
	return nil
}
