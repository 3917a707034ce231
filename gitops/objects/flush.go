package objects

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"overturn/model/durable"
)

// storeAll puts what was collected on disk, as one pack.
func (s *Store) storeAll(pack *packWriter, also []*os.File) error {
	durable.Point("objects.flush.before")
	if err := pack.finish(also); err != nil {
		return err
	}
	dirs, err := s.objectDirs()
	if err != nil {
		return err
	}
	dirs[0].forgetList()
	durable.Point("objects.flush.after")
	return nil
}

func syncFiles(files []*os.File) error {
	return together(len(files), func(i int) error {
		durable.Point("objects.syncfiles.sync")
		return files[i].Sync()
	})
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

// tempPrefix begins the names of unfinished files of ours: git passes them by, its
// gc prunes them when they are old, and sweepTemps knows them.
const tempPrefix = "tmp_pack_overturn-"

// createTemp makes a file under such a name, with the mode that a finished pack
// has: read-only, less the umask. The system's lock on it says that its maker
// lives; where there are no locks, nobody sweeps.
func createTemp(folder string) (*os.File, error) {
	durable.Point("objects.createtemp.open")
	f, err := os.OpenFile(filepath.Join(folder, tempPrefix+rand.Text()), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o444)
	if err == nil {
		_, _ = durable.Hold(f)
	}
	return f, err
}
