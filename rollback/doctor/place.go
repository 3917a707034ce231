package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"overturn/model"
	"overturn/model/durable"
)

// workTree says where we are.
func (e *exam) workTree() {
	r := e.Repo
	if _, err := os.ReadDir(r.Root); err != nil {
		e.failed("work-tree", err, "see that you may read "+r.Root)
		return
	}
	e.good("work-tree", "%s, work tree %q of %s (%s, refs in %s)", r.Root, r.WorkTree, r.CommonDir, r.ObjectFormat, r.RefStorage)
}

// stateFolder looks at the folder of overturn's own state: that it and all in it is
// the user's, for nobody else to read, and can be written.
func (e *exam) stateFolder() {
	const check = "state-folder"
	dir := e.Repo.StateDir()
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		e.good(check, "%s is not there yet: nothing is recorded here", dir)
		return
	}
	if err != nil {
		e.failed(check, err, "see that you may read "+filepath.Dir(dir))
		return
	}
	var foreign, locked []string
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // settled meanwhile
		}
		if err != nil {
			locked = append(locked, name)
			return skipFolder(d)
		}
		if !d.IsDir() && e.displaced(name) {
			return nil
		}
		info, err := d.Info()
		switch {
		case err != nil:
			return nil
		case !mine(info):
			foreign = append(foreign, name)
		case d.Type().IsRegular() && strings.HasPrefix(name, filepath.Join(dir, "rollup")+string(filepath.Separator)):
			// What git packs is read-only; the next roll-up sweeps what a killed one left.
		case info.Mode()&0o200 == 0 && info.Mode()&fs.ModeSymlink == 0 || info.IsDir() && info.Mode()&0o700 != 0o700:
			locked = append(locked, name)
		}
		return e.ctx.Err()
	})
	switch {
	case err != nil:
		e.failed(check, err, "")
	case len(foreign) > 0:
		e.bad(check, "give them to yourself: sudo chown -R \"$(id -u)\" "+model.ShellWord(dir), "%s of another user's: %s", count(len(foreign), "file"), some(foreign))
	case len(locked) > 0:
		e.bad(check, "chmod -R u+rwX "+model.ShellWord(dir), "cannot be read or written: %s", some(locked))
	case info.Mode().Perm()&0o077 != 0:
		e.bad(check, "chmod 700 "+model.ShellWord(dir), "%s can be read by others (mode %04o): it holds prompts", dir, info.Mode().Perm())
	default:
		e.good(check, "%s is yours alone", dir)
	}
}

// displaced tells whether a file of the state folder is one that a rollback took out of
// the work tree, whole: its owner and mode are those that it had there. What tells
// whether it was written to since compares the mode, so that nothing may change it.
func (e *exam) displaced(file string) bool {
	return strings.HasPrefix(file, filepath.Join(e.Repo.StateDir(), "kept")+string(filepath.Separator))
}

func skipFolder(d fs.DirEntry) error {
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// heldLong is when a lock that is held is said to be held for long: hooks take
// milliseconds, a rollback seconds.
const heldLong = 10 * time.Minute

// locks names who holds overturn's locks, and git's own that were left behind: a
// rollback that moves entries of the index waits for these in vain.
func (e *exam) locks() {
	const check = "locks"
	var held []string
	ok := true
	for _, dir := range e.stateFolders() {
		files, _ := filepath.Glob(filepath.Join(model.GlobSafe(dir), "*.lock"))
		for _, file := range files {
			who, is, err := durable.Held(file)
			if err != nil {
				e.failed(check, err, "see that you may read "+file)
				ok = false
			}
			if !is {
				continue
			}
			held = append(held, filepath.Base(file)+" by "+holder(who))
			if !who.Started.IsZero() && e.now.Sub(who.Started) > heldLong {
				e.bad(check, "end that process if it hangs; the lock goes with it", "%s is held for %s by %s", file, e.since(who.Started), holder(who))
				ok = false
			}
		}
	}
	if ok = e.gitLocks(check) && ok; ok && len(held) > 0 {
		e.good(check, "held just now: %s", strings.Join(held, ", "))
	} else if ok {
		e.good(check, "none is held")
	}
}

func holder(h durable.Holder) string {
	if h.PID == 0 {
		return "another overturn"
	}
	return strings.TrimSpace(h.What + " (process " + itoa(h.PID) + ")")
}

// gitLocks looks for git's locks of this work tree that are older than any git
// command takes.
func (e *exam) gitLocks(check string) bool {
	ok := true
	for _, name := range []string{"index.lock", "HEAD.lock", "config.lock", "packed-refs.lock"} {
		for _, dir := range unique(e.Repo.GitDir, e.Repo.CommonDir) {
			file := filepath.Join(dir, name)
			info, err := os.Lstat(file)
			if err != nil || e.now.Sub(info.ModTime()) < heldLong {
				continue
			}
			ok = false
			e.bad(check, "if no git is running here, rm "+model.ShellWord(file), "%s is %s old: git and a rollback that has to write there wait for it", file, e.since(info.ModTime()))
		}
	}
	return ok
}

// stateFolders are the state folder of this work tree, and the one that all share.
func (e *exam) stateFolders() []string {
	return unique(e.Repo.StateDir(), filepath.Join(e.Repo.CommonDir, filepath.Base(e.Repo.StateDir())))
}

func unique(list ...string) []string {
	sort.Strings(list)
	var out []string
	for i, s := range list {
		if i == 0 || s != list[i-1] {
			out = append(out, s)
		}
	}
	return out
}
