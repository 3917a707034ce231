package objects

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"sync"

	"overturn/model/durable"
)

// packWriter writes one pack of whole objects, without deltas: quick to write, and
// RollUp finds the deltas later. The file grows under a temporary name.
type packWriter struct {
	store   *Store
	folder  string
	f       *os.File
	size    int64
	mu      sync.Mutex // of waiting and of what size is to it, for read
	waiting []byte     // the last of these bytes, until drain writes them
	entries []packEntry
	names   []string // temporary files, to be removed at close
	base    string   // its path without extension, once it is finished
}

type packEntry struct {
	raw    []byte
	crc    uint32
	offset int64
}

// packHeaderSize is "PACK", version, count.
const packHeaderSize = 12

func newPackWriter(objects string, s *Store) (*packWriter, error) {
	folder := filepath.Join(objects, "pack")
	durable.Point("objects.newpackwriter.mkdir")
	if err := os.Mkdir(folder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	p := &packWriter{store: s, folder: folder}
	f, err := p.temp()
	if err != nil {
		return nil, err
	}
	p.f, p.size, p.waiting = f, packHeaderSize, packHeader(0)
	return p, nil
}

func (p *packWriter) temp() (*os.File, error) {
	f, err := createTemp(p.folder)
	if err == nil {
		p.names = append(p.names, f.Name())
	}
	return f, err
}

func packHeader(count int) []byte {
	head := append([]byte("PACK"), 0, 0, 0, 2)
	return binary.BigEndian.AppendUint32(head, uint32(count))
}

// unlocked adds an object with mu let go while it is compressed, so that several
// goroutines compress at once. mu is held when it returns.
func (p *packWriter) unlocked(mu *sync.Mutex, o *pendingObject, data []byte) error {
	mu.Unlock()
	packed := p.store.deflate(data)
	mu.Lock()
	if err := p.add(o, packed); err != nil || len(p.waiting) < drainFrom {
		return err
	}
	return p.drain()
}

// drainFrom is how many bytes wait until they are written at once: a write for each
// of a thousand files costs a twentieth of their capture.
const drainFrom = 64 << 10

// drain writes what waits.
func (p *packWriter) drain() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) == 0 {
		return nil
	}
	durable.Point("objects.drain.write")
	_, err := p.f.WriteAt(p.waiting, p.size-int64(len(p.waiting)))
	p.waiting = nil
	return err
}

// add appends an entry, which waits for drain and can be read back: type and length,
// seven bits a byte behind the first four, then the zlib stream.
func (p *packWriter) add(o *pendingObject, packed []byte) error {
	code, err := typeCode(o.typ)
	if err != nil {
		return err
	}
	raw, err := hex.DecodeString(o.oid)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting == nil {
		p.waiting = make([]byte, 0, drainFrom+entryRoom+len(packed))
	}
	start := len(p.waiting)
	entry := p.waiting
	c, rest := code<<4|byte(o.size&15), o.size>>4
	for ; rest > 0; rest >>= 7 {
		entry = append(entry, c|0x80)
		c = byte(rest & 0x7f)
	}
	p.waiting = append(append(entry, c), packed...)
	entry = p.waiting[start:]
	o.pack, o.offset = p, p.size+int64(len(entry)-len(packed))
	p.entries = append(p.entries, packEntry{raw, crc32.ChecksumIEEE(entry), p.size})
	p.size += int64(len(entry))
	return nil
}

func typeCode(typ string) (byte, error) {
	switch typ {
	case TypeCommit:
		return 1, nil
	case TypeTree:
		return 2, nil
	case TypeBlob:
		return 3, nil
	case TypeTag:
		return 4, nil
	}
	return 0, fmt.Errorf("%q is no type of object", typ)
}

// read inflates an entry that was added, from the file that grows or from what waits
// to be written to it. An entry lies in one of them as a whole.
func (p *packWriter) read(offset, size int64) ([]byte, error) {
	z, err := p.store.inflate(p.from(offset))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return readSized(z, size)
}

func (p *packWriter) from(offset int64) io.Reader {
	p.mu.Lock()
	defer p.mu.Unlock()
	if written := p.size - int64(len(p.waiting)); offset >= written {
		return bytes.NewReader(p.waiting[offset-written:])
	}
	return io.NewSectionReader(p.f, offset, 1<<62-offset)
}

// finish makes the pack whole, syncs it with its index, and gives both their
// names: the index last, since git knows a pack by it. also is synced with them.
func (p *packWriter) finish(also []*os.File) error {
	sum, err := p.seal()
	if err != nil {
		return err
	}
	idx, err := p.temp()
	if err != nil {
		return err
	}
	defer idx.Close()
	durable.Point("objects.finish.write")
	if _, err := idx.Write(p.index(sum)); err != nil {
		return err
	}
	files := []*os.File{p.f, idx}
	if err := syncFiles(append(files, also...)); err != nil {
		return err
	}
	base := filepath.Join(p.folder, "pack-"+hex.EncodeToString(sum))
	p.base = base
	// A pack that lost its .keep in a crash is an ordinary one: no sync for it.
	durable.Point("objects.finish.writefile")
	if err := os.WriteFile(base+".keep", []byte(keepText), 0o600); err != nil {
		return err
	}
	for i, ext := range []string{".pack", ".idx"} {
		durable.Point("objects.finish.rename")
		if err := os.Rename(files[i].Name(), base+ext); err != nil {
			durable.Point("objects.finish.remove")
			os.Remove(base + ".keep")
			return err
		}
	}
	p.names = nil
	return syncFolders(map[string]bool{p.folder: true})
}

// seal writes the count and the checksum over everything. What still is in memory
// as a whole is not read back for it.
func (p *packWriter) seal() ([]byte, error) {
	h := p.store.newHash()
	if sum := p.sealWaiting(h); sum != nil {
		return sum, p.drain()
	}
	if err := p.drain(); err != nil {
		return nil, err
	}
	durable.Point("objects.seal.write")
	if _, err := p.f.WriteAt(packHeader(len(p.entries)), 0); err != nil {
		return nil, err
	}
	if _, err := io.Copy(h, io.NewSectionReader(p.f, 0, p.size)); err != nil {
		return nil, err
	}
	sum := h.Sum(nil)
	durable.Point("objects.seal.write")
	_, err := p.f.WriteAt(sum, p.size)
	return sum, err
}

// sealWaiting is seal for a pack of which all still waits, nil for another.
func (p *packWriter) sealWaiting(h hash.Hash) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) != int(p.size) {
		return nil
	}
	copy(p.waiting, packHeader(len(p.entries)))
	h.Write(p.waiting)
	sum := h.Sum(nil)
	p.waiting, p.size = append(p.waiting, sum...), p.size+int64(len(sum))
	return sum
}

// index is the .idx of version 2; see packIndex for its format.
func (p *packWriter) index(sum []byte) []byte {
	sort.Slice(p.entries, func(i, j int) bool { return bytes.Compare(p.entries[i].raw, p.entries[j].raw) < 0 })
	var counts [256]uint32
	for _, e := range p.entries {
		counts[e.raw[0]]++
	}
	out := make([]byte, 0, len(idxMagic)+idxFanoutSize+len(p.entries)*(len(sum)+8)+2*len(sum))
	out = append(out, idxMagic...)
	total := uint32(0)
	for _, n := range counts {
		total += n
		out = binary.BigEndian.AppendUint32(out, total)
	}
	for _, e := range p.entries {
		out = append(out, e.raw...)
	}
	for _, e := range p.entries {
		out = binary.BigEndian.AppendUint32(out, e.crc)
	}
	var long []byte
	for _, e := range p.entries {
		if e.offset < 1<<31 {
			out = binary.BigEndian.AppendUint32(out, uint32(e.offset))
			continue
		}
		out = binary.BigEndian.AppendUint32(out, 1<<31|uint32(len(long)/8))
		long = binary.BigEndian.AppendUint64(long, uint64(e.offset))
	}
	out = append(append(out, long...), sum...)
	h := p.store.newHash()
	h.Write(out)
	return h.Sum(out)
}

// close removes what was not given a name.
func (p *packWriter) close() {
	p.f.Close()
	for _, name := range p.names {
		durable.Point("objects.close.remove")
		os.Remove(name)
	}
}
