//go:build unix

package treetest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"

	"overturn/gitops/gittest"
)

// Maker makes and edits one work tree.
type Maker struct {
	*gittest.Repo
	t      testing.TB
	rnd    *rand.Rand
	counts map[string]int
	names  int
	sparse bool
}

// New makes a repository with a first commit; the same seed makes the same one.
func New(t testing.TB, seed uint64) *Maker {
	m := &Maker{Repo: gittest.New(t, gittest.Unchecked()), t: t, rnd: rand.New(rand.NewPCG(seed, 7)), counts: map[string]int{}}
	for _, feature := range []string{"odd name", "CRLF", "binary", "mixed line ends", "filter", "ident", "eol"} {
		m.counts[feature] = 0
	}
	for _, e := range m.edits() {
		m.counts[e.name] = 0
	}
	m.rules()
	for range 25 {
		m.Write(m.fresh(), m.content())
	}
	m.Write("keep/me", "tracked and ignored\n")
	m.Git("add", "-A")
	m.Git("add", "-f", "keep/me")
	m.Git("commit", "-q", "-m", "first")
	return m
}

// rules writes ignore and attribute files.
func (m *Maker) rules() {
	m.Write(".gitignore", "*.log\n/out/\nkeep/\n!important.log\n")
	m.Git("config", "filter.upper.clean", "tr a-z A-Z")
	m.Git("config", "filter.upper.smudge", "tr A-Z a-z")
	m.Write(".gitattributes", "*.txt text=auto\n*.crlf text eol=crlf\n*.id ident\n*.up filter=upper\n*.bin -text\n*.u16 text working-tree-encoding=UTF-16LE\n")
}

// Counts is how often each feature there is came up since New; 0 where it did not.
func (m *Maker) Counts() map[string]int { return m.counts }

func (m *Maker) did(feature string) { m.counts[feature]++ }

// fresh is a new path; its name is at times an odd one.
func (m *Maker) fresh() string {
	m.names++
	dirs := []string{"", "", "a/", "a/b/", "a/b/c/", "lib/", "lib.d/", "z/"}
	ends := []string{"", ".txt", ".txt", ".crlf", ".id", ".up", ".bin", ".c"}
	odd := []string{"-f", ":x", ":(top)y", "with space", "new\nline", "tab\t", `back\slash`, `quo"te`, "h\xe9", "\xff", "日本", "*", "[a]", "!bang", "#hash", "trail ", "HEAD", "~"}
	name := fmt.Sprintf("f%d", m.names)
	if m.rnd.IntN(5) == 0 {
		name = odd[m.rnd.IntN(len(odd))] + fmt.Sprint(m.names)
		m.did("odd name")
	}
	end := ends[m.rnd.IntN(len(ends))]
	if feature := map[string]string{".up": "filter", ".id": "ident", ".crlf": "eol"}[end]; feature != "" {
		m.did(feature)
	}
	return dirs[m.rnd.IntN(len(dirs))] + name + end
}

// content is text, at times with other line ends, or binary.
func (m *Maker) content() string {
	var b strings.Builder
	eol := "\n"
	switch m.rnd.IntN(6) {
	case 0:
		eol = "\r\n"
		m.did("CRLF")
	case 1:
		b.WriteString("\x00\x01")
		m.did("binary")
	case 2:
		b.WriteString("mixed\r\n$Id$\n")
		m.did("mixed line ends")
	}
	for range m.rnd.IntN(8) {
		fmt.Fprintf(&b, "line %d%s", m.rnd.IntN(1000), eol)
	}
	return b.String()
}

// some is a random regular file outside .git, "" when there is none.
func (m *Maker) some(match func(path string, info os.FileInfo) bool) string {
	var list []string
	_ = filepath.Walk(m.Root, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return filepath.SkipDir
		}
		rel, _ := filepath.Rel(m.Root, path)
		if info.IsDir() {
			if _, err := os.Lstat(filepath.Join(path, ".git")); err == nil && rel != "." || info.Name() == ".git" {
				return filepath.SkipDir
			}
		}
		if rel != "." && match(rel, info) {
			list = append(list, rel)
		}
		return nil
	})
	sort.Strings(list)
	if len(list) == 0 {
		return ""
	}
	return list[m.rnd.IntN(len(list))]
}

func (m *Maker) someFile() string {
	return m.some(func(path string, info os.FileInfo) bool {
		return info.Mode().IsRegular() && !strings.HasPrefix(filepath.Base(path), ".git")
	})
}

func (m *Maker) someDir() string {
	return m.some(func(path string, info os.FileInfo) bool { return info.IsDir() })
}

// Edit makes n random edits.
func (m *Maker) Edit(n int) {
	edits := m.edits()
	for range n {
		e := edits[m.rnd.IntN(len(edits))]
		if e.do() {
			m.did(e.name)
		}
	}
}

// Each makes every kind of edit once, in random order.
func (m *Maker) Each() {
	edits := m.edits()
	m.rnd.Shuffle(len(edits), func(i, j int) { edits[i], edits[j] = edits[j], edits[i] })
	for _, e := range edits {
		if e.do() {
			m.did(e.name)
		}
	}
}

type edit struct {
	name string
	do   func() bool
}

func (m *Maker) sameSize() bool {
	path := m.someFile()
	if path == "" {
		return false
	}
	full := m.Path(path)
	info, err := os.Stat(full)
	data, _ := os.ReadFile(full)
	if err != nil || len(data) == 0 {
		return false
	}
	at := m.rnd.IntN(len(data))
	data[at] ^= 1
	if data[at] == '\r' || data[at] == '\n' || data[at] == 0 {
		data[at] = 'x'
	}
	m.must(os.WriteFile(full, data, info.Mode().Perm()))
	m.must(os.Chtimes(full, time.Time{}, info.ModTime()))
	return true
}

// roomFor makes the folders above path; false where something is in the way.
func (m *Maker) roomFor(path string) bool {
	dir := ""
	for _, step := range strings.Split(filepath.Dir(path), "/") {
		dir = filepath.Join(dir, step)
		if info, err := os.Lstat(m.Path(dir)); err == nil && !info.IsDir() {
			return false
		}
	}
	return os.MkdirAll(m.Path(dir), 0o755) == nil
}

func (m *Maker) put(path, content string) bool {
	if !m.roomFor(path) {
		return false
	}
	if info, err := os.Lstat(m.Path(path)); err == nil && !info.Mode().IsRegular() {
		return false
	}
	m.Write(path, content)
	return true
}

func (m *Maker) link(target, path string) bool {
	return m.roomFor(path) && os.Symlink(target, m.Path(path)) == nil
}

func (m *Maker) must(err error) {
	if err != nil {
		m.t.Helper()
		m.t.Fatal(err)
	}
}

func (m *Maker) fifo() bool {
	path := m.fresh() + ".fifo"
	return m.roomFor(path) && syscall.Mkfifo(m.Path(path), 0o644) == nil
}
