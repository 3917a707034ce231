//go:build linux || darwin

package machine_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"overturn/model"
)

// thing is what stands at a path: its state as plans know it, and what tells whether
// it was touched. Of what may not be read the state has no hash.
type thing struct {
	model.FileState
	stamp string
}

func (a thing) folder() bool { return a.Kind == model.KindOther && strings.HasPrefix(a.Mode, "04") }

// state is all of a work tree but git's own folder; of what nobody may list, nothing
// is known.
type state map[model.Path]thing

func (w *world) state() state {
	w.t.Helper()
	all := state{}
	w.must(filepath.WalkDir(w.Root, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(w.Root, name)
		switch {
		case rel == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case rel == "." && err == nil:
			return nil
		case err != nil && !os.IsPermission(err):
			return err
		}
		all[model.Path(rel)] = w.thing(name)
		if err != nil {
			return fs.SkipDir
		}
		return nil
	}))
	return all
}

func (w *world) thing(name string) thing {
	w.t.Helper()
	info, err := os.Lstat(name)
	w.must(err)
	st := info.Sys().(*syscall.Stat_t)
	found := thing{FileState: model.FileState{Kind: model.KindOther, Mode: fmt.Sprintf("%06o", uint32(st.Mode)), Size: info.Size()}, stamp: fmt.Sprint(st.Ino, info.ModTime())}
	var data []byte
	switch {
	case info.Mode().IsRegular():
		found.Kind = model.KindFile
		data, err = os.ReadFile(name)
		if os.IsPermission(err) {
			return found
		}
	case info.Mode()&fs.ModeSymlink != 0:
		var text string
		text, err = os.Readlink(name)
		found.Kind, found.Mode, data = model.KindLink, "120000", []byte(text)
	default:
		found.Size = 0
		return found
	}
	w.must(err)
	sum := sha256.Sum256(data)
	found.SHA256 = hex.EncodeToString(sum[:])
	return found
}

// at is the state of a path in s, absent where nothing stands.
func (s state) at(p model.Path) model.FileState {
	if found, ok := s[p]; ok {
		return found.FileState
	}
	return model.Absent()
}

// same holds two states against each other, stamps too except at what was written.
func (w *world) same(what string, got, want state, written map[model.Path]bool) {
	w.t.Helper()
	for p, was := range want {
		now, ok := got[p]
		switch {
		case !ok:
			w.t.Errorf("%s: %q is gone: it was %v", what, p, was)
		case now.FileState != was.FileState:
			w.t.Errorf("%s: %q is %+v, and was %+v", what, p, now.FileState, was.FileState)
		case !written[p] && !was.folder() && now.stamp != was.stamp:
			w.t.Errorf("%s: %q was touched", what, p)
		}
	}
	for p, now := range got {
		if _, ok := want[p]; !ok {
			w.t.Errorf("%s: %q is there: %+v", what, p, now)
		}
	}
}

// entries is the user's index, entry by entry: mode, id, stage and flags by path and
// stage. Git is kept from clearing flags of what stands on disk as it reads.
func (w *world) entries() map[string]string {
	w.t.Helper()
	const flags = 0x8000 | 1<<29 | 1<<30 // assume-valid, intent-to-add, skip-worktree (git's read-cache.h)
	all := map[string]string{}
	rest := w.Git("-c", "sparse.expectFilesOutsideOfPatterns=true", "ls-files", "-s", "-z", "--debug")
	for rest != "" {
		row, debug, _ := strings.Cut(rest, "\x00")
		_, debug, ok := strings.Cut(debug, "\tflags: ")
		hex, after, _ := strings.Cut(debug, "\n")
		bits, err := strconv.ParseUint(hex, 16, 32)
		head, path, tab := strings.Cut(row, "\t")
		field := strings.Fields(head)
		if !ok || !tab || err != nil || len(field) != 3 {
			w.t.Fatalf("git lists the index in an unknown form: %q", row)
		}
		all[path+"\x00"+field[2]] = fmt.Sprintf("%s %s %x", field[0], field[1], bits&flags)
		rest = after
	}
	return all
}
