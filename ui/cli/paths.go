package cli

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"overturn/gitops"
	"overturn/model"
)

// splitDash parts a verb's arguments at "--": what stands before it, and the
// PATHs after it.
func splitDash(cmd *cobra.Command, args []string) (before, paths []string) {
	at := cmd.ArgsLenAtDash()
	if at < 0 {
		return args, nil
	}
	return args[:at], args[at:]
}

// scopeAndPaths reads "[SCOPE] [-- PATH…]"; without a SCOPE it is fallback.
func scopeAndPaths(cmd *cobra.Command, args []string, fallback string) (model.Scope, []string, error) {
	before, paths := splitDash(cmd, args)
	switch {
	case len(before) > 1:
		return model.Scope{}, nil, model.Usagef("one SCOPE is allowed, not %d arguments", len(before)).WithHint("put -- before the paths")
	case len(before) == 1:
		fallback = before[0]
	}
	scope, err := model.ParseScope(fallback)
	return scope, paths, err
}

// rootPaths turns PATHs, relative to where the user stands, into paths below the
// root; "" is the root itself. They are taken literally. A path that leaves the
// work tree or leads into .git is wrong use.
func (a *app) rootPaths(repo *gitops.Repo, args []string) ([]model.Path, error) {
	if len(args) == 0 {
		return nil, nil
	}
	prefix, err := a.prefix(repo)
	if err != nil {
		return nil, err
	}
	paths := make([]model.Path, len(args))
	for i, arg := range args {
		if paths[i], err = rootPath(repo.Root, prefix, arg); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

func rootPath(root, prefix, arg string) (model.Path, error) {
	if arg == "" {
		return "", model.Usagef("a PATH must not be empty").WithHint("name a file or a folder, or give no PATH for all of the scope")
	}
	joined := ""
	switch fromRoot, isRoot := strings.CutPrefix(arg, ":/"); {
	case isRoot:
		joined = path.Clean("./" + fromRoot)
	case filepath.IsAbs(arg):
		rel, err := relativeTo(root, filepath.Clean(arg))
		if err != nil {
			return "", outside(arg)
		}
		joined = filepath.ToSlash(rel)
	default:
		joined = path.Join(prefix, filepath.ToSlash(arg))
		if joined == "" {
			joined = "."
		}
	}
	if joined == "." {
		return "", nil
	}
	if joined == ".." || strings.HasPrefix(joined, "../") || strings.HasPrefix(joined, "/") {
		return "", outside(arg)
	}
	return model.ParsePath(joined)
}

// relativeTo spells abs relative to root. Where it does not lie below root as it
// is written, links are seen through in its first folders, as far as it takes to
// come to the work tree (/tmp on macOS, a linked home); links inside stay as they are.
func relativeTo(root, abs string) (string, error) {
	rel, err := filepath.Rel(root, abs)
	if err != nil || filepath.IsLocal(rel) {
		return rel, err
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", err
	}
	for end := 1; end <= len(abs); end++ {
		if end < len(abs) && !os.IsPathSeparator(abs[end]) {
			continue
		}
		real, err := filepath.EvalSymlinks(abs[:end])
		if err != nil {
			break // nothing there: nor is there below it
		}
		if inside, err := filepath.Rel(realRoot, real); err == nil && filepath.IsLocal(inside) {
			return filepath.Join(inside, abs[end:]), nil
		}
	}
	return rel, nil
}

func outside(arg string) error {
	return model.Usagef("path %q lies outside the repository", arg).
		WithHint("paths are relative to where you stand; a leading :/ stands for the root of the work tree")
}

// prefix is where the user stands, relative to the root; "" at the root.
func (a *app) prefix(repo *gitops.Repo) (string, error) {
	here, err := filepath.Abs(a.dir)
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return "", model.Failf(err, "cannot tell where %q is", a.dir)
	}
	root, err := filepath.EvalSymlinks(repo.Root)
	if err != nil {
		return "", model.Failf(err, "cannot tell where %q is", repo.Root)
	}
	rel, err := filepath.Rel(root, here)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(os.PathSeparator)) {
		return "", nil // the folder of a work tree named by GIT_DIR's kin: paths count from the root
	}
	if rel == "." {
		return "", nil
	}
	return filepath.ToSlash(rel), nil
}
