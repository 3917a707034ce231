package rollback

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/restore"
)

// keptRollbacks is how many rollbacks keep their displaced files. The bytes of
// older ones are in their safety snapshots; what was written to a file after it
// was displaced is nowhere else and stays for good.
const keptRollbacks = 20

// pruneKept removes displaced files of old rollbacks that are still, byte for
// byte, what the safety snapshot holds.
func (e *Engine) pruneKept() error {
	folder := filepath.Dir(e.keptFolder("x"))
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || len(entries) <= keptRollbacks {
		return nil
	}
	if err != nil {
		return model.Failf(err, "cannot list the kept files")
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		if a.Name() < b.Name() {
			return -1
		}
		return 1
	})
	for _, old := range entries[:len(entries)-keptRollbacks] {
		if id, err := model.ParseID(old.Name()); err == nil {
			if err := e.pruneKeptOf(id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *Engine) pruneKeptOf(id model.ID) error {
	entry, err := e.journal().Read(id)
	if err != nil {
		return nil // without its journal nothing says what the files are: they stay
	}
	folder := e.keptFolder(id)
	files, err := os.ReadDir(folder)
	if err != nil {
		return model.Failf(err, "cannot list the kept files of %s", id)
	}
	shelf, err := restore.OpenShelf(folder)
	if err != nil {
		return err
	}
	defer shelf.Close()
	left := len(files)
	for _, f := range files {
		number, _, _ := strings.Cut(f.Name(), ".")
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n >= len(entry.Targets) {
			continue
		}
		from, err := shelf.Holds(f.Name(), entry.Targets[n].Target.From)
		to, terr := shelf.Holds(f.Name(), entry.Targets[n].Target.To)
		if err != nil || terr != nil || !from && !to {
			continue
		}
		durable.Point("rollback.prunekeptof.remove")
		if err := os.Remove(filepath.Join(folder, f.Name())); err != nil {
			return model.Failf(err, "cannot remove an old kept file")
		}
		left--
	}
	if left > 0 {
		return nil
	}
	durable.Point("rollback.prunekeptof.remove")
	if err := os.Remove(folder); err != nil {
		return model.Failf(err, "cannot remove an old folder of kept files")
	}
	return nil
}
