package branchstore

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/model"
)

// movable tells whether the branch may move: not where a work tree has it checked
// out, or rebases it. Its files would be those of an older commit then, and git
// status would show the user deletions that nobody made.
func (s *Store) movable(ctx context.Context) error {
	where, err := s.holder(ctx)
	if err != nil {
		return model.Failf(err, "cannot tell whether the branch %s is checked out", branchName)
	}
	if where == "" {
		return nil
	}
	return model.Errorf(model.CodeFailed, "the branch %s is checked out in %s, where it cannot be moved", branchName, where).
		WithHint("switch to another branch there (git switch -); records that wait are written then")
}

// holder is the work tree that has the branch checked out, "" for none.
func (s *Store) holder(ctx context.Context) (string, error) {
	if s.c.Repo.RefStorage != "files" {
		out, err := s.c.Repo.Git(ctx, "for-each-ref", "--format=%(worktreepath)", checkpoint.BranchRef)
		return strings.TrimSuffix(string(out), "\n"), err
	}
	dirs, err := s.c.Repo.StateDirs(ctx)
	if err != nil {
		return "", err
	}
	for _, d := range dirs {
		gitDir := filepath.Dir(d.Dir)
		for _, name := range []string{"HEAD", "rebase-merge/head-name", "rebase-apply/head-name"} {
			data, err := gitops.ReadFile(filepath.Join(gitDir, filepath.FromSlash(name)))
			if err != nil {
				continue // not there: no such operation
			}
			value := strings.TrimSpace(strings.TrimPrefix(string(data), "ref:"))
			if value == checkpoint.BranchRef {
				return cmp.Or(d.Root, gitDir), nil
			}
		}
	}
	return "", nil
}
