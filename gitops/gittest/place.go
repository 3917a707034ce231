package gittest

import (
	"os"
	"path/filepath"
	"strings"
)

// CommonDir is the repository's git directory, which its linked work trees share. It is
// read from the files that name it: a child of git's each time would be most of what
// many tests cost.
func (r *Repo) CommonDir() string {
	r.t.Helper()
	dir := r.Path(".git")
	info, err := os.Lstat(dir)
	if err == nil && info.IsDir() {
		return dir
	}
	if err != nil || !info.Mode().IsRegular() {
		return r.Git("rev-parse", "--path-format=absolute", "--git-common-dir")
	}
	dir = from(r.Root, strings.TrimPrefix(line(r.Read(".git")), "gitdir: "))
	data, err := os.ReadFile(filepath.Join(dir, "commondir"))
	if os.IsNotExist(err) {
		return dir
	}
	r.must(err)
	return from(dir, line(string(data)))
}

func line(text string) string { return strings.TrimSuffix(text, "\n") }

func from(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// InitFiles makes dir an empty repository on branch main, with objects of the format, as
// git init with an empty template does where the file system tells case apart and
// keeps modes; no git is run.
func InitFiles(dir, format string) error {
	version, extension := "0", ""
	if format != "sha1" {
		version, extension = "1", "[extensions]\n\tobjectformat = "+format+"\n"
	}
	git := filepath.Join(dir, ".git")
	for _, name := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags"} {
		if err := os.MkdirAll(filepath.Join(git, name), 0o755); err != nil {
			return err
		}
	}
	core := "[core]\n\trepositoryformatversion = " + version + "\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n"
	if err := os.WriteFile(filepath.Join(git, "config"), []byte(core+extension), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(git, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644)
}
