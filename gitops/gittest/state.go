package gittest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// State is what no capture or review may change, file by file; see Repo.Protected.
type State struct{ entries map[string]string }

// Protected takes everything in the repository's git directories but objects and
// what is overturn's own: the index with its time of change, HEAD, refs, reflogs,
// stash, operations in progress, configuration.
func (r *Repo) Protected(t testing.TB) State {
	t.Helper()
	common := r.CommonDir()
	s := State{entries: map[string]string{}}
	err := filepath.WalkDir(common, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, common))
		if own(rel) || rel == "/objects" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() || d.Name() == "gc.pid" {
			return nil
		}
		return s.add(rel, path)
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// own tells whether a name in a git directory is overturn's.
func own(rel string) bool {
	if strings.HasPrefix(rel, "/worktrees/") {
		if _, below, ok := strings.Cut(rel[len("/worktrees/"):], "/"); ok {
			rel = "/" + below
		}
	}
	switch rel {
	case "/overturn", "/refs/overturn", "/refs/heads/overturn":
		return true
	}
	return strings.HasPrefix(rel, "/overturn-push-queue.")
}

func (s State) add(rel, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if rel == "/packed-refs" {
		data = withoutOwnRefs(data)
	}
	s.entries[rel] = fmt.Sprintf("%x", sha256.Sum256(data))
	if filepath.Base(rel) == "index" {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		s.entries[rel] += info.ModTime().Format(" changed 2006-01-02T15:04:05.999999999")
	}
	return nil
}

func withoutOwnRefs(data []byte) []byte {
	var kept []string
	skip := false
	for _, line := range strings.Split(string(data), "\n") {
		if !strings.HasPrefix(line, "^") {
			skip = strings.Contains(line, " refs/overturn/") || strings.Contains(line, " refs/heads/overturn/")
		}
		if !skip {
			kept = append(kept, line)
		}
	}
	return []byte(strings.Join(kept, "\n"))
}

// Diff says line by line what differs from s, "" when nothing does.
func (s State) Diff(now State) string {
	var lines []string
	for path, was := range s.entries {
		if is, ok := now.entries[path]; !ok {
			lines = append(lines, path+" is gone")
		} else if is != was {
			lines = append(lines, path+" changed")
		}
	}
	for path := range now.entries {
		if _, ok := s.entries[path]; !ok {
			lines = append(lines, path+" is new")
		}
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}
