package trial

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// State is all that a user has in a yard: by path, what stands in the work tree
// (bytes, modes, links, empty folders, times), and under ".git/", every file of the
// git directory but objects and what is overturn's own.
type State map[string]string

// timeMark comes before the time of change in an entry.
const timeMark = " changed "

// Timeless is s without times of change.
func (s State) Timeless() State {
	t := make(State, len(s))
	for name, what := range s {
		t[name], _, _ = strings.Cut(what, timeMark)
	}
	return t
}

// Names are the paths of s, sorted.
func (s State) Names() []string {
	names := make([]string, 0, len(s))
	for name := range s {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Change is a path at which two states differ; Was or Is is "" where nothing stood.
type Change struct{ Path, Was, Is string }

func (c Change) String() string { return fmt.Sprintf("%s: was %q, is %q", c.Path, c.Was, c.Is) }

// Diff are the paths at which now is not s, sorted; those of except, and all below
// them, are left out.
func (s State) Diff(now State, except ...string) []Change {
	all := State{}
	for name := range s {
		all[name] = ""
	}
	for name := range now {
		all[name] = ""
	}
	var changes []Change
	for _, name := range all.Names() {
		if was, is := s[name], now[name]; was != is && !Below(name, except) {
			changes = append(changes, Change{name, was, is})
		}
	}
	return changes
}

// Below tells whether name is one of paths or lies below one.
func Below(name string, paths []string) bool {
	for _, p := range paths {
		if name == p || strings.HasPrefix(name, p+"/") {
			return true
		}
	}
	return false
}

// State takes the yard as it stands.
func (y *Yard) State() State {
	if y.Err() != nil {
		return State{}
	}
	s, err := Files(y.Root)
	if err == nil {
		err = filepath.WalkDir(filepath.Join(y.Root, ".git"), func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return s.addGit(below(y.Root, file), file, d)
		})
	}
	if err != nil {
		y.Fail(err)
	}
	return s
}

// Files is all that stands in a work tree; of the git directory of its own, nothing.
func Files(root string) (State, error) {
	s := State{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := below(root, file)
		switch {
		case rel == "":
			return nil
		case rel == ".git" && d.IsDir():
			return fs.SkipDir
		}
		s[rel], err = Standing(file)
		return err
	})
	return s, err
}

// below is a file's path from root, "" for root.
func below(root, file string) string {
	return filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(file, root), string(filepath.Separator)))
}

// Standing describes what stands at a path. The times of folders are left out: a
// name made and removed again beside the user's files changes them.
func Standing(name string) (string, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return "", err
	}
	switch {
	case info.IsDir():
		return info.Mode().String(), nil
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Readlink(name)
		return "link to " + to, err
	case !info.Mode().IsRegular():
		return info.Mode().String(), nil
	}
	data, err := os.ReadFile(name)
	return fmt.Sprintf("%s %x%s%d", info.Mode(), sha256.Sum256(data), timeMark, info.ModTime().UnixNano()), err
}

// addGit adds a file of the git directory, unless it is an object or overturn's.
func (s State) addGit(rel, file string, d fs.DirEntry) error {
	own := rel == ".git/objects" || rel == ".git/overturn" || rel == ".git/refs/overturn" || rel == ".git/refs/heads/overturn" ||
		strings.HasPrefix(rel, ".git/overturn-push-queue.")
	switch {
	case own && d.IsDir():
		return fs.SkipDir
	case own || d.IsDir():
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if rel == ".git/packed-refs" {
		data = withoutOwnRefs(data)
	}
	s[rel] = fmt.Sprintf("%x", sha256.Sum256(data))
	if rel == ".git/index" {
		info, err := d.Info()
		if err != nil {
			return err
		}
		s[rel] += timeMark + info.ModTime().UTC().Format(time.RFC3339Nano)
	}
	return nil
}

func withoutOwnRefs(data []byte) []byte {
	var kept [][]byte
	skip := false
	for _, line := range bytes.Split(data, []byte("\n")) {
		if !bytes.HasPrefix(line, []byte("^")) {
			skip = bytes.Contains(line, []byte(" refs/overturn/")) || bytes.Contains(line, []byte(" refs/heads/overturn/"))
		}
		if !skip {
			kept = append(kept, line)
		}
	}
	return bytes.Join(kept, []byte("\n"))
}

// Held counts everything of before as protected, but what except names: each thing
// that is not as it was is a fault.
func (y *Yard) Held(before State, except ...string) {
	if y.Err() != nil {
		return
	}
	now := y.State()
	for name := range before {
		if !Below(name, except) {
			y.Tally.Survival.Add(now[name] == before[name])
		}
	}
	for _, c := range before.Diff(now, except...) {
		y.Faultf("protected state changed: %s", c)
		if c.Was == "" { // something new beside it
			y.Tally.Survival.Add(false)
		}
	}
}

// Wrote counts the paths of the work tree that changed since before: each that is
// no target is overreach.
func (y *Yard) Wrote(before State, targets ...string) {
	if y.Err() != nil {
		return
	}
	for _, c := range before.Diff(y.State(), ".git") {
		y.Tally.Overreach.Add(Below(c.Path, targets))
	}
}

// Phase notes git's status and the hash of every file, for who looks later.
func (y *Yard) Phase(name string) {
	if y.Err() != nil {
		return
	}
	fmt.Fprintf(&y.book.script, "# == %s\n", name)
	fmt.Fprintf(&y.book.phases, "== %s\n%s\n", name, y.must("git", "status", "--porcelain=v2", "--untracked-files=all", "--ignored"))
	standing := y.State().Timeless()
	for _, name := range standing.Names() {
		if !Below(name, []string{".git"}) {
			fmt.Fprintf(&y.book.phases, "%s %s\n", standing[name], name)
		}
	}
}

// Phases is what Phase noted so far.
func (y *Yard) Phases() string { return y.book.phases.String() }
