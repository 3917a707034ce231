//go:build unix

package treetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// edits lists every kind of edit; each tells whether it could be done.
func (m *Maker) edits() []edit {
	return []edit{
		{"modify", func() bool { return m.onFile(func(p string) { m.Write(p, m.content()) }) }},
		{"append", func() bool { return m.onFile(func(p string) { m.Write(p, m.Read(p)+"more\n") }) }},
		{"same size and time", m.sameSize},
		{"create", func() bool { return m.put(m.fresh(), m.content()) }},
		{"create deep", func() bool { return m.put(fmt.Sprintf("new%d/x/y/z", m.rnd.IntN(50)), m.content()) }},
		{"create ignored", func() bool { return m.put(m.fresh()+".log", "l\n") && m.put("out/o", m.content()) }},
		{"un-ignored by !", func() bool { return m.put("a/important.log", m.content()) }},
		{"delete", func() bool { return m.onFile(m.Remove) }},
		{"delete folder", func() bool { return m.onDir(m.Remove) }},
		{"empty folder", func() bool { return os.MkdirAll(m.Path(fmt.Sprintf("empty%d", m.rnd.IntN(9))), 0o755) == nil }},
		{"rename", m.rename},
		{"mode", func() bool {
			return m.onFile(func(p string) { m.Chmod(p, []os.FileMode{0o755, 0o644, 0o600, 0o744, 0o664}[m.rnd.IntN(5)]) })
		}},
		{"link", func() bool { return m.link("nowhere/at all", m.fresh()) }},
		{"link out of the tree", func() bool { return m.link("../../etc/passwd", m.fresh()) }},
		{"file to link", func() bool { return m.onFile(func(p string) { m.Remove(p); m.Symlink("t", p) }) }},
		{"file to folder", func() bool { return m.onFile(func(p string) { m.Remove(p); m.Write(p+"/in", m.content()) }) }},
		{"folder to file", func() bool { return m.onDir(func(p string) { m.Remove(p); m.Write(p, m.content()) }) }},
		{"folder to link", func() bool { return m.onDir(func(p string) { m.Remove(p); m.Symlink("a", p) }) }},
		{"stage", func() bool { return m.onFile(func(p string) { m.try("add", "--", p) }) }},
		{"stage ignored", func() bool { return m.put("out/forced", m.content()) && m.try("add", "-f", "--", "out/forced") }},
		{"unstage", func() bool { return m.onFile(func(p string) { m.try("reset", "-q", "--", p) }) }},
		{"rm --cached", func() bool { return m.onFile(func(p string) { m.try("rm", "-q", "--cached", "--", p) }) }},
		{"intent to add", func() bool { p := m.fresh(); return m.put(p, m.content()) && m.try("add", "-N", "-f", "--", p) }},
		{"assume unchanged", func() bool { return m.flag("--assume-unchanged") }},
		{"skip worktree", func() bool { return m.flag("--skip-worktree") }},
		{"skip worktree, absent", m.skipAbsent},
		{"commit", func() bool { return m.try("commit", "-q", "-m", "more") }},
		{"soft reset", func() bool { return m.try("reset", "-q", "--soft", "HEAD~1") }},
		{"ignore rules", m.ignoreRules},
		{"ignore rules below", m.ignoreBelow},
		{"exclude file", m.exclude},
		{"attributes", m.attributes},
		{"autocrlf", func() bool {
			return m.try("config", "core.autocrlf", []string{"true", "input", "false"}[m.rnd.IntN(3)])
		}},
		{"nested repository", m.nested},
		{"nested, no commit", m.nestedEmpty},
		{"linked work tree inside", m.worktree},
		{"submodule", m.submodule},
		{"submodule moved", m.submoduleMoved},
		{"fifo", m.fifo},
		{"unmerged", m.unmerged},
		{"sparse", m.sparseSet},
		{"index version", func() bool { return m.try("update-index", "--index-version", []string{"2", "3", "4"}[m.rnd.IntN(3)]) }},
		{"split index", func() bool { return m.try("update-index", "--split-index") }},
	}
}

func (m *Maker) onFile(do func(string)) bool {
	p := m.someFile()
	if p != "" {
		do(p)
	}
	return p != ""
}

func (m *Maker) onDir(do func(string)) bool {
	p := m.someDir()
	if p != "" {
		do(p)
	}
	return p != ""
}

func (m *Maker) try(args ...string) bool {
	_, err := m.GitMayFail(args...)
	return err == nil
}

func (m *Maker) rename() bool {
	from, to := m.someFile(), m.fresh()
	if from == "" {
		return false
	}
	return m.roomFor(to) && os.Rename(m.Path(from), m.Path(to)) == nil
}

func (m *Maker) tracked() string {
	list := strings.Split(strings.TrimSuffix(m.Git("ls-files", "-z"), "\x00"), "\x00")
	if list[0] == "" {
		return ""
	}
	return list[m.rnd.IntN(len(list))]
}

func (m *Maker) flag(flag string) bool {
	p := m.tracked()
	if p == "" || !m.try("update-index", flag, "--", p) {
		return false
	}
	if info, err := os.Lstat(m.Path(p)); err == nil && info.Mode().IsRegular() {
		m.Write(p, m.content())
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

func (m *Maker) ignoreRules() bool {
	rules := []string{"*.log\n", "/out/\n", "keep/\n", "!important.log\n", "lib/\n", "*.c\n", "f1*\n", "/a/b/\n", "!f11*\n", "z/*\n"}
	m.rnd.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
	m.Write(".gitignore", strings.Join(rules[:3+m.rnd.IntN(5)], ""))
	return true
}

func (m *Maker) ignoreBelow() bool {
	return m.put("a/.gitignore", []string{"*.txt\n", "!*.log\n", "b/\n", ""}[m.rnd.IntN(4)])
}

func (m *Maker) exclude() bool {
	path := filepath.Join(m.GitDir(), "info", "exclude")
	m.must(os.MkdirAll(filepath.Dir(path), 0o755))
	m.must(os.WriteFile(path, []byte([]string{"*.bin\n", "*.tmp\n", "new*\n"}[m.rnd.IntN(3)]), 0o644))
	return true
}

func (m *Maker) attributes() bool {
	lines := []string{"*.txt text=auto\n", "*.crlf text eol=crlf\n", "*.id ident\n", "*.up filter=upper\n", "*.bin -text\n", "*.c text\n", "* text=auto\n", "*.txt -text\n"}
	m.rnd.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	m.Write(".gitattributes", strings.Join(lines[:m.rnd.IntN(len(lines))], ""))
	return true
}

func (m *Maker) nested() bool {
	dir := fmt.Sprintf("nest%d", m.names)
	m.names++
	m.must(os.MkdirAll(m.Path(dir), 0o755))
	in := m.At(m.Path(dir))
	in.Git("init", "-q", "-b", "main")
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
	in.Git("init", "-q", "-b", "main")
	in.Write("inside", "i\n")
	return true
}

func (m *Maker) worktree() bool {
	m.names++
	return m.try("worktree", "add", "-q", "--detach", m.Path(fmt.Sprintf("wt%d", m.names)))
}

func (m *Maker) submodule() bool {
	source := m.At(m.t.TempDir())
	source.Git("init", "-q", "-b", "main")
	source.Write("s", "1\n")
	source.Git("add", "-A")
	source.Git("commit", "-q", "-m", "one")
	m.names++
	return m.try("-c", "protocol.file.allow=always", "submodule", "add", "-q", source.Root, fmt.Sprintf("sub%d", m.names))
}

func (m *Maker) submoduleMoved() bool {
	p := m.some(func(path string, info os.FileInfo) bool { return false })
	list, _ := filepath.Glob(m.Path("sub*"))
	if p != "" || len(list) == 0 {
		return false
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
	ours := m.GitInput("ours\n", "hash-object", "-w", "--stdin")
	theirs := m.GitInput("theirs\n", "hash-object", "-w", "--stdin")
	info := "100644 " + ours + " 2\t" + p + "\x00" + "100644 " + theirs + " 3\t" + p + "\x00"
	m.GitInput(info, "update-index", "-z", "--index-info")
	return true
}

func (m *Maker) sparseSet() bool {
	if m.sparse {
		m.sparse = false
		return m.try("sparse-checkout", "disable")
	}
	m.sparse = m.try("sparse-checkout", "set", "lib", "z")
	if !m.sparse { // git leaves its lock behind when it refuses
		_ = os.Remove(filepath.Join(m.GitDir(), "info", "sparse-checkout.lock"))
	}
	return m.sparse
}
