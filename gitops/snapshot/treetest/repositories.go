//go:build unix

package treetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"overturn/gitops/gittest"
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
	m.repository(m.Path(dir), "inside", "i\n").commitAll("inside")
	return true
}

func (m *Maker) nestedEmpty() bool {
	dir := fmt.Sprintf("a/none%d", m.names)
	m.names++
	if os.MkdirAll(m.Path(dir), 0o755) != nil {
		return false
	}
	m.repository(m.Path(dir), "inside", "i\n")
	return true
}

// inner is a repository beside or below the one that is made.
type inner struct{ *gittest.Repo }

// repository makes dir one of the same format, with one file.
func (m *Maker) repository(dir, name, text string) inner {
	m.must(os.MkdirAll(dir, 0o755))
	in := inner{m.At(dir)}
	m.must(gittest.InitFiles(in.Root, m.format))
	in.Write(name, text)
	return in
}

func (in inner) commitAll(message string) {
	in.Git("add", "-A")
	in.Git("commit", "-q", "-m", message)
}

func (m *Maker) worktree() bool {
	m.names++
	return m.try("worktree", "add", "-q", "--detach", m.Path(fmt.Sprintf("wt%d", m.names)))
}

// submodule adds one, at times as git submodule does, which is a slow script, and at
// times as it is after a clone by hand: its git directory in its own folder.
func (m *Maker) submodule() bool {
	m.names++
	name := fmt.Sprintf("sub%d", m.names)
	if m.rnd.IntN(6) == 0 {
		source := m.repository(m.t.TempDir(), "s", "1\n")
		source.commitAll("one")
		return m.try("-c", "protocol.file.allow=always", "submodule", "add", "-q", source.Root, name)
	}
	m.repository(m.Path(name), "s", "1\n").commitAll("one")
	return m.appendTo(".gitmodules", fmt.Sprintf("[submodule %q]\n\tpath = %s\n\turl = ../%s\n", name, name, name)) &&
		m.try("add", "--", ".gitmodules", name)
}

func (m *Maker) appendTo(path, text string) bool {
	file, err := os.OpenFile(m.Path(path), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return false
	}
	_, err = file.WriteString(text)
	return err == nil && file.Close() == nil
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
