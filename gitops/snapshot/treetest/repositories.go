//go:build unix

package treetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func (m *Maker) tracked() string {
	list := strings.Split(strings.TrimSuffix(m.Git("ls-files", "-z"), "\x00"), "\x00")
	if list[0] == "" {
		return ""
	}
	return list[m.rnd.IntN(len(list))]
}

func (m *Maker) flag(flag string) bool {
	p := m.tracked()
	if p == "" || p == ".gitmodules" || !m.try("update-index", flag, "--", p) {
		return false
	}
	if info, err := os.Lstat(m.Path(p)); err == nil && info.Mode().IsRegular() {
		m.Write(p, m.contentFor(p))
	}
	return true
}

func (m *Maker) skipAbsent() bool {
	p := m.tracked()
	if p == "" || strings.HasPrefix(filepath.Base(p), ".git") || !m.try("update-index", "--skip-worktree", "--", p) {
		return false
	}
	if info, err := os.Lstat(m.Path(p)); err == nil && !info.IsDir() {
		m.Remove(p)
	}
	return true
}

func (m *Maker) nested() bool {
	dir := fmt.Sprintf("nest%d", m.names)
	m.names++
	m.must(os.MkdirAll(m.Path(dir), 0o755))
	in := m.At(m.Path(dir))
	in.Git("init", "-q", "-b", "main", "--template=", "--object-format="+m.format)
	in.Write("inside", "i\n")
	in.Git("add", "-A")
	in.Git("commit", "-q", "-m", "inside")
	return true
}

func (m *Maker) nestedEmpty() bool {
	dir := fmt.Sprintf("a/none%d", m.names)
	m.names++
	if os.MkdirAll(m.Path(dir), 0o755) != nil {
		return false
	}
	in := m.At(m.Path(dir))
	in.Git("init", "-q", "-b", "main", "--template=", "--object-format="+m.format)
	in.Write("inside", "i\n")
	return true
}

func (m *Maker) worktree() bool {
	m.names++
	return m.try("worktree", "add", "-q", "--detach", m.Path(fmt.Sprintf("wt%d", m.names)))
}

// submodule adds one, at times as git submodule does, which is a slow script, and at
// times with its git directory in its own folder.
func (m *Maker) submodule() bool {
	m.names++
	name := fmt.Sprintf("sub%d", m.names)
	source := m.At(m.t.TempDir())
	source.Git("init", "-q", "-b", "main", "--template=", "--object-format="+m.format)
	source.Write("s", "1\n")
	source.Git("add", "-A")
	source.Git("commit", "-q", "-m", "one")
	if m.rnd.IntN(6) == 0 {
		return m.try("-c", "protocol.file.allow=always", "submodule", "add", "-q", source.Root, name)
	}
	return m.try("clone", "-q", "--template=", source.Root, name) &&
		m.try("config", "-f", ".gitmodules", "submodule."+name+".path", name) &&
		m.try("config", "-f", ".gitmodules", "submodule."+name+".url", source.Root) &&
		m.try("add", "--", ".gitmodules", name)
}

// submoduleMoved commits in a submodule, the first of the tree where there is none.
func (m *Maker) submoduleMoved() bool {
	list, _ := filepath.Glob(m.Path("sub*"))
	if len(list) == 0 {
		if !m.submodule() {
			return false
		}
		list, _ = filepath.Glob(m.Path("sub*"))
	}
	sub := m.At(list[m.rnd.IntN(len(list))])
	if _, err := os.Lstat(sub.Path(".git")); err != nil {
		return false
	}
	sub.Write("s", "2\n")
	_, err := sub.GitMayFail("commit", "-q", "-a", "-m", "two", "--allow-empty")
	return err == nil
}

// unmerged makes a conflict in the index, with the marker text on disk.
func (m *Maker) unmerged() bool {
	p := m.fresh() + ".um"
	if !m.put(p, "<<<<<<< ours\n=======\n>>>>>>> theirs\n") {
		return false
	}
	stages := []string{"123", "23", "13", "12"}[m.rnd.IntN(4)]
	var info string
	for _, stage := range stages {
		id := m.GitInput("side "+string(stage)+"\n", "hash-object", "-w", "--stdin")
		info += "100644 " + id + " " + string(stage) + "\t" + p + "\x00"
	}
	m.GitInput(info, "update-index", "-z", "--index-info")
	return true
}

// sparseSet turns sparse checkout on, or off where it is on.
func (m *Maker) sparseSet(args ...string) bool {
	if m.sparse {
		m.sparse = false
		return m.try("sparse-checkout", "disable")
	}
	m.sparse = m.try(append([]string{"sparse-checkout", "set"}, args...)...)
	if !m.sparse { // git leaves its lock behind when it refuses
		_ = os.Remove(filepath.Join(m.GitDir(), "info", "sparse-checkout.lock"))
	}
	return m.sparse
}

func (m *Maker) commit() bool {
	return m.onFile(func(p string) { m.try("add", "--", p) }) && m.try("commit", "-q", "--allow-empty", "-m", "more")
}
