package main

import (
	"path/filepath"
	"strings"
)

// disk is what a power cut would leave, as far as the calls tell: which bytes and
// which names have been synced. It knows only what the calls touched; everything
// else was there before and counts as durable.
type disk struct {
	files   map[string]*content // by name
	former  map[string]*content // by names that are gone: open files still bear them
	folders map[string]*folder
	clock   int // grows with every change
	pending map[string]syncing
}

// content is a file, whatever its names. Times are those of disk.clock.
type content struct{ wrote, synced int }

// folder is the names in a folder that came or went, and when it was synced.
type folder struct {
	names  map[string]int
	synced int
}

// syncing is a sync under way: it covers what was there when it began.
type syncing struct {
	of    string
	since int
	file  *content
}

func newDisk() *disk {
	return &disk{files: map[string]*content{}, former: map[string]*content{}, folders: map[string]*folder{}, pending: map[string]syncing{}}
}

func (d *disk) tick() int { d.clock++; return d.clock }

func (d *disk) folder(path string) *folder {
	if d.folders[path] == nil {
		d.folders[path] = &folder{names: map[string]int{}}
	}
	return d.folders[path]
}

// renamed notes that a name came or went.
func (d *disk) renamed(path string) {
	d.folder(filepath.Dir(path)).names[filepath.Base(path)] = d.tick()
}

// opened is the content behind an open file.
func (d *disk) opened(fd string) *content {
	path, deleted := file(fd)
	c := d.files[path]
	if c == nil || deleted {
		if f := d.former[path]; f != nil {
			return f
		}
	}
	if c == nil {
		c = &content{}
		d.files[path] = c
	}
	return c
}

// apply changes the disk by a call, at its beginning (syncs) or its end (all else).
func (d *disk) apply(c *call) {
	if c.begun && (c.name == "fsync" || c.name == "fdatasync" || c.name == "syncfs" || c.name == "sync") {
		d.beginSync(c)
	}
	if !c.ok() {
		return
	}
	switch c.name {
	case "fsync", "fdatasync", "syncfs", "sync":
		d.endSync(c)
	case "open", "openat", "creat":
		d.open(c)
	case "write", "pwrite64", "writev", "pwritev", "ftruncate", "fallocate", "sendfile":
		d.opened(c.arg(0)).wrote = d.tick()
	case "copy_file_range":
		d.opened(c.arg(2)).wrote = d.tick()
	case "mkdir", "mkdirat", "symlink", "symlinkat", "link", "linkat", "unlink", "unlinkat", "rmdir", "rename", "renameat", "renameat2":
		d.name(c)
	}
}

func (d *disk) open(c *call) {
	if !strings.Contains(strings.Join(c.args, ","), "O_CREAT") && c.name != "creat" {
		return
	}
	path, _ := file(c.result)
	if path == "" || d.files[path] != nil {
		return
	}
	d.files[path] = &content{wrote: d.tick()}
	d.renamed(path)
}

// name carries out a call that makes, moves or removes names.
func (d *disk) name(c *call) {
	from, to := names(c)
	switch {
	case strings.HasPrefix(c.name, "mkdir"), strings.HasPrefix(c.name, "symlink"):
		d.renamed(to)
	case strings.HasPrefix(c.name, "link"):
		d.files[to] = d.known(from)
		d.renamed(to)
	case strings.HasPrefix(c.name, "rename"):
		old, swapped := d.known(from), d.files[to]
		d.files[to] = old
		if strings.Contains(c.arg(4), "RENAME_EXCHANGE") {
			d.files[from] = swapped
		} else {
			delete(d.files, from)
		}
		d.renamed(from)
		d.renamed(to)
	default: // unlink, rmdir
		if f := d.files[to]; f != nil {
			d.former[to] = f
			delete(d.files, to)
		}
		d.renamed(to)
		delete(d.folders, to)
	}
}

func (d *disk) known(path string) *content {
	if d.files[path] == nil {
		d.files[path] = &content{}
	}
	return d.files[path]
}

// names are the paths that a call names: from and to, or to alone.
func names(c *call) (from, to string) {
	switch c.name {
	case "rename", "link":
		return at("", c.arg(0)), at("", c.arg(1))
	case "renameat", "renameat2", "linkat":
		return at(c.arg(0), c.arg(1)), at(c.arg(2), c.arg(3))
	case "symlinkat":
		return "", at(c.arg(1), c.arg(2))
	case "symlink":
		return "", at("", c.arg(1))
	case "mkdirat", "unlinkat", "openat":
		return "", at(c.arg(0), c.arg(1))
	}
	return "", at("", c.arg(0))
}

func (d *disk) beginSync(c *call) {
	path, _ := file(c.arg(0))
	s := syncing{of: path, since: d.tick()}
	if d.files[path] != nil || d.former[path] != nil {
		s.file = d.opened(c.arg(0))
	}
	if c.name == "syncfs" || c.name == "sync" {
		s.of = ""
	}
	d.pending[c.thread] = s
}

func (d *disk) endSync(c *call) {
	s := d.pending[c.thread]
	delete(d.pending, c.thread)
	if s.of == "" {
		for _, f := range d.files {
			f.synced = s.since
		}
		for _, f := range d.folders {
			f.synced = s.since
		}
		return
	}
	if s.file != nil {
		s.file.synced = max(s.file.synced, s.since)
	}
	d.folder(s.of).synced = max(d.folder(s.of).synced, s.since)
}

// whole tells whether the bytes at path would survive.
func (d *disk) whole(path string) bool {
	f := d.files[path]
	return f == nil || f.synced >= f.wrote
}

// named says which name on the way to path would not survive, "" when all would.
func (d *disk) named(path string) string {
	for ; path != "/" && path != "."; path = filepath.Dir(path) {
		f := d.folders[filepath.Dir(path)]
		if f != nil && f.names[filepath.Base(path)] > f.synced {
			return path
		}
	}
	return ""
}
