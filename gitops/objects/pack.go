package objects

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// pack is one pack of an object folder. Its index is mapped at the first look,
// its file opened at the first read; readers take turns with a few open files.
type pack struct {
	base     string // path without .pack and .idx
	hashSize int

	mu    sync.RWMutex // read-held while the mapped index is looked at
	index *packIndex
	unmap func()
	bad   error // why it cannot be used
	free  chan *packFile
}

// packFile is an open pack with go-git's parser on it. One goroutine at a time.
type packFile struct {
	f       *os.File
	scanner *packfile.Scanner
}

// openFiles is how many files of one pack are kept open for later readers.
const openFiles = 4

// find returns the offset of an object.
func (p *pack) find(raw []byte) (int64, bool, error) {
	p.mu.RLock()
	if p.index == nil && p.bad == nil {
		p.mu.RUnlock()
		p.open()
		p.mu.RLock()
	}
	defer p.mu.RUnlock()
	if p.bad != nil {
		return 0, false, p.bad
	}
	return p.index.find(raw)
}

func (p *pack) open() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.index != nil || p.bad != nil {
		return
	}
	data, unmap, err := mapFile(p.base + ".idx")
	if err != nil {
		p.bad = err
		return
	}
	index, err := newIndex(data, p.hashSize)
	if err != nil {
		unmap()
		p.bad = err
		return
	}
	p.index, p.unmap, p.free = index, unmap, make(chan *packFile, openFiles)
}

// errRetired is what a pack answers after it was replaced by another.
var errRetired = errors.New("the pack is gone")

// retire closes what is open. Readers in the middle of a read keep their file.
func (p *pack) retire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.index != nil {
		p.unmap()
		p.index, p.unmap = nil, nil
		close(p.free)
		for f := range p.free {
			f.f.Close()
		}
		p.free = nil
	}
	p.bad = errRetired
}

func (p *pack) take() (*packFile, error) {
	p.mu.RLock()
	free := p.free
	p.mu.RUnlock()
	select {
	case f, ok := <-free:
		if ok {
			return f, nil
		}
	default:
	}
	f, err := os.Open(p.base + ".pack")
	if err != nil {
		return nil, err
	}
	return &packFile{f, packfile.NewScanner(f)}, nil
}

func (p *pack) give(f *packFile) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	select {
	case p.free <- f: // never ready when the pack is retired: free is nil then
	default:
		f.f.Close()
	}
}

// deltaDepth is the longest chain of deltas that is followed. git writes 50 and
// allows 4,095; a longer one is a ring.
const deltaDepth = 4095

// read returns the object at offset: deltas are collected down to a whole object
// or a base that is cached, then applied upwards.
func (p *pack) read(s *Store, offset int64) (string, []byte, error) {
	f, err := p.take()
	if err != nil {
		return "", nil, err
	}
	defer p.give(f)
	type step struct {
		offset int64
		delta  []byte
	}
	var steps []step
	var base typed
	for at := offset; ; {
		if cached, ok := s.bases.get(p, at); ok {
			base = cached
			break
		}
		h, content, err := f.entry(at)
		if err != nil {
			return "", nil, err
		}
		if name := typeName(h.Type); name != "" {
			base = typed{name, content}
			if len(steps) > 0 {
				s.bases.put(p, at, base)
			}
			break
		}
		steps = append(steps, step{at, content})
		if at, err = p.baseOffset(h); err != nil {
			return "", nil, err
		}
		if len(steps) > deltaDepth {
			return "", nil, errors.New("its chain of deltas has no end")
		}
	}
	data := base.data
	for i := len(steps) - 1; i >= 0; i-- {
		if data, err = packfile.PatchDelta(data, steps[i].delta); err != nil {
			return "", nil, err
		}
		if i > 0 {
			s.bases.put(p, steps[i].offset, typed{base.typ, data})
		}
	}
	if len(steps) == 0 {
		return base.typ, bytes.Clone(data), nil // it may be in the cache
	}
	return base.typ, data, nil
}

// entry reads and inflates what is at offset.
func (f *packFile) entry(offset int64) (*packfile.ObjectHeader, []byte, error) {
	h, err := f.scanner.SeekObjectHeader(offset)
	if err != nil {
		return nil, nil, err
	}
	var buf bytes.Buffer
	buf.Grow(int(min(max(h.Length, 0), sizedStep)))
	n, _, err := f.scanner.NextObject(&buf)
	if err == nil && n != h.Length {
		err = fmt.Errorf("it is not the %d bytes long that its header says", h.Length)
	}
	return h, buf.Bytes(), err
}

func typeName(t plumbing.ObjectType) string {
	switch t {
	case plumbing.BlobObject:
		return TypeBlob
	case plumbing.TreeObject:
		return TypeTree
	case plumbing.CommitObject:
		return TypeCommit
	case plumbing.TagObject:
		return TypeTag
	}
	return ""
}

// baseOffset is where a delta's base lies, in the same pack.
func (p *pack) baseOffset(h *packfile.ObjectHeader) (int64, error) {
	switch {
	case h.Type == plumbing.OFSDeltaObject:
		return h.OffsetReference, nil
	case h.Type != plumbing.REFDeltaObject:
		return 0, fmt.Errorf("its entry has type %d", h.Type)
	case p.hashSize != len(h.Reference):
		return 0, errors.New("go-git cannot read deltas by id in a SHA-256 pack")
	}
	offset, found, err := p.find(h.Reference[:])
	if err == nil && !found {
		err = fmt.Errorf("the base %s of its delta is not in the pack", hex.EncodeToString(h.Reference[:]))
	}
	return offset, err
}

// size reads the header, and of a delta the two lengths that it begins with.
func (p *pack) size(offset int64) (int64, error) {
	f, err := p.take()
	if err != nil {
		return 0, err
	}
	defer p.give(f)
	h, err := f.scanner.SeekObjectHeader(offset)
	if err != nil || typeName(h.Type) != "" {
		if err != nil {
			return 0, err
		}
		return h.Length, nil
	}
	_, delta, err := f.entry(offset)
	if err != nil {
		return 0, err
	}
	_, rest, ok := deltaLength(delta)
	size, _, ok2 := deltaLength(rest)
	if !ok || !ok2 {
		return 0, errors.New("its delta has no length")
	}
	return size, nil
}

// deltaLength reads one length of a delta's head: seven bits a byte, low ones first.
func deltaLength(b []byte) (int64, []byte, bool) {
	var n int64
	for i, c := range b {
		if i > 8 {
			break
		}
		n |= int64(c&0x7f) << (7 * i)
		if c&0x80 == 0 {
			return n, b[i+1:], true
		}
	}
	return 0, nil, false
}
