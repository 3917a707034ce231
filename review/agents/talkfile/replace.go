package talkfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"overturn/model"
	"overturn/model/durable"
)

// second is the name that a replaced file keeps until it was looked at again.
func second(path string) string {
	return filepath.Join(filepath.Dir(path), ".overturn-"+filepath.Base(path)+".was")
}

// Changed says that a conversation went on while it was looked at.
func Changed(path string) error {
	return model.Refusedf("%s was written to meanwhile: the conversation is in use", path).
		WithHint("close the agent, then run the command again")
}

// Take reads a file that is to be replaced, and keeps a copy in dir, a folder of
// this rollback alone. It ends a replacement that was cut short before.
func Take(path, dir string) (f *File, copy string, err error) {
	if f, err = Read(path); err != nil {
		return nil, "", err
	}
	if err := settle(f.Path, dir); err != nil {
		return nil, "", err
	}
	if f, err = Read(f.Path); err != nil {
		return nil, "", err
	}
	copy, err = f.Keep(dir)
	return f, copy, err
}

// Replace puts data in the place of what was taken. CodeRefused, and the file is as
// its agent left it, where it was written to since.
func (f *File) Replace(data []byte) error {
	if now, err := Read(f.Path); err != nil || !bytes.Equal(now.Data, f.Data) {
		return Changed(f.Path)
	}
	was := second(f.Path)
	durable.Point("talkfile.replace.link")
	linked := os.Link(f.Path, was) == nil // without a second name the look just before is all there is
	if err := durable.ReplaceFile(f.Path, data, f.Mode); err != nil {
		if linked {
			err = errors.Join(err, remove(was))
		}
		return model.Failf(err, "cannot write %s", f.Path)
	}
	if linked {
		if old, err := Read(was); err != nil || !bytes.Equal(old.Data, f.Data) {
			return errors.Join(Changed(f.Path), putBack(was, f.Path))
		}
		if err := remove(was); err != nil {
			return err
		}
	}
	return same(f.Path, Sum(data))
}

// settle ends a replacement of path that was cut short. The replaced file has to
// hold what was kept in dir: then it may go, whatever its agent did with the new one
// since.
func settle(path, dir string) error {
	was := second(path)
	old, err := Read(was)
	durable.SweepTemps(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return model.Failf(err, "cannot read %s", was)
	}
	if kept, err := Read(old.keptAs(path, dir)); err == nil && bytes.Equal(kept.Data, old.Data) {
		return remove(was)
	}
	if sameFile(was, path) {
		return remove(was)
	}
	return model.Refusedf("%s was written to while it was replaced; what it held then lies in %s", path, was).
		WithHint("look at both, then remove or rename the second and run the command again")
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

func putBack(was, path string) error {
	durable.Point("talkfile.putback.rename")
	if err := os.Rename(was, path); err != nil {
		return model.Failf(err, "cannot put %s back; it lies in %s", path, was)
	}
	return durable.SyncDir(filepath.Dir(path))
}

func remove(was string) error {
	durable.Point("talkfile.remove.remove")
	if err := os.Remove(was); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return model.Failf(err, "cannot remove %s", was)
	}
	return durable.SyncDir(filepath.Dir(was))
}
