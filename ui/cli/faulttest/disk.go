//go:build unix

package faulttest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// disk is a folder as a file system has it: names that lead to things, and of each
// what is on the disk for certain and what may be.
//
// A sync of a file covers its bytes and mode; one of a folder the names in it. A
// rename is one change, of both its folders: it is kept or lost as a whole, as file
// systems with a journal do it, and once either folder is synced it is kept.
type disk struct {
	first map[string]*thing // what was there before; all of it is on the disk
	names map[string]*thing // what is there now
	ops   []change          // how the one became the other

	former map[string]*thing // what names led to that are gone: open files still bear them
}

// thing is a file, a folder or a link.
type thing struct {
	mode         fs.FileMode
	data, synced []byte // of a file its bytes; of a link its text
	syncedMode   fs.FileMode
	dirty        bool
}

// change sets names to things, nil where one goes.
type change struct {
	sets   map[string]*thing
	synced bool
}

// Keep says what a power cut leaves of what was not synced.
type Keep struct {
	Names Names
	Bytes Bytes
	Seed  uint64 // for Names and Bytes by chance
}

// Names is which changes of names are kept.
type Names int

// What file systems do: the least that they promise; all, which is what a kill
// leaves; all up to some moment, which is what a journal gives; and that for each
// folder, the moments of which have nothing to do with each other.
const (
	NoNames Names = iota
	AllNames
	FirstNames
	SomeNames
)

// Bytes is what is kept of the bytes of a file since it was synced.
type Bytes int

// The old bytes (none in a new file); the length alone, with zeros; half; all.
const (
	OldBytes Bytes = iota
	ZeroBytes
	HalfBytes
	AllBytes
	SomeBytes // one of these, for each file
)

func newDisk() *disk {
	return &disk{first: map[string]*thing{}, names: map[string]*thing{}, former: map[string]*thing{}}
}

func (d *disk) load(root string) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		t := &thing{mode: info.Mode(), syncedMode: info.Mode()}
		switch {
		case info.Mode().IsRegular():
			t.data, err = os.ReadFile(path)
		case info.Mode()&fs.ModeSymlink != 0:
			var text string
			text, err = os.Readlink(path)
			t.data = []byte(text)
		}
		t.synced = t.data
		name := strings.TrimPrefix(path, root+"/")
		d.first[name], d.names[name] = t, t
		return err
	})
}

// clone is a disk on which calls can be played.
func (d *disk) clone() *disk {
	c := newDisk()
	copies := map[*thing]*thing{} // a file may have two names
	for name, t := range d.first {
		if copies[t] == nil {
			copied := *t
			copies[t] = &copied
		}
		c.first[name], c.names[name] = copies[t], copies[t]
	}
	return c
}

func (d *disk) set(sets map[string]*thing) {
	for name, t := range sets {
		if t == nil {
			d.former[name] = d.names[name]
			delete(d.names, name)
		} else {
			d.names[name] = t
		}
	}
	d.ops = append(d.ops, change{sets: sets})
}

// syncNames: the names in a folder are on the disk.
func (d *disk) syncNames(folder string) {
	for i := range d.ops {
		for name := range d.ops[i].sets {
			if parent(name) == folder {
				d.ops[i].synced = true
			}
		}
	}
}

func parent(name string) string {
	if dir := filepath.Dir(name); dir != "." {
		return dir
	}
	return ""
}

func (t *thing) sync() { t.synced, t.syncedMode, t.dirty = bytes.Clone(t.data), t.mode, false }

// folder is that of a change; of one in two folders, the first by name.
func (c change) folder() string { return parent(sorted(c.sets)[0]) }

func sorted(names map[string]*thing) []string {
	list := make([]string, 0, len(names))
	for name := range names {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}

// lay makes the folder root, a copy of what was there before, into this disk. What
// is there already stays untouched, with its times.
func (d *disk) lay(root string) error {
	now := newDisk()
	if err := now.load(root); err != nil {
		return err
	}
	names := sorted(now.names)
	for i := len(names) - 1; i >= 0; i-- { // what lies in a folder before the folder
		if name := names[i]; !now.names[name].is(d.names[name]) && (d.names[name] == nil || !now.names[name].mode.IsDir() || !d.names[name].mode.IsDir()) {
			if err := os.RemoveAll(filepath.Join(root, name)); err != nil {
				return err
			}
		}
	}
	var errs []error
	for _, name := range sorted(d.names) {
		if t := d.names[name]; !t.is(now.names[name]) {
			errs = append(errs, t.make(filepath.Join(root, name)))
		}
	}
	return errors.Join(errs...)
}

func (t *thing) is(o *thing) bool {
	return o != nil && t.mode == o.mode && bytes.Equal(t.data, o.data)
}

func (t *thing) make(path string) error {
	switch {
	case t.mode&fs.ModeSymlink != 0:
		return os.Symlink(string(t.data), path)
	case t.mode.IsDir():
		if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	case t.mode.IsRegular():
		if err := os.WriteFile(path, t.data, 0o600); err != nil {
			return err
		}
		// Power does not come back within seconds.
		if old := time.Now().Add(-time.Hour); os.Chtimes(path, old, old) != nil {
			return errors.New(path + " cannot be dated")
		}
	default:
		return errors.New(path + " is nothing that can be made")
	}
	return os.Chmod(path, t.mode&(fs.ModePerm|fs.ModeSetgid|fs.ModeSetuid|fs.ModeSticky))
}
