package snapshot

import (
	"errors"
	"io/fs"
	"os"

	"overturn/model"
)

// CheckTable reads the stat table and says how many paths it knows, without using or
// changing it. No table yet is fs.ErrNotExist; one that is damaged is CodeFailed: the
// next capture reads every file and makes it anew.
func (e *Engine) CheckTable() (paths int, err error) {
	data, err := os.ReadFile(e.tablePath())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if err != nil {
		return 0, model.Failf(err, "the stat table cannot be read")
	}
	t, err := parseTable(data, e.repo.HashSize())
	if err != nil {
		return 0, model.Failf(err, "the stat table cannot be used")
	}
	for i := range t.dirs {
		for k := range t.dirs[i].ents {
			if e := &t.dirs[i].ents[k]; !e.isDir() && e.is(fIn) {
				paths++
			}
		}
	}
	return paths, nil
}
