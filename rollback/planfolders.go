package rollback

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"overturn/gitops/worktree"
	"overturn/model"
)

// sortDeepest puts folders before those that hold them.
func sortDeepest(folders []model.Path) {
	slices.SortFunc(folders, func(a, b model.Path) int {
		deep := func(p model.Path) int { return strings.Count(string(p), "/") }
		return cmp.Or(cmp.Compare(deep(b), deep(a)), cmp.Compare(a, b))
	})
}

// isFolder tells whether a folder, and no special file, stands at the path.
func (e *Engine) isFolder(p model.Path) bool {
	info, err := os.Lstat(filepath.Join(e.Repo.Root, filepath.FromSlash(string(p))))
	return err == nil && info.IsDir()
}

// empties tells whether all that stands in a folder goes: every name below it is
// either a path that goes or a folder that holds one. Names are looked at, links
// are not followed; in doubt it does not.
func (e *Engine) empties(folder model.Path, goes map[model.Path]bool) bool {
	holds := map[model.Path]bool{}
	for p, gone := range goes {
		for dir := worktree.Dir(p); gone && dir != "" && !holds[dir]; dir = worktree.Dir(dir) {
			holds[dir] = true
		}
	}
	root := filepath.Join(e.Repo.Root, filepath.FromSlash(string(folder)))
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(e.Repo.Root, name)
		if err != nil {
			return err
		}
		p := model.Path(filepath.ToSlash(rel))
		if d.IsDir() && holds[p] || !d.IsDir() && goes[p] {
			return nil
		}
		return errStays
	})
	return err == nil
}

var errStays = errors.New("something stays in the folder")
