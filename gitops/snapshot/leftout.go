package snapshot

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"overturn/gitops"
	"overturn/model"
)

// reason says why an entry was left out; it is stored in the table.
type reason uint8

const (
	whyUnreadable reason = iota + 1
	whySize
	whySpecial
	whyNested
	whyWorktree
	whyName
	whySubmodule
	whyLink
	whyTorn
)

func (w reason) String() string {
	switch w {
	case whyUnreadable:
		return "unreadable"
	case whySize:
		return "larger than the size limit"
	case whySpecial:
		return "special file (socket, FIFO or device)"
	case whyNested:
		return "nested repository"
	case whyWorktree:
		return "linked work tree of this repository"
	case whyName:
		return "a name that git refuses"
	case whySubmodule:
		return "submodule: only its commit is captured"
	case whyLink:
		return "git refuses a link of this name"
	case whyTorn:
		return "written by another process whenever it was read"
	}
	return "left out"
}

func errRootGone(path string) error {
	return model.Errorf(model.CodeFailed, "the work tree %s is gone", path)
}

// leaveOutNew lists a new name as left out.
func (c *capture) leaveOutNew(cand *candidate, why reason) {
	e := c.t.newEntry(cand.name, cand.stat.mode)
	e.setStat(&cand.stat)
	e.flags, e.why = fOut, why
	c.added[cand.dir] = append(c.added[cand.dir], e)
}

// refusedName tells whether git refuses the name in an index: what some file
// system would take for .git (path.c, is_ntfs_dotgit; core.protectNTFS is on by
// default), and a link as .gitmodules.
func refusedName(name string, mode uint16) bool {
	if strings.EqualFold(name, ".gitmodules") && mode&typeMask == typeLink {
		return true
	}
	if len(name) < 4 || len(name) == 4 && !strings.EqualFold(name, ".git") {
		return false
	}
	rest := ""
	switch {
	case strings.EqualFold(name[:4], ".git"):
		rest = name[4:]
	case len(name) >= 5 && strings.EqualFold(name[:5], "git~1"):
		rest = name[5:]
	default:
		return false
	}
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\', ':':
			return true
		case '.', ' ':
		default:
			return false
		}
	}
	return true
}

// excluded tells whether path is git's own folder, or overturn's, under another
// name than .git.
func (c *capture) excluded(path string) bool {
	for _, own := range c.own {
		if path == own {
			return true
		}
	}
	return false
}

// ownFolders lists git's folders that lie inside the work tree under other names.
func (c *capture) ownFolders() []string {
	var list []string
	for _, dir := range []string{c.e.repo.GitDir, c.e.repo.CommonDir, c.e.repo.StateDir()} {
		rel, err := filepath.Rel(c.e.repo.Root, dir)
		if err == nil && rel != "." && rel != ".git" && !strings.HasPrefix(rel, "../") && !strings.HasPrefix(rel, ".git/") {
			list = append(list, rel)
		}
	}
	return list
}

// nested tells whether the folder, which has a .git, is a repository of its own,
// and of which kind. A .git that is no repository does not count, as in git.
func (c *capture) nested(path string) (reason, bool) {
	gitDir := c.nestedGitDir(path)
	if gitDir == "" || !isRepository(gitDir) {
		return 0, false
	}
	if strings.HasPrefix(gitDir, filepath.Join(c.e.repo.CommonDir, "worktrees")+"/") {
		return whyWorktree, true
	}
	return whyNested, true
}

// nestedGitDir is the git directory of the repository at path: its .git, or what
// a .git file names. "" when there is none.
func (c *capture) nestedGitDir(path string) string {
	dotGit := join(path, ".git")
	full := filepath.Join(c.e.repo.Root, path)
	var st fileStat
	if c.root.lstatPath(dotGit, &st) != okay {
		return ""
	}
	if st.mode&typeMask != typeFile {
		return filepath.Join(full, ".git")
	}
	data, _, err := c.root.readFile(dotGit, 1<<16, nil)
	target, ok := bytes.CutPrefix(data, []byte("gitdir: "))
	if err != nil || !ok {
		return ""
	}
	dir := strings.TrimRight(string(target), "\r\n")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(full, dir)
	}
	return filepath.Clean(dir)
}

// nestedHead is the commit that is checked out in the repository at path, or "".
func (c *capture) nestedHead(path string) string {
	gitDir := c.nestedGitDir(path)
	if gitDir == "" {
		return ""
	}
	common := commonOf(gitDir)
	name := "HEAD"
	for range 5 { // symbolic refs are followed as far as git does
		dir := gitDir
		if name != "HEAD" {
			dir = common
		}
		data, err := gitops.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return packedRef(common, name)
		}
		text := strings.TrimSpace(string(data))
		next, symbolic := strings.CutPrefix(text, "ref: ")
		if !symbolic {
			return c.commitID(text)
		}
		name = strings.TrimSpace(next)
		if !filepath.IsLocal(name) {
			return ""
		}
	}
	return ""
}

func (c *capture) commitID(text string) string {
	if _, err := c.unhex(text); err != nil || len(text) != 2*c.e.repo.HashSize() {
		return ""
	}
	return text
}

func packedRef(common, name string) string {
	data, err := gitops.ReadFile(filepath.Join(common, "packed-refs"))
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(data) {
		id, ref, ok := bytes.Cut(bytes.TrimRight(line, "\n"), []byte(" "))
		if ok && string(ref) == name {
			return string(id)
		}
	}
	return ""
}

// sizeReason words the size limit.
func (c *capture) sizeReason() string {
	return fmt.Sprintf("%s of %d bytes", whySize, c.e.opts.MaxFileSize)
}
