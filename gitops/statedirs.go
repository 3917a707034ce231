package gitops

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"overturn/model"
)

// StateDir is the state folder of one work tree of the repository.
type StateDir struct {
	WorkTree string // its name, as Repo.WorkTree
	Root     string // top of the work tree; need not exist any more; "" when not known
	Dir      string // state folder; need not exist
}

// StateDirs lists the state folders of every work tree of the repository: the
// main one first, unless the repository is bare, then the linked ones by name.
func (r *Repo) StateDirs(ctx context.Context) ([]StateDir, error) {
	var list []StateDir
	if r.WorkTree == MainWorkTree || r.config["core.bare"] != "true" {
		list = append(list, StateDir{WorkTree: MainWorkTree, Root: r.mainRoot(), Dir: filepath.Join(r.CommonDir, stateName)})
	}
	folder := filepath.Join(r.CommonDir, "worktrees")
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		return nil, model.Failf(err, "cannot list the work trees")
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		gitDir := filepath.Join(folder, e.Name())
		back, err := ReadFile(filepath.Join(gitDir, "gitdir"))
		if err != nil {
			continue // git prunes such a folder; it is no work tree
		}
		link := strings.TrimRight(string(back), "\r\n")
		if !filepath.IsAbs(link) {
			link = filepath.Join(gitDir, link)
		}
		list = append(list, StateDir{workTreeName(gitDir, r.CommonDir), filepath.Dir(link), filepath.Join(gitDir, stateName)})
	}
	return list, nil
}

// mainRoot is the top of the main work tree, as far as it can be told from here.
func (r *Repo) mainRoot() string {
	switch {
	case r.WorkTree == MainWorkTree:
		return r.Root
	case filepath.Base(r.CommonDir) == ".git":
		return filepath.Dir(r.CommonDir)
	}
	return ""
}
