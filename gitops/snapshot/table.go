package snapshot

import (
	"encoding/binary"
	"os"
	"sort"
	"strings"
	"unsafe"
)

// oid is an object id in binary; SHA-1 uses the first 20 bytes.
type oid [32]byte

// What is known of an entry. todo, was and unsized live within one capture only.
const (
	fIn       uint16 = 1 << iota // in the tree; its id is valid
	fTracked                     // the user's index or HEAD names it
	fSkip                        // the index marks it skip-worktree
	fAbsent                      // not on disk
	fIgnored                     // git ignores it; never in the tree
	fOut                         // left out, for the reason in why; looked at each time
	fRacy                        // changed too shortly before the capture to trust its stat
	fSeed                        // stat is the index's: size and inode cut to 32 bits
	fUnpinned                    // no published snapshot is known to hold its object
	fRaw                         // the bytes on disk are kept beside, as raws[raw-1]
	fHead                        // named by HEAD, not by the index
	fIntent                      // intent-to-add
	fTodo
	fWas
	fUnsized // of a seed: the length of its blob is not yet held against the file
	fTurned  // it stood there when git began or ceased to ignore it, see turned.go
)

// entry is one name of a directory. It is stored as it is in memory.
type entry struct {
	size, mtime, ctime int64
	ino                uint64
	base               uint64 // what the index holds here, see baseOf; 0: nothing
	name               uint32 // where the name starts
	dir                int32  // of a directory: its number, else -1
	mode               uint16
	flags              uint16
	nlen               uint16
	conv               conversion
	why                reason
	raw                uint32 // with fRaw, its place in table.raws, from 1
	oid                oid
}

func (e *entry) isDir() bool       { return e.mode&typeMask == typeDir }
func (e *entry) is(f uint16) bool  { return e.flags&f != 0 }
func (e *entry) has(f uint16) bool { return e.flags&f == f }

// sameStat tells whether the file on disk is still the one that e describes.
func (e *entry) sameStat(st *fileStat) bool {
	if e.flags&fSeed != 0 {
		return uint32(e.size) == uint32(st.size) && uint32(e.ino) == uint32(st.ino) &&
			e.mtime == st.mtime && e.ctime == st.ctime && treeMode(e.mode) == treeMode(st.mode)
	}
	return e.size == st.size && e.ino == st.ino && e.mtime == st.mtime && e.ctime == st.ctime && e.mode == st.mode
}

func (e *entry) sameType(st *fileStat) bool { return e.mode&typeMask == st.mode&typeMask }

// baseOf is the kind and the first 62 bits of the id of a file in the index:
// enough to tell whether the one on disk is the same.
func baseOf(id *oid, mode uint16) uint64 {
	kind := uint64(0)
	switch treeMode(mode) {
	case 0o100755:
		kind = 1
	case 0o120000:
		kind = 2
	case 0o160000:
		kind = 3
	}
	return binary.BigEndian.Uint64(id[:8])&^3 | kind
}

func (e *entry) setStat(st *fileStat) {
	e.size, e.ino, e.mtime, e.ctime, e.mode = st.size, st.ino, st.mtime, st.ctime, st.mode
	e.flags &^= fSeed
}

// What is known of a directory.
const (
	dAbsent  uint32 = 1 << iota // not on disk; holds tracked names only
	dIgnored                    // git ignores it: only tracked names are looked at
	dRacy                       // changed too shortly before it was listed
	dRelist                     // list it each time: it is unreadable, or has a .git that may yet become one
	dOut                        // unreadable
	dGone                       // no longer part of the table
	dDirty                      // its tree must be built
	dQueued
	dUnpinned // no published snapshot is known to hold its tree
	dTurned   // git ceased to ignore it in this capture: what is new in it may have stood there
)

// directory is one directory of the work tree.
type directory struct {
	path         string
	parent       int32
	flags        uint32
	mtime, ctime int64
	ents         []entry // in the order of git trees
	oid          oid     // of its tree; zero where that would be empty
}

// table is what is kept of a work tree between captures.
type table struct {
	dirs    []directory
	names   []byte // of the file
	extra   []byte // names that came since; their offsets continue those of names
	raws    []oid  // ids of raw bytes
	aux     aux
	anchor  string // snapshot commit whose objects hold all that is not unpinned
	changed bool   // since it was loaded

	file    *os.File
	release func()
	index   map[string]int32
}

// newTable knows the root directory only, and that as never listed.
func newTable() *table {
	return &table{dirs: []directory{{parent: -1, mtime: -1, flags: dDirty}}, changed: true}
}

func (t *table) name(e *entry) string {
	if e.nlen == 0 {
		return ""
	}
	if at := int(e.name); at < len(t.names) {
		return unsafe.String(&t.names[at], int(e.nlen))
	}
	return unsafe.String(&t.extra[int(e.name)-len(t.names)], int(e.nlen))
}

// addName stores name and returns its place; names of strings handed out before
// stay valid, since old storage is never written again.
func (t *table) addName(name string) uint32 {
	at := len(t.names) + len(t.extra)
	t.extra = append(t.extra, name...)
	return uint32(at)
}

func (t *table) newEntry(name string, mode uint16) entry {
	return entry{name: t.addName(name), nlen: uint16(len(name)), mode: mode, dir: -1}
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// pathOf is the path of an entry, in memory of its own.
func (t *table) pathOf(d int32, e *entry) string {
	if dir := t.dirs[d].path; dir != "" {
		return dir + "/" + t.name(e)
	}
	return strings.Clone(t.name(e))
}

// compareNames orders names as git trees do: a directory as if it ended in "/".
func compareNames(a string, aDir bool, b string, bDir bool) int {
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	return tail(a, aDir, n) - tail(b, bDir, n)
}

func tail(s string, dir bool, n int) int {
	if len(s) > n {
		return int(s[n])
	}
	if dir {
		return '/'
	}
	return 0
}

// find returns the place of a name in a directory, or -1. Directories and other
// files of one name are two entries: one may be tracked, the other on disk.
func (t *table) find(d int32, name string, dir bool) int {
	ents := t.dirs[d].ents
	i := sort.Search(len(ents), func(i int) bool {
		return compareNames(t.name(&ents[i]), ents[i].isDir(), name, dir) >= 0
	})
	if i < len(ents) && ents[i].isDir() == dir && t.name(&ents[i]) == name {
		return i
	}
	return -1
}

func (t *table) sortEntries(d int32) {
	ents := t.dirs[d].ents
	less := func(i, j int) bool {
		return compareNames(t.name(&ents[i]), ents[i].isDir(), t.name(&ents[j]), ents[j].isDir()) < 0
	}
	if !sort.SliceIsSorted(ents, less) {
		sort.SliceStable(ents, less)
	}
}

// setEntries replaces the entries of a directory. The old slice may be mapped
// memory in front of another directory's: it is never appended to.
func (t *table) setEntries(d int32, ents []entry) {
	t.dirs[d].ents = ents
	t.sortEntries(d)
	t.touch(d)
}

// touch marks a directory as to be built anew, and the table as changed.
func (t *table) touch(d int32) {
	t.changed = true
	for ; d >= 0 && t.dirs[d].flags&dDirty == 0; d = t.dirs[d].parent {
		t.dirs[d].flags |= dDirty
	}
}

// newDir adds a directory that was never listed.
func (t *table) newDir(parent int32, name string, flags uint32) int32 {
	path := strings.Clone(join(t.dirs[parent].path, name))
	t.dirs = append(t.dirs, directory{path: path, parent: parent, mtime: -1, flags: flags})
	n := int32(len(t.dirs) - 1)
	if t.index != nil {
		t.index[path] = n
	}
	t.touch(n)
	return n
}

// dirOf finds a directory by its path.
func (t *table) dirOf(path string) (int32, bool) {
	if t.index == nil {
		t.index = make(map[string]int32, len(t.dirs))
		for i := range t.dirs {
			if t.dirs[i].flags&dGone == 0 {
				t.index[t.dirs[i].path] = int32(i)
			}
		}
	}
	d, ok := t.index[path]
	return d, ok
}

// drop forgets a directory and all below it.
func (t *table) drop(d int32) {
	dir := &t.dirs[d]
	dir.flags |= dGone
	if t.index != nil && t.index[dir.path] == d {
		delete(t.index, dir.path)
	}
	ents := dir.ents
	dir.ents = nil
	t.changed = true
	for i := range ents {
		if ents[i].dir >= 0 {
			t.drop(ents[i].dir)
		}
	}
}

// tracks tells whether the user's index names a file in or below the directory.
func (t *table) tracks(d int32) bool {
	for i := range t.dirs[d].ents {
		e := &t.dirs[d].ents[i]
		if e.is(fTracked) || e.dir >= 0 && t.tracks(e.dir) {
			return true
		}
	}
	return false
}

// raw is the id of the bytes on disk of an entry that has fRaw.
func (t *table) raw(e *entry) *oid { return &t.raws[e.raw-1] }

func (o *oid) isZero() bool { return *o == oid{} }
