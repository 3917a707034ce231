package gitops

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"overturn/model"
)

// Find names the repository and work tree that dir lies in. Its errors have code
// CodeNoRepository and a hint: none here, a bare one, one that git does not trust
// (in git's words), one that cannot be read, one whose configuration leads to
// another work tree, git missing or older than 2.31. A dir that does not exist is
// CodeUsage; a state folder that is a link is CodeFailed.
func Find(ctx context.Context, dir string, env Env) (*Repo, error) {
	start, err := realPath(dir)
	if err != nil {
		return nil, &model.Error{Code: model.CodeUsage, Message: "cannot enter " + dir, Hint: "name a folder that exists", Err: err}
	}
	at, plain := locate(start)
	// The variable makes git distrust every folder; only git can say what follows.
	if plain && env.Getenv("GIT_TEST_ASSUME_DIFFERENT_OWNER") == "" {
		if r := knownFacts(start, at, env); r != nil && r.ownState() == nil {
			return r, nil
		}
	}
	return ask(ctx, start, at, env)
}

// place is where the walk up from a folder met a repository.
type place struct {
	top     string // folder that holds .git
	gitDir  string // the git directory, without links
	gitFile string // .git itself, when it is a file
}

// locate walks up as git does. It returns false where git's own walk may end
// otherwise: at a bare repository, at a border between file systems, at a .git
// that cannot be read. Only a place that facts were kept for is used, and these
// came from git.
func locate(start string) (place, bool) {
	var dev uint64
	for dir := start; ; {
		s, err := stampDir(dir)
		if err != nil || dev != 0 && s.Dev != dev {
			return place{}, false
		}
		dev = s.Dev
		if at, found, sure := lookInto(dir); found || !sure {
			return at, found && sure
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return place{}, false
		}
		dir = parent
	}
}

// lookInto looks for a repository at one level.
func lookInto(dir string) (at place, found, sure bool) {
	git := filepath.Join(dir, ".git")
	info, err := os.Stat(git)
	switch {
	case err == nil && info.IsDir():
		if exists(filepath.Join(git, "HEAD")) { // a stray empty .git is passed by, as git does (H-14)
			real, err := filepath.EvalSymlinks(git)
			return place{top: dir, gitDir: real}, true, err == nil
		}
	case err == nil && info.Mode().IsRegular():
		target, ok := readGitFile(git)
		return place{top: dir, gitDir: target, gitFile: git}, true, ok
	case err == nil || !os.IsNotExist(err):
		return place{}, false, false
	}
	bare := exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects")) && exists(filepath.Join(dir, "refs"))
	return place{}, false, !bare
}

// gitFileLimit is the longest .git file that is read, in bytes: one path.
const gitFileLimit = 64 << 10

// readGitFile follows a .git file ("gitdir: PATH") to the folder it names.
func readGitFile(file string) (string, bool) {
	info, err := os.Stat(file)
	if err != nil || info.Size() > gitFileLimit {
		return "", false
	}
	data, err := ReadFile(file)
	if err != nil {
		return "", false
	}
	target, ok := strings.CutPrefix(string(data), "gitdir: ")
	if !ok {
		return "", false
	}
	target = strings.TrimRight(target, "\r\n")
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(file), target)
	}
	real, err := filepath.EvalSymlinks(target)
	return real, err == nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// realPath is the one spelling of a folder (H-15).
func realPath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	if err == nil && !info.IsDir() {
		return "", &os.PathError{Op: "open", Path: dir, Err: os.ErrInvalid}
	}
	return real, err
}

// within tells whether path is folder or lies below it.
func within(path, folder string) bool {
	return path == folder || folder == "/" || strings.HasPrefix(path, folder+string(filepath.Separator))
}
