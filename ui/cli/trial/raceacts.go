//go:build linux || darwin

package trial

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// raceAct is one thing that another process does. prepare comes before the review,
// act at the moment, later when the call has ended.
type raceAct struct {
	name                string
	prepare, act, later func(a *racer) error
	parent              bool // acts on the folder of a target
	git                 bool // acts on what is git's
	harmless            bool // leaves the target as it is
}

func raceActs() []raceAct {
	return []raceAct{
		{name: "saves in place", act: (*racer).saveInPlace},
		{name: "saves by rename", act: (*racer).saveByRename},
		{name: "appends through an open handle", prepare: (*racer).openHandle, act: (*racer).appendNow},
		{name: "opens, and appends a little later", act: (*racer).appendSoon},
		{name: "opens, and appends when all is over", act: (*racer).openHandle, later: (*racer).appendLate},
		{name: "changes the mode", act: (*racer).chmod},
		{name: "deletes", act: (*racer).remove},
		{name: "puts a link out of the tree there", act: (*racer).becomeLink},
		{name: "puts a folder there", act: (*racer).becomeFolder},
		{name: "puts a FIFO there", act: (*racer).becomeFIFO},
		{name: "puts a link in the place of the folder", act: (*racer).parentLinked, parent: true},
		{name: "moves the folder out, a link in its place", act: (*racer).parentOut, parent: true},
		{name: "moves the folder away", act: (*racer).parentAway, parent: true},
		{name: "puts another folder in the place of the folder", act: (*racer).parentReplaced, parent: true},
		{name: "removes the folder", act: (*racer).parentRemoved, parent: true},
		{name: "links it to a name outside", act: (*racer).hardLink, harmless: true},
		{name: "makes a file beside", act: (*racer).makeBeside, harmless: true},
		{name: "commits", act: (*racer).commit, git: true, harmless: true},
		{name: "moves HEAD", act: (*racer).switchHead, git: true, harmless: true},
		{name: "saves and stages", act: (*racer).saveAndStage, git: true},
		{name: "unstages", act: (*racer).unstage, git: true, harmless: true},
		{name: "saves again and again", act: (*racer).storm},
	}
}

func actOf(name string) raceAct {
	for _, a := range raceActs() {
		if a.name == name {
			return a
		}
	}
	return raceAct{}
}

// RaceActs are the names of what the other process does.
func RaceActs() []string {
	var names []string
	for _, a := range raceActs() {
		names = append(names, a.name)
	}
	return names
}

// racer is the other process in one round, and what it knows of what it did.
type racer struct {
	*Racing
	race     Race
	do       raceAct
	path     string // the target that it is at
	saves    []save // what must be found when all is over
	touched  []string
	stale    bool     // what it did, it did to what had been reviewed
	movedTo  []string // folders outside the work tree that it moved there
	entry    string   // what it left in the index for path
	staged   bool     // it did leave something
	handle   *os.File
	base     string // what the handle's file held
	n        int
	over     chan struct{} // closed when the call has ended
	beside   sync.WaitGroup
	mu       sync.Mutex
	besideUp error
	made     []string // names outside the work tree, to be removed
}

// save is something that stood at a path because someone put it there. Late is one
// that came when the call had ended, so that its report cannot name it.
type save struct {
	thing
	path string
	late bool
}

// next is a text that was never there before.
func (a *racer) next() string {
	a.n++
	text := fmt.Sprintf("saved %d.%d%s\n", a.race.N, a.n, strings.Repeat(" and more", a.n%5))
	return text
}

func (a *racer) saved(t thing) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.versions[t.text] = true
	a.saves = append(a.saves, save{thing: t, path: a.path})
}

// destroyed: nobody can find a text again that its own process wrote over.
func (a *racer) destroyed(text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.saves = slices.DeleteFunc(a.saves, func(s save) bool { return s.text == text })
}

func (a *racer) touch(paths ...string) { a.touched = append(a.touched, paths...) }

// openOld opens the regular file at a path and reads it; nil where there is none.
func openOld(name string, flags int) (*os.File, string) {
	f, err := os.OpenFile(name, flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, ""
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, ""
	}
	data, err := io.ReadAll(f)
	if err != nil {
		f.Close()
		return nil, ""
	}
	return f, string(data)
}

// unlinked tells whether no name leads to an open file any more.
func unlinked(f *os.File) bool {
	info, err := f.Stat()
	st, ok := info.Sys().(*syscall.Stat_t)
	return err == nil && ok && st.Nlink == 0
}

// replace gives a path what make puts at a name beside it, by one rename, as
// editors do. A file that goes with that is the racer's own doing.
func (a *racer) replace(make func(name string) error, left thing) error {
	a.touch(a.path)
	name := a.Path(a.path)
	for try := 0; ; try++ {
		err := a.makeFolder(filepath.Dir(a.path))
		if err == nil {
			err = make(name + "~")
		}
		old, text := openOld(name, os.O_RDONLY)
		if err == nil {
			a.saved(left)
			if err = os.Rename(name+"~", name); err != nil {
				a.destroyed(left.text)
			}
		}
		if old != nil {
			if err == nil && unlinked(old) {
				a.destroyed(text)
			}
			old.Close()
		}
		if err == nil || try == 5 {
			return err
		}
		os.Remove(name + "~")
		if at(name).kind == "folder" { // no editor saves over one: out of the way
			if err := a.setAside(a.path); err != nil {
				return err
			}
		}
	}
}

// makeFolder makes a folder; a file or link in its way gets another name.
func (a *racer) makeFolder(dir string) error {
	err := os.MkdirAll(a.Path(dir), 0o755)
	for up := dir; errors.Is(err, syscall.ENOTDIR) && up != "."; up = filepath.Dir(up) {
		if kind := at(a.Path(up)).kind; kind != "" && kind != "folder" {
			if err := a.setAside(up); err != nil {
				return err
			}
			return os.MkdirAll(a.Path(dir), 0o755)
		}
	}
	return err
}

// setAside gives what stands at a path another name.
func (a *racer) setAside(path string) error {
	a.n++
	aside := fmt.Sprintf("%s.was%d.%d", path, a.race.N, a.n)
	a.touch(path, aside)
	err := os.Rename(a.Path(path), a.Path(aside))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}
