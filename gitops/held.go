package gitops

import (
	"os"
	"path/filepath"

	"overturn/model"
)

// held holds git's answer against what a person in the folder start would say:
// the repository is the one whose .git is met on the way up, and its work tree is
// the folder that holds it, or one below that start lies in. A configuration that
// came with the files must not make a folder with the looks of a git directory a
// repository, nor send a capture to another place (core.worktree=/home/user).
func (r *Repo) held(start string) error {
	root, err := os.Stat(r.Root)
	if err != nil {
		return model.Failf(err, "cannot look at the work tree")
	}
	gitDir, err := os.Stat(r.GitDir)
	if err != nil {
		return model.Failf(err, "cannot look at the git directory")
	}
	inside := false
	for dir := start; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case err != nil || os.SameFile(info, gitDir):
			return noWorkTree(start)
		case os.SameFile(info, root):
			inside = true
		}
		if leadsTo(filepath.Join(dir, ".git"), gitDir) {
			if !inside {
				return &model.Error{Code: model.CodeNoRepository, Message: "the repository at " + dir + " has its work tree at another place: " + r.Root,
					Hint: "core.worktree in its configuration says so; overturn follows it only into the folder that holds .git: go there, if it lies below"}
			}
			return nil
		}
		if filepath.Dir(dir) == dir {
			return noWorkTree(start)
		}
	}
}

// leadsTo tells whether a .git is that git directory, or a file that names it.
func leadsTo(git string, gitDir os.FileInfo) bool {
	info, err := os.Stat(git)
	if err == nil && info.Mode().IsRegular() {
		target, ok := readGitFile(git)
		if !ok {
			return false
		}
		info, err = os.Stat(target)
	}
	return err == nil && os.SameFile(info, gitDir)
}

func noWorkTree(start string) error {
	return &model.Error{Code: model.CodeNoRepository, Message: start + " lies in a git directory, outside the work tree", Hint: "go to the work tree"}
}

// ownState refuses a state folder that is a link: what came with the files must
// not choose where overturn writes.
func (r *Repo) ownState() error {
	info, err := os.Lstat(r.StateDir())
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		return nil // absent; or what needs it says that it is no folder
	}
	return model.Errorf(model.CodeFailed, "%s is a link, no folder", r.StateDir()).WithHint("overturn's own state must lie in the git directory itself: remove it, or put a folder there")
}
