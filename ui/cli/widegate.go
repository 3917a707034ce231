package cli

import (
	"os"
	"path/filepath"
	"slices"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/settings"
)

// tooWide says why nothing is recorded in a work tree, nil where all is well: its top is
// a home, or a folder of the system or for temporary files. A git that was begun there
// by mistake would have everything below captured, programs' caches and all. Who keeps
// a home in git on purpose says so.
func tooWide(repo *gitops.Repo, env gitops.Env, set settings.Settings) error {
	if set.Anywhere {
		return nil
	}
	kind := ""
	same := func(dir string) bool { return dir != "" && filepath.Clean(dir) == repo.Root }
	home := env.Getenv("HOME")
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real // as the root of a repository is spelt
	}
	switch {
	case same(home) || same("/root") || slices.ContainsFunc([]string{"/home", "/Users"}, func(homes string) bool { return filepath.Dir(repo.Root) == homes }):
		kind = "a home"
	case same(env.Getenv("TMPDIR")) || same(os.TempDir()) || same("/tmp") || same("/var/tmp") || same("/private/tmp"):
		kind = "a folder for temporary files"
	case slices.ContainsFunc([]string{"/", "/home", "/Users", "/usr", "/etc", "/var", "/opt", "/srv", "/mnt", "/media"}, same):
		kind = "a folder of the system"
	default:
		return nil
	}
	return model.Refusedf("nothing is recorded here: %s is %s", repo.Root, kind).
		WithHint("record in the repository of a project; to record here all the same set capture.anywhere to true in the settings of this folder")
}
