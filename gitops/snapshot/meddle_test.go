//go:build linux || darwin

package snapshot_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot"
	"overturn/model"
)

// meddler is a context in whose n-th look another process is at work: a capture looks
// whether it was cancelled before every folder, file and child of git's.
type meddler struct {
	context.Context
	left atomic.Int64
	work func()
}

func (m *meddler) Err() error {
	if m.left.Add(-1) == 0 {
		m.work()
	}
	return m.Context.Err()
}

// meddled is a work tree that has work for every step of a capture.
type meddled struct {
	*bench
	sides [2]map[string]string // path to "mode type id" before and after the meddling
}

const filtered = "*.up filter=upper\n*.crlf text eol=crlf\n"

// lay makes the tree as the table knows it, then edits all of it.
func (m *meddled) lay() {
	m.t.Helper()
	m.open()
	for _, name := range []string{"d", "u", "top", "link", "new", "new.up", ".gitignore", ".gitattributes", "v"} {
		m.Remove(name)
	}
	m.Write(".gitignore", "*.log\n")
	m.Write(".gitattributes", filtered)
	for round, text := range []string{"first\n", "second, longer\n"} {
		for _, name := range []string{"d/one", "d/deep/two", "d/conv.up", "d/ends.crlf", "top", "u/one", "u/deep/two"} {
			m.Write(name, text+name+"\r\n")
		}
		if round == 0 {
			m.Symlink("top", "link")
			m.capture()
		}
	}
	m.Remove("link")
	m.Symlink("d", "link")
	for _, name := range []string{"new", "new.up", "u/x.log", "v/deep/new"} {
		m.Write(name, "new\n")
	}
}

// meddlings are what another process may do meanwhile.
func meddlings(m *meddled) map[string]func() {
	put := func(path, text string) func() {
		return func() { m.Remove(path); m.Write(path, text) }
	}
	link := func(path string) func() {
		return func() { m.Remove(path); m.Symlink("elsewhere", path) }
	}
	mode := func(path string, perm os.FileMode) func() { return func() { m.Chmod(path, perm) } }
	fifo := func(path string) func() {
		return func() { m.Remove(path); must(m.t, syscall.Mkfifo(m.Path(path), 0o644)) }
	}
	return map[string]func(){
		"a tracked folder goes":        func() { m.Remove("d") },
		"a new folder goes":            func() { m.Remove("v") },
		"a known folder goes":          func() { m.Remove("u") },
		"all goes":                     func() { m.Remove("d"); m.Remove("u"); m.Remove("top"); m.Remove("new") },
		"a folder to a file":           put("u", "file\n"),
		"a tracked folder to a file":   put("d", "file\n"),
		"a folder to a link":           link("d"),
		"a file to a folder":           func() { m.Remove("top"); m.Write("top/below", "below\n") },
		"a file to a link":             link("top"),
		"a file to a pipe":             fifo("top"),
		"a new file to a pipe":         fifo("new"),
		"a link to a file":             put("link", "file\n"),
		"a link goes":                  func() { m.Remove("link") },
		"a file that may not be read":  mode("d/one", 0),
		"a folder that may not be":     mode("d/deep", 0),
		"a new folder that may not be": mode("v", 0),
		"a file beyond the limit":      put("top", strings.Repeat("long\n", 300)),
		"converted files go":           func() { m.Remove("d/conv.up"); m.Remove("new.up"); m.Remove("d/ends.crlf") },
		"a converted file is no file":  fifo("new.up"),
		"a converted file may not be":  mode("d/conv.up", 0),
		"a repository of its own":      func() { must(m.t, gittest.InitFiles(m.Path("u"), "sha1")) },
		"other ignore rules":           func() { m.Write(".gitignore", "u/\n!*.log\n") },
		"other attributes":             func() { m.Write(".gitattributes", "*.crlf -text\n") },
		"attributes that are no file":  func() { m.Remove(".gitattributes"); m.Write(".gitattributes/x", "x\n") },
	}
}

// TestOthersAreAtWorkMeanwhile: whenever another process changes kinds, takes folders
// away or moves the rules, a capture is taken, each path of it is as it was before or
// after, and the next one is what git makes of the tree.
func TestOthersAreAtWorkMeanwhile(t *testing.T) {
	gittest.Unprivileged(t)
	for what := range meddlings(&meddled{}) {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			m := newMeddled(t)
			work := meddlings(m)[what]
			m.lay()
			m.sides[0] = m.entries(m.capture().Tree)
			work()
			want := m.agree("afterwards").Tree
			m.sides[1] = m.entries(want)
			met := 0
			for n := int64(1); ; n += 1 + n/6 {
				m.lay()
				ctx := &meddler{Context: t.Context(), work: work}
				ctx.left.Store(n)
				snap, _ := m.publishIn(ctx)
				if ctx.left.Load() > 0 {
					break
				}
				met++
				m.between(fmt.Sprintf("at look %d", n), snap.Tree, snap.LeftOut)
				if next := m.capture(); next.Tree != want {
					t.Errorf("the capture after the one at look %d differs:\n%s", n, m.Git("diff-tree", "-r", want, next.Tree))
				}
			}
			if met < 5 {
				t.Errorf("only %d looks were met", met)
			}
		})
	}
}

func newMeddled(t *testing.T) *meddled {
	r := gittest.New(t, gittest.Plain("sha1"), gittest.Unchecked())
	m := &meddled{bench: newBench(t, r, snapshot.Options{MaxFileSize: 1000})}
	r.Git("config", "filter.upper.clean", "tr a-z A-Z")
	r.Write(".gitignore", "*.log\n")
	r.Write(".gitattributes", filtered)
	for _, name := range []string{"d/one", "d/deep/two", "d/conv.up", "d/ends.crlf", "top"} {
		r.Write(name, "zero\n")
	}
	r.Symlink("nowhere", "link")
	r.Commit("first")
	m.reopen(snapshot.Options{MaxFileSize: 1000})
	t.Cleanup(m.open)
	return m
}

// open lets everybody into the folders that meddling shuts.
func (m *meddled) open() {
	for _, name := range []string{"v", "d/deep"} {
		_ = os.Chmod(m.Path(name), 0o700)
	}
}

// entries is a tree by path.
func (m *meddled) entries(tree string) map[string]string {
	m.t.Helper()
	all := map[string]string{}
	for row := range strings.SplitSeq(m.Git("ls-tree", "-r", "-z", tree), "\x00") {
		if entry, path, ok := strings.Cut(row, "\t"); ok {
			all[path] = entry
		}
	}
	return all
}

// between holds each path of a tree against what stood there before and after.
func (m *meddled) between(what, tree string, leftOut []model.Noted) {
	m.t.Helper()
	got := m.entries(tree)
	paths := map[string]bool{}
	for _, side := range []map[string]string{got, m.sides[0], m.sides[1]} {
		for path := range side {
			paths[path] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if slices.ContainsFunc(leftOut, func(n model.Noted) bool { return model.Path(path).Under(n.Path) }) {
			continue // what is left out says nothing
		}
		if now := got[path]; now != m.sides[0][path] && now != m.sides[1][path] {
			m.t.Errorf("%s: %q is captured as %q; before it was %q, then %q", what, path, now, m.sides[0][path], m.sides[1][path])
		}
	}
}
