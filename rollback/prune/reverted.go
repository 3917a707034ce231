package prune

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/journal"
)

// journaled are the ids of all rollbacks and reverts that the histories still have: an
// undo of a revert needs what it took out.
func journaled(dirs []gitops.StateDir) (map[model.ID]bool, error) {
	known := map[model.ID]bool{}
	for _, dir := range dirs {
		ids, err := journal.Open(dir.Dir).IDs()
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			known[id] = true
		}
	}
	return known, nil
}

// revertedFiles are the folders of a state folder that hold what reverts left there and
// no history needs any more: turns that are out of their threads, and copies of
// conversations. Their age is that of the revert.
func (d Deps) revertedFiles(dir gitops.StateDir, rule model.PruneRule, known map[model.ID]bool) ([]string, error) {
	if rule.OlderThan <= 0 {
		return nil, nil
	}
	var list []string
	for _, pattern := range []string{"ledger/*/reverted/*", "talks/*"} {
		found, err := filepath.Glob(filepath.Join(model.GlobSafe(dir.Dir), filepath.FromSlash(pattern)))
		if err != nil {
			return nil, model.Failf(err, "cannot look for what reverts left")
		}
		for _, path := range found {
			id, err := model.ParseID(filepath.Base(path))
			if err == nil && !known[id] && d.Clock().Sub(id.Time()) >= rule.OlderThan {
				list = append(list, path)
			}
		}
	}
	slices.Sort(list)
	return list, nil
}

// dropReverted removes these folders. Cut short, what is left of one goes with the next
// prune.
func dropReverted(list []string) error {
	for _, path := range list {
		durable.Point("prune.reverted.remove")
		if err := os.RemoveAll(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return model.Failf(err, "cannot remove %s", path)
		}
	}
	return nil
}
