//go:build linux || darwin

package trial

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

func (a *racer) becomeLink() error {
	to := link(filepath.Join(a.out, filepath.Base(a.path)))
	return a.replace(to.put, to)
}

func (a *racer) becomeFIFO() error {
	return a.replace(func(name string) error { return syscall.Mkfifo(name, 0o600) }, thing{kind: "other"})
}

func (a *racer) becomeFolder() error {
	if err := a.setAside(a.path); err != nil {
		return err
	}
	if err := a.makeFolder(filepath.Dir(a.path)); err != nil {
		return err
	}
	inside := file(0o644, a.next())
	a.saved(inside)
	return inside.put(a.Path(a.path + "/inside"))
}

// parent is the folder of the target, or one above it.
func (a *racer) parent() string {
	dir := filepath.Dir(a.path)
	if up := filepath.Dir(dir); up != "." && a.race.N%2 == 1 {
		dir = up
	}
	return dir
}

// plant puts a link at a path where nothing stands.
func (a *racer) plant(path string) error {
	a.touch(path)
	if err := os.MkdirAll(filepath.Dir(a.Path(path)), 0o755); err != nil {
		return err
	}
	a.versions[a.out] = true
	for try := 0; ; try++ {
		err := os.Symlink(a.out, a.Path(path))
		if !errors.Is(err, fs.ErrExist) || try == 5 {
			return err
		}
		if err := a.setAside(path); err != nil { // made anew meanwhile
			return err
		}
	}
}

func (a *racer) parentLinked() error {
	if err := a.setAside(a.parent()); err != nil {
		return err
	}
	return a.plant(a.parent())
}

func (a *racer) parentOut() error {
	a.touch(a.parent())
	to := filepath.Join(filepath.Dir(a.Root), fmt.Sprintf("moved%d", a.race.N))
	a.made = append(a.made, to)
	if at(a.Path(a.parent())).kind == "folder" {
		if err := os.Rename(a.Path(a.parent()), to); err != nil {
			return err
		}
		a.movedTo = append(a.movedTo, to)
	}
	return a.plant(a.parent())
}

func (a *racer) parentAway() error {
	if at(a.Path(a.parent())).kind == "" {
		return a.plant(a.parent())
	}
	return a.setAside(a.parent())
}

// parentRemoved removes the folder with all that is in it.
func (a *racer) parentRemoved() error {
	a.touch(a.parent())
	return os.RemoveAll(a.Path(a.parent()))
}

func (a *racer) parentReplaced() error {
	if err := a.setAside(a.parent()); err != nil {
		return err
	}
	return a.saveByRename()
}

// hardLink gives the file a second name where nothing of overturn's may write.
func (a *racer) hardLink() error {
	if at(a.Path(a.path)).kind != "file" {
		return nil
	}
	to := filepath.Join(a.out, fmt.Sprintf("hard%d", a.race.N))
	a.made = append(a.made, to)
	if err := os.Link(a.Path(a.path), to); err != nil {
		return err
	}
	stands, err := Standing(to)
	a.sentinels[strings.TrimPrefix(to, a.out)] = stands
	return err
}

func (a *racer) makeBeside() error {
	t, path := file(0o644, a.next()), filepath.Join(filepath.Dir(a.path), fmt.Sprintf("beside%d", a.race.N))
	if err := a.makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	a.touch(path)
	a.saved(t)
	return t.put(a.Path(path))
}

// git is run beside overturn: one of the two may find the index locked.
func (a *racer) git(args ...string) (string, bool) {
	code, out, _, err := a.call("git", args...)
	return strings.TrimSuffix(out, "\n"), err == nil && code == 0
}

func (a *racer) commit() error {
	a.git("commit", "-q", "--allow-empty", "-m", a.next())
	return nil
}

func (a *racer) switchHead() error {
	a.git("symbolic-ref", "HEAD", "refs/heads/other")
	return nil
}

func (a *racer) saveAndStage() error {
	if err := a.saveByRename(); err != nil {
		return err
	}
	_, a.staged = a.git("add", "--", a.path)
	a.entry, _ = a.git("ls-files", "-s", "--", a.path)
	return nil
}

func (a *racer) unstage() error {
	_, a.staged = a.git("rm", "-q", "-f", "--cached", "--", a.path)
	a.entry, _ = a.git("ls-files", "-s", "--", a.path)
	return nil
}

// elsewhere is what a path shows that leads out of its folder: a link stands above it.
const elsewhere = "elsewhere"

// stand is what stands at each target.
func (a *racer) stand() map[string]thing {
	all := map[string]thing{}
	for _, target := range shapeOf(a.race.Shape).targets {
		all[target] = at(a.Path(target))
		for dir := filepath.Dir(target); dir != "."; dir = filepath.Dir(dir) {
			if at(a.Path(dir)).kind == "link" {
				all[target] = thing{kind: elsewhere}
			}
		}
	}
	return all
}

// leftBehind tells whether the targets are no longer as they were reviewed: an act may
// have met nothing, or come to nothing as yet. What an undo finds as it would leave it
// is done.
func (a *racer) leftBehind(was map[string]thing, c call) bool {
	if strings.HasPrefix(a.race.Verb, "recover") {
		return false // nothing was reviewed for it
	}
	for target, now := range a.stand() {
		wanted := now == c.to[target] || now.kind == elsewhere && c.to[target].kind == ""
		if now != was[target] && (strings.HasPrefix(a.race.Verb, "rollback") || !wanted) {
			return true
		}
	}
	return false
}
