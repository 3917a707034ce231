package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/durable"
)

// probePrefix opens the name of the folder that the file system is tried out in.
const probePrefix = "doctor-"

// lowSpace is the free space, in bytes, below which captures and rollbacks of ordinary
// size begin to fail.
const lowSpace = 20 << 20

// skewLimit is how far the clock of the file system may be from that of this machine:
// what is younger than that is hashed again anyhow.
const skewLimit = 2 * time.Second

// fileSystem tries out what a rollback rests on, in a folder of its own.
func (e *exam) fileSystem() {
	const check = "file-system"
	e.space()
	dir, remove, err := e.probeFolder()
	if err != nil {
		e.failed(check, err, "see that "+e.Repo.GitDir+" can be written; without it nothing is recorded and nothing is rolled back")
		return
	}
	defer remove()
	tree, err := worktree.Open(dir)
	if err != nil {
		e.failed(check, err, "")
		return
	}
	defer tree.Close()
	e.exchange(tree)
	e.syncs(tree)
	e.clock(dir)
	e.names(dir)
	e.modes(dir)
}

// probeFolder makes the folder, in the state folder where there is one. remove takes
// away all that it made.
func (e *exam) probeFolder() (dir string, remove func(), err error) {
	state := e.Repo.StateDir()
	durable.Point("doctor.probefolder.mkdir")
	err = os.Mkdir(state, 0o700)
	made := err == nil
	if !made && !errors.Is(err, fs.ErrExist) {
		return "", func() {}, err
	}
	old, _ := filepath.Glob(filepath.Join(model.GlobSafe(state), probePrefix+"*"))
	for _, left := range old {
		if info, err := os.Lstat(left); err == nil && e.now.Sub(info.ModTime()) > staleTemp {
			durable.Point("doctor.probefolder.remove")
			_ = os.RemoveAll(left) // of an examination that was killed
		}
	}
	durable.Point("doctor.probefolder.mkdir")
	dir, err = os.MkdirTemp(state, probePrefix)
	return dir, func() {
		durable.Point("doctor.probefolder.remove")
		_ = os.RemoveAll(dir) // what stays is removed by the next examination
		if made {
			durable.Point("doctor.probefolder.remove")
			_ = os.Remove(state)
		}
	}, err
}

// where says what the probes speak for.
func (e *exam) where() string {
	if sameDevice(e.Repo.Root, e.Repo.GitDir) {
		return ""
	}
	return " (tried in the git directory, which lies on another file system than the work tree)"
}

// probe is a name in the probe folder that overturn may write and remove.
func probe(n int) model.Path { return worktree.Beside("x", "00000000000000000000000000", n) }

func (e *exam) exchange(tree *worktree.Tree) {
	const check = "exchange"
	err := errors.Join(tree.Write(probe(0), worktree.Content{Kind: model.KindFile, Perm: 0o600, Data: []byte("a")}),
		tree.Write(probe(1), worktree.Content{Kind: model.KindFile, Perm: 0o600, Data: []byte("b")}))
	if err == nil {
		err = tree.Exchange(probe(0), probe(1))
	}
	if errors.Is(err, worktree.ErrNoExchange) {
		e.good(check, "this file system cannot exchange two names in one step%s: a rollback moves the old file aside, compares it, and moves the new one in without replacing", e.where())
		return
	}
	if err == nil {
		var data []byte
		if data, _, err = tree.Read(probe(0), 10); err == nil && string(data) != "b" {
			err = fmt.Errorf("after an exchange, %q is where %q must be", data, "b")
		}
	}
	if err != nil {
		e.failed(check, err, "do not roll back on this file system; say which it is in a bug report (df -T)")
		return
	}
	e.good(check, "two names are exchanged in one step%s", e.where())
}

func (e *exam) syncs(tree *worktree.Tree) {
	const check = "sync"
	began := time.Now()
	if err := tree.Sync([]model.Path{probe(0)}, []model.Path{""}); err != nil {
		e.failed(check, err, "this file system does not say when a file is on the disk: after a power cut, what was done last may be gone")
		return
	}
	e.good(check, "a file and its name are on the disk in %.1f ms", float64(time.Since(began).Microseconds())/1000)
}

// clock compares the clock of the file system with ours, and both with what was
// recorded: a clock that was set back makes new turns older than old ones.
func (e *exam) clock(dir string) {
	const check, repair = "clock", "set the clock of this machine (or of the file server): timedatectl, ntpd"
	info, err := e.dated(dir)
	if err != nil {
		e.failed(check, err, "")
		return
	}
	skew := info.ModTime().Sub(e.Clock()).Round(time.Millisecond)
	newest := time.Time{}
	if threads, err := e.Ledger.Threads(e.ctx); err == nil && len(threads) > 0 {
		newest = threads[0].LastAt
	}
	switch {
	case skew > skewLimit || skew < -skewLimit:
		e.bad(check, repair, "the file system's clock is %s from this machine's", skew)
	case newest.After(e.now.Add(skewLimit)):
		e.bad(check, repair, "the newest turn was recorded at %s, which is still to come", newest.Format(time.RFC3339))
	default:
		e.good(check, "the file system's and this machine's agree")
	}
}

func (e *exam) dated(dir string) (fs.FileInfo, error) {
	name := filepath.Join(dir, "dated")
	durable.Point("doctor.dated.write")
	if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
		return nil, err
	}
	return os.Lstat(name)
}

// names tells whether names that differ in case alone are one, and whether git knows.
func (e *exam) names(dir string) {
	const check = "letter-case"
	_, err := os.Lstat(filepath.Join(dir, "DATED"))
	folds := err == nil
	told, _ := e.Repo.Config("core.ignorecase")
	knows := told == "true"
	switch {
	case folds == knows || e.where() != "":
		e.good(check, "names that differ in case alone are %s", map[bool]string{true: "one", false: "two"}[folds])
	case folds:
		e.bad(check, "git config core.ignorecase true", "names that differ in case alone are one file here, and git takes them for two")
	default:
		e.bad(check, "git config core.ignorecase false", "names that differ in case alone are two files here, and git takes them for one")
	}
}

// modes tells whether permission bits stay as they are set.
func (e *exam) modes(dir string) {
	const check = "modes"
	name := filepath.Join(dir, "dated")
	durable.Point("doctor.modes.chmod")
	err := os.Chmod(name, 0o741)
	info, lerr := os.Lstat(name)
	if err = errors.Join(err, lerr); err != nil {
		e.failed(check, err, "")
		return
	}
	if got := info.Mode().Perm(); got != 0o741 {
		e.good(check, "this file system keeps no permission bits (0741 became %s): a rollback brings back contents alone", "0"+strconv.FormatUint(uint64(got), 8))
		return
	}
	e.good(check, "permission bits are kept")
}

// space looks at what is left on the disks of work tree and git directory.
func (e *exam) space() {
	const check = "free-space"
	dirs := []string{e.Repo.Root}
	if !sameDevice(e.Repo.Root, e.Repo.CommonDir) {
		dirs = append(dirs, e.Repo.CommonDir)
	}
	for _, dir := range dirs {
		free, err := freeBytes(dir)
		switch {
		case err != nil:
			e.failed(check, err, "")
		case free < lowSpace:
			e.bad(check, "make room, e.g. overturn checkpoint prune, or git gc", "only %s free at %s", size(int64(free)), dir)
		default:
			e.good(check, "%s free at %s", size(int64(free)), dir)
		}
	}
}
