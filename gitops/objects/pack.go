package objects

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"overturn/gitops"
)

// pack is one pack of an object folder. Its index is mapped at the first look,
// its file opened at the first read; several goroutines read at once.
type pack struct {
	base     string // path without .pack and .idx
	hashSize int

	mu    sync.RWMutex // read-held while index or file are used
	index *packIndex
	unmap func()
	file  *os.File
	bad   error // why it cannot be used
}

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
	data, unmap, err := readIndex(p.base + ".idx")
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
	p.index, p.unmap = index, unmap
}

// mapFrom is the size from which an index is mapped: a smaller one, as most of ours
// are, is read for less.
const mapFrom = 64 << 10

func readIndex(path string) (data []byte, unmap func(), err error) {
	data, err = gitops.ReadUpTo(path, mapFrom)
	if err != nil || data != nil {
		return data, func() {}, err
	}
	return mapFile(path)
}

// errRetired is what a pack answers after it was replaced by another.
var errRetired = errors.New("the pack is gone")

// retire closes what is open, after those who read are done.
func (p *pack) retire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.index != nil {
		p.unmap()
		p.index, p.unmap = nil, nil
	}
	if p.file != nil {
		p.file.Close()
		p.file = nil
	}
	p.bad = errRetired
}

// hold opens the file at the first read and keeps the pack from being retired
// until the function that it returns is called.
func (p *pack) hold() (*os.File, func(), error) {
	p.mu.RLock()
	if p.file != nil {
		return p.file, p.mu.RUnlock, nil
	}
	p.mu.RUnlock()
	p.mu.Lock()
	if p.file == nil && p.bad == nil {
		f, err := os.Open(p.base + ".pack")
		if err != nil {
			p.mu.Unlock()
			return nil, nil, err
		}
		p.file = f
	}
	p.mu.Unlock()
	p.mu.RLock()
	if p.file == nil {
		p.mu.RUnlock()
		return nil, nil, errRetired
	}
	return p.file, p.mu.RUnlock, nil
}

// deltaDepth is the longest chain of deltas that is followed. git writes 50 and
// allows 4,095; a longer one is a ring.
const deltaDepth = 4095

// read returns the object at offset: deltas are collected down to a whole object
// or a base that is cached, then applied upwards.
func (p *pack) read(s *Store, offset int64) (string, []byte, error) {
	f, release, err := p.hold()
	if err != nil {
		return "", nil, err
	}
	defer release()
	type step struct {
		offset int64
		delta  []byte
	}
	var steps []step
	var base typed
	for at := offset; ; {
		if cached, ok := s.bases.get(p, at); ok {
			base = cached
			if len(steps) == 0 {
				base.data = bytes.Clone(base.data) // the caller may change what it gets
			}
			break
		}
		h, content, err := s.entry(f, at, p.hashSize)
		if err != nil {
			return "", nil, err
		}
		if name := typeName(h.kind); name != "" {
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
	return base.typ, data, nil
}

// baseOffset is where a delta's base lies, in the same pack. The caller holds p.
func (p *pack) baseOffset(h entryHeader) (int64, error) {
	switch h.kind {
	case kindOffsetDelta:
		return h.base, nil
	case kindIDDelta:
		offset, found, err := p.index.find(h.baseID)
		if err == nil && !found {
			err = fmt.Errorf("the base %x of its delta is not in the pack", h.baseID)
		}
		return offset, err
	}
	return 0, fmt.Errorf("its entry has type %d", h.kind)
}

// size reads the header, and of a delta the two lengths that it begins with.
func (p *pack) size(s *Store, offset int64) (int64, error) {
	f, release, err := p.hold()
	if err != nil {
		return 0, err
	}
	defer release()
	h, delta, err := s.entryHead(f, offset, p.hashSize)
	if err != nil || typeName(h.kind) != "" {
		return h.size, err
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
		if i >= lengthLimit {
			break
		}
		n |= int64(c&0x7f) << (7 * i)
		if c&0x80 == 0 {
			return n, b[i+1:], true
		}
	}
	return 0, nil, false
}
