package githooks

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// Folder is where git looks for the hooks of a repository.
type Folder struct {
	Path string
	repo *gitops.Repo
	own  bool // it is in the git directory
	near bool // it is in the work tree
}

// FolderOf finds the folder of hooks as git does.
func FolderOf(repo *gitops.Repo) (Folder, error) {
	own := OwnFolder(repo)
	set, ok := repo.Config("core.hookspath")
	if !ok || set == "" {
		set = own.Path
	}
	if rest, home := strings.CutPrefix(set, "~/"); home {
		set = filepath.Join(repo.Env().Getenv("HOME"), rest)
	}
	if !filepath.IsAbs(set) {
		set = filepath.Join(repo.Root, set)
	}
	real, err := filepath.EvalSymlinks(set)
	if errors.Is(err, fs.ErrNotExist) {
		set = filepath.Clean(set)
		return Folder{Path: set, repo: repo, own: set == own.Path}, nil
	}
	if err != nil {
		return Folder{}, model.Failf(err, "cannot tell where the folder of git hooks is")
	}
	return Folder{Path: real, repo: repo, own: within(real, repo.CommonDir), near: within(real, repo.Root)}, nil
}

// OwnFolder is the folder of hooks that a repository has by itself: git may have used it
// before core.hooksPath was set.
func OwnFolder(repo *gitops.Repo) Folder {
	return Folder{Path: filepath.Join(repo.CommonDir, "hooks"), repo: repo, own: true}
}

func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, dir+string(filepath.Separator))
}

// mayWrite tells whether a hook of this folder is ours to change.
func (f Folder) mayWrite(ctx context.Context, name, line string) error {
	byHand := func(why string) error {
		return model.Refusedf("the git hook %s is not overturn's to change: %s", filepath.Join(f.Path, name), why).
			WithHint("add this line to it yourself: %s", line)
	}
	switch {
	case f.own:
		return nil
	case !f.near:
		return byHand("it lies in a folder that is not this repository's alone")
	}
	rel, err := filepath.Rel(f.repo.Root, filepath.Join(f.Path, name))
	if err != nil {
		return byHand("it lies elsewhere")
	}
	out, err := f.repo.Git(ctx, "ls-files", "--", filepath.ToSlash(rel))
	if err != nil {
		return model.Failf(err, "cannot tell whether the hook is committed")
	}
	if len(out) > 0 {
		return byHand("it is a committed file, which others get too")
	}
	if _, err := f.repo.GitWith(ctx, gitops.CommandOptions{NoLiteralPathspecs: true}, "check-ignore", "-q", "--", "./"+filepath.ToSlash(rel)); err != nil {
		return byHand("it lies in the work tree, where it would be committed")
	}
	return nil
}

// kept is where a hook that is no shell script waits while ours is in its place.
func (f Folder) kept(name string) string { return filepath.Join(f.Path, name+".overturn-kept") }

func (f Folder) file(name string) string { return filepath.Join(f.Path, name) }

// At is the hook's file where it calls this program, "" where it does not.
func (f Folder) At(name string) (string, error) {
	data, err := os.ReadFile(f.file(name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", model.Failf(err, "cannot read the git hook %s", f.file(name))
	}
	if _, _, _, ok := cut(string(data)); !ok {
		return "", nil
	}
	return f.file(name), nil
}
