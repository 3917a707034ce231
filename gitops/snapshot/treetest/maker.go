//go:build unix

package treetest

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	format string // of objects
}

// New makes a repository of some shape, with commits; the same seed makes the same one.
func New(t testing.TB, seed uint64) *Maker {
	m := &Maker{t: t, rnd: rand.New(rand.NewPCG(seed, 7)), counts: map[string]int{}, format: "sha1"}
	for _, feature := range features() {
		m.counts[feature] = 0
	}
	for _, e := range m.edits() {
		m.counts[e.name] = 0
	}
	m.shaped()
	t.Cleanup(m.open)
	return m
}

// features are what comes up beside the edits.
func features() []string {
	list := append(shapes(), slices.Collect(maps.Keys(oddNames()))...)
	list = append(list, slices.Collect(maps.Values(ruledEnds()))...)
	return append(list, "CRLF", "binary", "mixed line ends", "no last newline")
}

// first writes the files of the first commit.
func (m *Maker) first() {
	m.Write(".gitignore", "*.log\n/out/\nkeep/\n!important.log\n")
	m.Write(".gitattributes", strings.Join(rules(), ""))
	for range 20 {
		path := m.fresh()
		m.Write(path, m.contentFor(path))
	}
	m.Write("keep/me", "tracked and ignored\n")
	m.Git("add", "-A", "-f")
	m.Git("commit", "-q", "-m", "first")
}

// Counts is how often each feature there is came up since New; 0 where it did not.
func (m *Maker) Counts() map[string]int { return m.counts }

func (m *Maker) did(feature string) { m.counts[feature]++ }

// Pick is a random number below n.
func (m *Maker) Pick(n int) int { return m.rnd.IntN(n) }

// edit is one kind of edit; do tells whether it could be done.
type edit struct {
	name string
	do   func() bool
}

// Edit makes n random edits.
func (m *Maker) Edit(n int) {
	edits := m.edits()
	for range n {
		m.make(edits[m.rnd.IntN(len(edits))])
	}
}

// Each makes every kind of edit once, in random order.
func (m *Maker) Each() {
	edits := m.edits()
	m.rnd.Shuffle(len(edits), func(i, j int) { edits[i], edits[j] = edits[j], edits[i] })
	for _, e := range edits {
		m.make(e)
	}
}

func (m *Maker) make(e edit) {
	if e.do() {
		m.did(e.name)
	}
}

// Write writes a file, whatever its mode, which stays.
func (m *Maker) Write(path, content string) {
	m.t.Helper()
	info, err := os.Lstat(m.Path(path))
	if err == nil && info.Mode().IsRegular() && info.Mode()&0o200 == 0 {
		m.Chmod(path, 0o600)
		defer m.Chmod(path, info.Mode().Perm())
	}
	m.Repo.Write(path, content)
}

// Remove removes a file or a whole folder, readable or not.
func (m *Maker) Remove(path string) {
	m.t.Helper()
	unlock(m.Path(path))
	m.Repo.Remove(path)
}

// open makes all folders readable, so that they can be removed.
func (m *Maker) open() { unlock(m.Root) }

func unlock(root string) {
	_ = filepath.Walk(root, func(path string, info os.FileInfo, _ error) error {
		if info == nil || !info.IsDir() || info.Mode()&0o700 == 0o700 {
			return nil
		}
		if os.Chmod(path, 0o700) == nil {
			unlock(path)
		}
		return filepath.SkipDir
	})
}

// some is a random path outside of git's folders that match picks, "" when there is none.
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
	slices.Sort(list)
	if len(list) == 0 {
		return ""
	}
	return list[m.rnd.IntN(len(list))]
}

func (m *Maker) someFile() string {
	return m.some(func(path string, info os.FileInfo) bool {
		return info.Mode().IsRegular() && info.Mode()&0o400 != 0 && !strings.HasPrefix(filepath.Base(path), ".git")
	})
}

func (m *Maker) someDir() string {
	return m.some(func(_ string, info os.FileInfo) bool { return info.IsDir() })
}

func (m *Maker) someLink() string {
	return m.some(func(_ string, info os.FileInfo) bool { return info.Mode()&os.ModeSymlink != 0 })
}

func (m *Maker) on(path string, do func(string)) bool {
	if path != "" {
		do(path)
	}
	return path != ""
}

func (m *Maker) onFile(do func(string)) bool { return m.on(m.someFile(), do) }
func (m *Maker) onDir(do func(string)) bool  { return m.on(m.someDir(), do) }
func (m *Maker) onLink(do func(string)) bool { return m.on(m.someLink(), do) }

func (m *Maker) try(args ...string) bool {
	_, err := m.GitMayFail(args...)
	return err == nil
}

func (m *Maker) must(err error) {
	if err != nil {
		m.t.Helper()
		m.t.Fatal(err)
	}
}
