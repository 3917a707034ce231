package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/model/durable"
)

// deadAfter is when a version that is being written is taken for one of a process
// that was killed.
const deadAfter = 10 * time.Minute

// add writes version n of rec, with others beside it; fs.ErrExist when it is there.
func (s *Store) add(rec *checkpoint.Record, n int, others map[string][]byte) error {
	files, err := checkpoint.Encode(rec)
	if err != nil {
		return err
	}
	for name, data := range others {
		files[name] = data
	}
	dir := s.dir(rec.ID())
	shard := filepath.Dir(dir)
	durable.Point("filestore.add.folder")
	if err := os.MkdirAll(dir, 0o700); err != nil { // the state folder itself may be made here
		return s.failed(err)
	}
	durable.SweepStale(shard, s.clock().Add(-deadAfter), ".")
	durable.Point("filestore.add.create")
	temp, err := os.MkdirTemp(shard, "."+string(rec.ID())+"-*.tmp")
	if err != nil {
		return s.failed(err)
	}
	if err = fill(temp, files); err != nil {
		err = s.failed(err)
	} else {
		err = s.place(temp, s.version(rec.ID(), n))
	}
	if err != nil {
		durable.Point("filestore.add.remove")
		_ = os.RemoveAll(temp) // in its place it has another name
	}
	return err
}

// fill writes the files of a version, and has them on the disk.
func fill(temp string, files map[string][]byte) error {
	for name, data := range files {
		if err := writeSynced(filepath.Join(temp, name), data); err != nil {
			return err
		}
	}
	durable.Point("filestore.fill.chmod")
	return errors.Join(os.Chmod(temp, 0o755), durable.SyncDir(temp))
}

// place gives a version its name. No version is empty, and a folder cannot be renamed
// over one that is not: of two that take the same number, one is told.
func (s *Store) place(temp, version string) error {
	durable.Point("filestore.place.rename")
	if err := os.Rename(temp, version); err != nil {
		if _, there := os.Lstat(version); there == nil {
			return fs.ErrExist
		}
		return s.failed(err)
	}
	dir := filepath.Dir(version)
	for _, folder := range []string{dir, filepath.Dir(dir), s.root, filepath.Dir(s.root)} {
		if err := durable.SyncDir(folder); err != nil {
			return s.failed(err)
		}
	}
	return nil
}

func writeSynced(path string, data []byte) error {
	durable.Point("filestore.writesynced.create")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		durable.Point("filestore.writesynced.sync")
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
