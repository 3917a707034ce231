package faulttest

import (
	"bytes"
	"io/fs"
	"strings"

	"golang.org/x/sys/unix"
)

// call plays a call on the disk. Whether it fails is decided as the system does: by
// what is there.
func (d *disk) call(root string, c *Call) {
	name := strings.TrimPrefix(strings.TrimPrefix(c.Path, root), "/")
	to := strings.TrimPrefix(strings.TrimPrefix(c.To, root), "/")
	at := d.names[name]
	if c.Gone {
		at = d.former[name]
	}
	switch c.Name {
	case "openat":
		d.open(name, c)
	case "write":
		if at != nil {
			at.write(c.Off, c.Data)
		}
	case "ftruncate":
		if at != nil {
			at.data, at.dirty = resized(at.data, c.Off), true
		}
	case "fchmod":
		if at != nil {
			at.mode, at.dirty = at.mode&^fs.ModePerm|fs.FileMode(c.Mode&0o777), true
			if at.mode.IsDir() { // as a name: synced with its folder
				at.syncedMode = at.mode
			}
		}
	case "fsync":
		if name == "" || at != nil && at.mode.IsDir() {
			d.syncNames(name)
		}
		if at != nil {
			at.sync()
		}
	case "syncfs":
		for _, t := range d.names {
			t.sync()
		}
		for i := range d.ops {
			d.ops[i].synced = true
		}
	case "mkdirat":
		if at == nil && d.folder(name) {
			d.set(map[string]*thing{name: {mode: fs.ModeDir | fs.FileMode(c.Mode&0o755), syncedMode: fs.ModeDir | fs.FileMode(c.Mode&0o755)}})
		}
	case "symlinkat":
		if at == nil && d.folder(name) {
			d.set(map[string]*thing{name: {mode: fs.ModeSymlink | 0o777, data: c.Data}})
		}
	case "linkat":
		if at != nil && d.names[to] == nil && d.folder(to) {
			d.set(map[string]*thing{to: at})
		}
	case "unlinkat":
		if at != nil && at.mode.IsDir() == (c.Flags&unix.AT_REMOVEDIR != 0) && !(at.mode.IsDir() && d.holds(name)) {
			d.set(map[string]*thing{name: nil})
		}
	case "renameat2":
		d.rename(name, to, c.Flags)
	}
}

func (d *disk) open(name string, c *Call) {
	at := d.names[name]
	switch {
	case at == nil && c.Flags&unix.O_CREAT != 0 && d.folder(name):
		// The umask of the tests is 022.
		d.set(map[string]*thing{name: {mode: fs.FileMode(c.Mode & 0o755), dirty: true}})
	case at != nil && at.mode.IsRegular() && c.Flags&unix.O_TRUNC != 0:
		at.data, at.dirty = nil, true
	}
}

// folder tells whether there is one for a name.
func (d *disk) folder(name string) bool {
	dir := parent(name)
	return dir == "" || d.names[dir] != nil && d.names[dir].mode.IsDir()
}

func (t *thing) write(off int64, data []byte) {
	t.data, t.dirty = bytes.Clone(t.data), true
	if end := off + int64(len(data)); end > int64(len(t.data)) {
		t.data = resized(t.data, end)
	}
	copy(t.data[off:], data)
}

func resized(data []byte, size int64) []byte {
	out := make([]byte, size)
	copy(out, data)
	return out
}

func (d *disk) holds(folder string) bool {
	for name := range d.names {
		if strings.HasPrefix(name, folder+"/") {
			return true
		}
	}
	return false
}

func (d *disk) rename(from, to string, flags int) {
	at, there := d.names[from], d.names[to]
	switch {
	case at == nil, !d.folder(to), flags&unix.RENAME_NOREPLACE != 0 && there != nil, flags&unix.RENAME_EXCHANGE != 0 && there == nil:
		return
	case flags&unix.RENAME_EXCHANGE != 0:
		d.set(map[string]*thing{from: there, to: at})
		return
	}
	sets := map[string]*thing{from: nil, to: at}
	if at.mode.IsDir() {
		for name, t := range d.names {
			if rest, ok := strings.CutPrefix(name, from+"/"); ok {
				sets[name], sets[to+"/"+rest] = nil, t
			}
		}
	}
	d.set(sets)
}
