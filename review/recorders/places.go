package recorders

import (
	"context"
	"path/filepath"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// places finds the work tree that a folder lies in.
type places []gitops.StateDir

func placesOf(ctx context.Context, repo *gitops.Repo) (places, error) {
	dirs, err := repo.StateDirs(ctx)
	return places(dirs), err
}

// of names the work tree of a folder, and where in it the folder is; "" and "" where it
// lies in none of them. The innermost counts: one may stand in another.
func (p places) of(dir string) (workTree string, within model.Path) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	best := ""
	for _, d := range p {
		rel, err := filepath.Rel(d.Root, dir)
		if d.Root == "" || err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || len(d.Root) < len(best) {
			continue
		}
		best, workTree, within = d.Root, d.WorkTree, ""
		if sub, err := model.ParsePath(filepath.ToSlash(rel)); err == nil && rel != "." {
			within = sub
		}
	}
	return workTree, within
}

// only is the one work tree of a repository that has no other, "" where it has several.
func (p places) only() string {
	if len(p) == 1 {
		return p[0].WorkTree
	}
	return ""
}
