package snapshot

import (
	"bytes"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"unsafe"

	"overturn/model/durable"
)

// The file is: header, directories, entries, raw ids, names, aux. All records
// are in the machine's own byte order and alignment, so that loading is a map
// and one pass; a file of another machine, version or size fails its magic or
// its checksum and is rebuilt. The checksum does not cover the anchor, which is
// written in place.

const tableMagic uint64 = 0x6f76_7461_626c_0007

type fileHeader struct {
	magic            uint64
	dirs, ents       uint32
	names, aux       uint32   // bytes
	crc              uint32   // CRC-32 (IEEE), of all that follows the header
	hash             uint32   // bytes of an object id
	anchor           [64]byte // hex; the longest ids fill it
	entSize, dirSize uint32
	raws             uint32
	_                [20]byte
}

type fileDir struct {
	mtime, ctime int64
	parent, ents int32
	path, plen   uint32
	flags        uint32
	_            uint32
	oid          oid
}

var errBadTable = errors.New("stat table is damaged")

// checksum is that of zip, whose tables hash/crc32 has at hand; those of Castagnoli
// take a process longer to make than a small table to read.
func checksum(parts ...[]byte) uint32 {
	sum := uint32(0)
	for _, part := range parts {
		sum = crc32.Update(sum, crc32.IEEETable, part)
	}
	return sum
}

// bytesOf is the memory of records as bytes.
func bytesOf[T any](list []T) []byte {
	if len(list) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), len(list)*int(unsafe.Sizeof(list[0])))
}

// recordsOf is the first n records in b.
func recordsOf[T any](b []byte, n int) ([]T, []byte, bool) {
	var one T
	size := n * int(unsafe.Sizeof(one))
	if n < 0 || size > len(b) {
		return nil, nil, false
	}
	if n == 0 {
		return nil, b, true
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n), b[size:], true
}

// loadTable maps the table in path. Every failure means: start anew.
func loadTable(path string, hash int) (*table, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && (!info.Mode().IsRegular() || info.Size() < int64(unsafe.Sizeof(fileHeader{}))) {
		err = errBadTable
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	data, release, err := mapFile(file, int(info.Size()))
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	t, err := parseTable(data, hash)
	if err != nil {
		release()
		return nil, errors.Join(err, file.Close())
	}
	t.file, t.release = file, release
	runtime.SetFinalizer(t, (*table).close)
	return t, nil
}

// close ends the life of the mapped memory.
func (t *table) close() {
	if t.release != nil {
		t.release()
		t.release = nil
		_ = t.file.Close()
	}
	t.dirs, t.names = nil, nil
	runtime.SetFinalizer(t, nil)
}

// parseTable makes a table over data, which it keeps. data must be aligned to 8.
func parseTable(data []byte, hash int) (*table, error) {
	heads, body, ok := recordsOf[fileHeader](data, 1)
	if !ok {
		return nil, errBadTable
	}
	h := &heads[0]
	if h.magic != tableMagic || int(h.hash) != hash || h.entSize != uint32(unsafe.Sizeof(entry{})) || h.dirSize != uint32(unsafe.Sizeof(fileDir{})) ||
		checksum(body) != h.crc {
		return nil, errBadTable
	}
	dirs, rest, okDirs := recordsOf[fileDir](body, int(h.dirs))
	ents, rest, okEnts := recordsOf[entry](rest, int(h.ents))
	raws, rest, okRaws := recordsOf[oid](rest, int(h.raws))
	if !okDirs || !okEnts || !okRaws || len(dirs) == 0 || int(h.names)+int(h.aux) != len(rest) {
		return nil, errBadTable
	}
	t := &table{names: rest[:h.names:h.names], raws: raws[:len(raws):len(raws)], dirs: make([]directory, len(dirs), len(dirs)+16)}
	var okAux bool
	if t.aux, okAux = decodeAux(rest[h.names:]); !okAux || !t.fill(dirs, ents) {
		return nil, errBadTable
	}
	t.anchor = string(bytes.TrimRight(h.anchor[:], "\x00"))
	return t, nil
}

// Flags that hold during one capture alone: no file has them, nor a folder that is gone.
const (
	passing    = fTodo | fWas | fUnsized
	passingDir = dDirty | dQueued | dTurned
)

// fill hangs the records into t; false when they do not fit together.
func (t *table) fill(dirs []fileDir, ents []entry) bool {
	for i := range dirs {
		r := &dirs[i]
		n := int(r.ents)
		if n < 0 || n > len(ents) || uint64(r.path)+uint64(r.plen) > uint64(len(t.names)) || r.parent >= int32(i) || (r.parent < 0) != (i == 0) ||
			r.flags&(passingDir|dGone) != 0 {
			return false
		}
		d := &t.dirs[i]
		d.parent, d.flags, d.mtime, d.ctime, d.oid = r.parent, r.flags, r.mtime, r.ctime, r.oid
		if r.plen > 0 {
			d.path = unsafe.String(&t.names[r.path], int(r.plen))
		}
		d.ents, ents = ents[:n:n], ents[n:]
		for k := range d.ents {
			e := &d.ents[k]
			if uint64(e.name)+uint64(e.nlen) > uint64(len(t.names)) || e.dir >= int32(len(dirs)) || e.dir >= 0 && e.dir <= int32(i) ||
				e.is(fRaw) && (e.raw == 0 || int64(e.raw) > int64(len(t.raws))) || e.is(passing) {
				return false
			}
		}
	}
	return len(ents) == 0
}

// saveTable replaces the file at path. It is not synced: a table that a crash
// tore fails its checksum and is rebuilt.
func (t *table) saveTable(path string, hash int, anchor string) error {
	parts := t.encode(hash, anchor)
	durable.Point("snapshot.savetable.create")
	file, err := os.CreateTemp(filepath.Dir(path), "table-*.tmp")
	if err != nil {
		return err
	}
	for _, part := range parts {
		durable.Point("snapshot.savetable.write")
		if _, err = file.Write(part); err != nil {
			break
		}
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = durable.RenameOwn(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// encode renders the table; published ones forget what was unpinned.
func (t *table) encode(hash int, anchor string) [][]byte {
	number := make([]int32, len(t.dirs))
	count, total := int32(0), 0
	for i := range t.dirs {
		number[i] = -1
		if t.dirs[i].flags&dGone == 0 {
			number[i] = count
			count++
			total += len(t.dirs[i].ents)
		}
	}
	dirs, ents := make([]fileDir, 0, count), make([]entry, 0, total)
	names := make([]byte, 0, len(t.names)+len(t.extra))
	var raws []oid
	clear, clearDir := passing, passingDir
	if anchor != "" {
		clear, clearDir = clear|fUnpinned, clearDir|dUnpinned
	} else {
		anchor = t.anchor
	}
	for i := range t.dirs {
		d := &t.dirs[i]
		if number[i] < 0 {
			continue
		}
		r := fileDir{mtime: d.mtime, ctime: d.ctime, parent: -1, ents: int32(len(d.ents)), path: uint32(len(names)), plen: uint32(len(d.path)), flags: d.flags &^ clearDir, oid: d.oid}
		if d.parent >= 0 {
			r.parent = number[d.parent]
		}
		names = append(names, d.path...)
		dirs = append(dirs, r)
		for k := range d.ents {
			e := d.ents[k]
			name := t.name(&e)
			e.name, e.flags = uint32(len(names)), e.flags&^clear
			if e.dir >= 0 {
				e.dir = number[e.dir]
			}
			if e.is(fRaw) {
				raws = append(raws, *t.raw(&e))
				e.raw = uint32(len(raws))
			}
			names = append(names, name...)
			ents = append(ents, e)
		}
	}
	return assemble(dirs, ents, raws, names, t.aux, hash, anchor)
}

func assemble(dirs []fileDir, ents []entry, raws []oid, names []byte, more aux, hash int, anchor string) [][]byte {
	extra := more.encode()
	h := []fileHeader{{magic: tableMagic, dirs: uint32(len(dirs)), ents: uint32(len(ents)), raws: uint32(len(raws)), names: uint32(len(names)), aux: uint32(len(extra)),
		hash: uint32(hash), entSize: uint32(unsafe.Sizeof(entry{})), dirSize: uint32(unsafe.Sizeof(fileDir{}))}}
	copy(h[0].anchor[:], anchor)
	parts := [][]byte{bytesOf(h), bytesOf(dirs), bytesOf(ents), bytesOf(raws), names, extra}
	h[0].crc = checksum(parts[1:]...)
	return parts
}

// saveAnchor writes the anchor alone, into the file that t was loaded from. If
// another process has replaced that file meanwhile, nobody reads what is written.
func (t *table) saveAnchor(anchor string) error {
	var b [64]byte
	copy(b[:], anchor)
	durable.Point("snapshot.saveanchor.write")
	_, err := t.file.WriteAt(b[:], int64(unsafe.Offsetof(fileHeader{}.anchor)))
	return err
}
