package durable

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ReplaceFile puts data at path in one step: a temporary file beside it is
// written, given perm whatever the umask says and the owner of the file that it
// replaces, synced and renamed over it, and the folder synced. On error the old file
// stands; only when the folder's sync failed may the new one stand already. A link at
// path is replaced, not followed.
func ReplaceFile(path string, data []byte, perm fs.FileMode) error {
	dir := filepath.Dir(path)
	Point("durable.replacefile.create")
	tmp, err := os.CreateTemp(dir, "."+filepath.Base(path)+tempMark+"*")
	if err != nil {
		return err
	}
	if err := fillTemp(tmp, data, perm, path); err != nil {
		os.Remove(tmp.Name())
		return err
	}
	Point("durable.replacefile.rename")
	if err := os.Rename(tmp.Name(), path); err != nil {
		os.Remove(tmp.Name())
		return err
	}
	return SyncDir(dir)
}

// SweepTemps removes the temporary files that killed calls of ReplaceFile left beside
// path. The caller holds the lock under which path is replaced: none is in use.
func SweepTemps(path string) {
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return // whoever replaces the file will say why
	}
	for _, e := range left {
		if e.Type().IsRegular() && strings.HasPrefix(e.Name(), "."+filepath.Base(path)+tempMark) {
			Point("durable.sweeptemps.remove")
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}

// SweepStale removes the files and folders of dir that are named PREFIX….tmp, for one
// of the prefixes, and were last changed before the given time. It is for those of which
// losing one that is still being written costs time only: a process that lives is
// done with it in milliseconds, and what is older was left by one that was killed.
func SweepStale(dir string, before time.Time, prefixes ...string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // what is left over harms nothing
	}
	for _, e := range entries {
		ours := func(prefix string) bool { return strings.HasPrefix(e.Name(), prefix) }
		if !e.Type().IsRegular() && !e.IsDir() || filepath.Ext(e.Name()) != ".tmp" || !slices.ContainsFunc(prefixes, ours) {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().Before(before) {
			Point("durable.sweepstale.remove")
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// tempMark stands between the name of a file and what tells its temporary ones apart.
const tempMark = ".tmp-"

// fillTemp writes what is to replace the file at path, syncs and closes.
func fillTemp(tmp *os.File, data []byte, perm fs.FileMode, path string) error {
	Point("durable.filltemp.write")
	_, err := tmp.Write(data)
	if err == nil {
		err = ownLike(tmp, path)
	}
	if err == nil {
		Point("durable.filltemp.chmod")
		err = tmp.Chmod(perm)
	}
	if err == nil {
		Point("durable.filltemp.sync")
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	return err
}

// SyncFile makes a file that another program wrote, and its name, durable.
func SyncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	Point("durable.syncfile.sync")
	err = f.Sync()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = SyncDir(filepath.Dir(path))
	}
	return err
}

// SyncDir makes the names in dir durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = syncDir(d)
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	return err
}
