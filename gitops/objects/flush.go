package objects

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"overturn/model/durable"
)

// storeAll puts objects on disk: into the pack that was begun, or one by one.
func (s *Store) storeAll(objects []*pendingObject, pack *packWriter, also []*os.File) error {
	durable.Point("objects.flush.before")
	var err error
	if pack != nil {
		err = pack.finish(also)
	} else {
		err = s.storeLoose(objects, also)
	}
	if err != nil {
		return err
	}
	dirs, err := s.objectDirs(false)
	if err != nil {
		return err
	}
	dirs[0].forgetList()
	durable.Point("objects.flush.after")
	return nil
}

// storeLoose writes every object beside its place, syncs them all at once, gives
// them their names and syncs the folders.
func (s *Store) storeLoose(objects []*pendingObject, also []*os.File) error {
	dirs, err := s.objectDirs(false)
	if err != nil {
		return err
	}
	root := dirs[0]
	folders := map[string]bool{}
	temps := make([]*os.File, 0, len(objects))
	defer func() {
		for _, f := range temps { // those that were renamed are not there any more
			f.Close()
			os.Remove(f.Name())
		}
	}()
	for _, o := range objects {
		folder := filepath.Dir(root.loosePath(o.oid))
		made, err := makeFolder(folder)
		if err != nil {
			return err
		}
		folders[folder] = true
		if made {
			folders[root.path] = true
		}
		f, err := createTemp(folder, "tmp_obj_")
		if err != nil {
			return err
		}
		temps = append(temps, f)
		if _, err := f.Write(s.deflate(header(o.typ, o.size), o.data)); err != nil {
			return err
		}
	}
	if err := syncFiles(slices.Concat(temps, also)); err != nil {
		return err
	}
	for i, o := range objects {
		if err := os.Rename(temps[i].Name(), root.loosePath(o.oid)); err != nil {
			return err
		}
	}
	return syncFolders(folders)
}

func syncFiles(files []*os.File) error {
	return together(len(files), func(i int) error { return files[i].Sync() })
}

func syncFolders(folders map[string]bool) error {
	list := make([]string, 0, len(folders))
	for folder := range folders {
		list = append(list, folder)
	}
	return together(len(list), func(i int) error { return durable.SyncDir(list[i]) })
}

// together runs n syncs at the same time: the file system's journal commits them
// in one go, where one after the other each would wait for a commit of its own.
func together(n int, f func(i int) error) error {
	if n == 0 {
		return nil
	}
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := 1; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[i] = f(i)
		}()
	}
	errs[0] = f(0)
	wg.Wait()
	return errors.Join(errs...)
}

// createTemp makes a file under a name that git's gc prunes when it is old, with
// the mode that a finished object has: read-only, less the umask.
func createTemp(folder, prefix string) (*os.File, error) {
	return os.OpenFile(filepath.Join(folder, prefix+rand.Text()), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o444)
}

// makeFolder makes a folder for loose objects, open to those who may write its
// parent (core.sharedRepository), and says whether it was missing.
func makeFolder(folder string) (bool, error) {
	if err := os.Mkdir(folder, 0o777); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = nil
		}
		return false, err
	}
	parent, err := os.Stat(filepath.Dir(folder))
	if err == nil && parent.Mode()&0o020 != 0 {
		err = os.Chmod(folder, parent.Mode()&(fs.ModePerm|fs.ModeSetgid))
	}
	return true, err
}
