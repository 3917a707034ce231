package rollback

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/journal"
	"overturn/rollback/restore"
)

// keptRollbacks is how many rollbacks keep their displaced files. The bytes of
// older ones are in their safety snapshots; what was written to a file after it
// was displaced is nowhere else and stays for good.
const keptRollbacks = 20

// pruneMeanwhile is pruneKept beside what is done next. What it returns waits for its
// end.
func (e *Engine) pruneMeanwhile() func() error {
	done := make(chan struct{})
	var err error
	go func() {
		defer close(done)
		err = e.pruneKept()
	}()
	return func() error {
		<-done
		return err
	}
}

// pruneKept removes displaced files of old rollbacks that are still, byte for
// byte, what the safety snapshot holds. What cannot be removed stays, and takes nothing
// from the others.
func (e *Engine) pruneKept() error {
	folder := filepath.Dir(e.keptFolder("x"))
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return model.Failf(err, "cannot list the kept files")
	}
	var errs []error
	for _, old := range entries[:max(len(entries)-keptRollbacks, 0)] {
		if id, err := model.ParseID(old.Name()); err == nil {
			errs = append(errs, e.pruneKeptOf(id))
		}
	}
	return errors.Join(errs...)
}

func (e *Engine) pruneKeptOf(id model.ID) error {
	entry, err := e.journal().Read(id)
	if err != nil {
		return nil // without its journal nothing says what the files are: they stay
	}
	folder := e.keptFolder(id)
	spare, all, err := spareCopies(folder, entry)
	if err != nil {
		return model.Failf(err, "cannot list the kept files of %s", id)
	}
	err = several(len(spare), func(i int) error {
		durable.Point("rollback.prunekeptof.remove")
		return os.Remove(filepath.Join(folder, spare[i]))
	})
	if err != nil {
		return model.Failf(err, "cannot remove an old kept file")
	}
	if len(spare) < all {
		return nil
	}
	durable.Point("rollback.prunekeptof.remove")
	if err := os.Remove(folder); err != nil {
		return model.Failf(err, "cannot remove an old folder of kept files")
	}
	return nil
}

// spareCopies lists the kept files of an entry whose bytes its safety snapshot holds:
// they are still what was found in the work tree, or what the rollback put there. All
// is the number of files in the folder. One that cannot be read may be something else.
func spareCopies(folder string, entry *journal.Entry) (names []string, all int, err error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, 0, err
	}
	shelf, err := restore.OpenShelf(folder)
	if err != nil {
		return nil, 0, err
	}
	defer shelf.Close()
	spare := make([]bool, len(files))
	_ = several(len(files), func(i int) error { // none fails
		number, _, _ := strings.Cut(files[i].Name(), ".")
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n >= len(entry.Targets) {
			return nil
		}
		t := entry.Targets[n].Target
		held, err := shelf.Holds(files[i].Name(), t.From, t.To)
		spare[i] = held && err == nil
		return nil
	})
	for i, f := range files {
		if spare[i] {
			names = append(names, f.Name())
		}
	}
	return names, len(files), nil
}
