//go:build unix

package treetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"overturn/gitops/gittest"
)

// shapes are what a repository may be on the whole.
func shapes() []string {
	return []string{"plain repository", "in a linked work tree", "alternates", "shallow", "SHA-256"}
}

// rules are attributes, one for each of ruledEnds and more.
func rules() []string {
	return []string{
		"*.txt text=auto\n", "*.crlf text eol=crlf\n", "*.id ident\n", "*.up filter=upper\n", "*.bin -text\n",
		"*.u16 text working-tree-encoding=UTF-16LE\n", "*.lfs filter=pointer -text\n",
	}
}

// settings are the filters that rules() names: one loses bytes, one puts a pointer in
// the place of the content and brings nothing back. A command of one word costs no
// shell.
func settings() []string {
	return []string{
		"filter.upper.clean=tr a-z A-Z", "filter.upper.smudge=tr A-Z a-z",
		"filter.pointer.clean=sha256sum", "filter.pointer.smudge=cat",
	}
}

// userSettings keep git from starting its maintenance, two children, after each commit.
const userSettings = "[maintenance]\n\tauto = false\n"

// shaped makes the repository, its first commit and its shape.
func (m *Maker) shaped() {
	shape := shapes()[max(m.rnd.IntN(2*len(shapes()))-len(shapes()), 0)]
	if shape == "SHA-256" {
		m.format = "sha256"
	}
	m.Repo = gittest.New(m.t, gittest.Unchecked(), gittest.Plain(m.format))
	m.must(os.WriteFile(filepath.Join(m.Home, ".gitconfig"), []byte(userSettings), 0o644))
	m.did(shape)
	m.must(m.configure())
	m.first()
	beside := filepath.Join(filepath.Dir(m.Root), "beside")
	clone := []string{"clone", "-q", "--template="}
	for _, setting := range settings() {
		clone = append(clone, "-c", setting)
	}
	switch shape {
	case "in a linked work tree":
		m.Git("worktree", "add", "-q", "-b", "beside", beside)
	case "alternates":
		m.Git(append(clone, "--shared", m.Root, beside)...)
	case "shallow":
		m.Git("commit", "-q", "--allow-empty", "-m", "second")
		m.Git(append(clone, "--depth=1", "file://"+m.Root, beside)...)
	default:
		return
	}
	m.Repo = m.At(beside)
}

// configure writes settings() into the repository's file, which costs no git.
func (m *Maker) configure() error {
	file, err := os.OpenFile(m.Path(".git/config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	for _, setting := range settings() {
		key, value, _ := strings.Cut(setting, "=")
		part := strings.Split(key, ".")
		fmt.Fprintf(file, "[%s %q]\n\t%s = \"%s\"\n", part[0], part[1], part[2], strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value))
	}
	return file.Close()
}
