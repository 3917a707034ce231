//go:build unix

package treetest

import (
	"fmt"
	"os"
	"slices"
)

// edits lists every kind of edit; each tells whether it could be done.
func (m *Maker) edits() []edit {
	return slices.Concat(m.fileEdits(), m.kindEdits(), m.indexEdits(), m.repositoryEdits())
}

func (m *Maker) fileEdits() []edit {
	return []edit{
		{"modify", func() bool { return m.onFile(func(p string) { m.Write(p, m.contentFor(p)) }) }},
		{"append", func() bool { return m.onFile(func(p string) { m.Write(p, m.Read(p)+encoded(p, "more\n")) }) }},
		{"same size and time", m.sameSize},
		{"create", m.create},
		{"create deep", func() bool { return m.put(fmt.Sprintf("new%d/x/y/z", m.rnd.IntN(50)), m.content()) }},
		{"create ignored", func() bool { return m.put(m.fresh()+".log", "l\n") && m.put("out/o", m.content()) }},
		{"un-ignored by !", func() bool { return m.put("a/important.log", m.content()) }},
		{"delete", func() bool { return m.onFile(m.Remove) }},
		{"delete folder", func() bool { return m.onDir(m.Remove) }},
		{"empty folder", func() bool { return os.MkdirAll(m.Path(fmt.Sprintf("empty%d", m.rnd.IntN(9))), 0o755) == nil }},
		{"rename", m.rename},
		{"mode", m.mode},
		{"names in NFC and NFD", func() bool { return m.twins("caf\u00e9", "cafe\u0301") }},
		{"names that differ in case", func() bool { return m.twins("Read", "read") }},
		{"ignore rules", m.ignoreRules},
		{"ignore rules below", m.ignoreBelow},
		{"exclude file", m.exclude},
		{"attributes", m.attributes},
	}
}

func (m *Maker) kindEdits() []edit {
	return []edit{
		{"link to a file", func() bool { return m.linkTo(m.someFile()) }},
		{"link to a folder", func() bool { return m.linkTo(m.someDir()) }},
		{"link to nothing", func() bool { return m.link("nowhere/at all", m.fresh()) }},
		{"link out of the tree", func() bool { return m.link("../../etc/passwd", m.fresh()) }},
		{"file to link", func() bool { return m.onFile(func(p string) { m.become(p, "link") }) }},
		{"file to folder", func() bool { return m.onFile(func(p string) { m.become(p, "folder") }) }},
		{"folder to file", func() bool { return m.onDir(func(p string) { m.become(p, "file") }) }},
		{"folder to link", func() bool { return m.onDir(func(p string) { m.become(p, "link") }) }},
		{"link to what was a link", func() bool { return m.onLink(func(p string) { m.become(p, "link") }) }},
		{"a file for a link", func() bool { return m.onLink(func(p string) { m.become(p, "file") }) }},
		{"a folder for a link", func() bool { return m.onLink(func(p string) { m.become(p, "folder") }) }},
		{"fifo", m.fifo},
		{"socket", m.socket},
		{"unreadable file", func() bool { return m.shut(m.someFile()) }},
		{"unreadable folder", func() bool { return m.shut(m.someDir()) }},
	}
}

func (m *Maker) indexEdits() []edit {
	return []edit{
		{"stage", func() bool { return m.onFile(func(p string) { m.try("add", "--", p) }) }},
		{"stage ignored", func() bool { return m.put("out/forced", m.content()) && m.try("add", "-f", "--", "out/forced") }},
		{"stage, then edit", func() bool { return m.onFile(func(p string) { m.try("add", "--", p); m.Write(p, m.contentFor(p)) }) }},
		{"unstage", func() bool { return m.onFile(func(p string) { m.try("reset", "-q", "--", p) }) }},
		{"rm --cached", func() bool { return m.onFile(func(p string) { m.try("rm", "-q", "--cached", "--", p) }) }},
		{"renormalise", func() bool { return m.onFile(func(p string) { m.try("add", "--renormalize", "--", p) }) }},
		{"intent to add", func() bool { p := m.fresh(); return m.put(p, m.contentFor(p)) && m.try("add", "-N", "-f", "--", p) }},
		{"assume unchanged", func() bool { return m.flag("--assume-unchanged") }},
		{"skip worktree", func() bool { return m.flag("--skip-worktree") }},
		{"skip worktree, absent", m.skipAbsent},
		{"unmerged", m.unmerged},
		{"index version", func() bool { return m.try("update-index", "--index-version", []string{"2", "3", "4"}[m.rnd.IntN(3)]) }},
		{"split index", func() bool { return m.try("update-index", "--split-index") }},
	}
}

func (m *Maker) repositoryEdits() []edit {
	return []edit{
		{"commit", m.commit},
		{"soft reset", func() bool { return m.commit() && m.try("reset", "-q", "--soft", "HEAD~1") }},
		{"autocrlf", func() bool {
			return m.try("config", "core.autocrlf", []string{"true", "input", "false"}[m.rnd.IntN(3)])
		}},
		{"nested repository", m.nested},
		{"nested, no commit", m.nestedEmpty},
		{"linked work tree inside", m.worktree},
		{"submodule", m.submodule},
		{"submodule moved", m.submoduleMoved},
		{"sparse cone", func() bool { return m.sparseSet("--cone", "lib", "z") }},
		{"sparse patterns", func() bool { return m.sparseSet("--no-cone", "/*", "!/a/", "!*.c") }},
	}
}
