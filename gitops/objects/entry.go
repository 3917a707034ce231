package objects

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// The kinds of entry in a pack; gitformat-pack(5).
const (
	kindCommit      = 1
	kindTree        = 2
	kindBlob        = 3
	kindTag         = 4
	kindOffsetDelta = 6
	kindIDDelta     = 7
)

func typeName(kind byte) string {
	switch kind {
	case kindCommit:
		return TypeCommit
	case kindTree:
		return TypeTree
	case kindBlob:
		return TypeBlob
	case kindTag:
		return TypeTag
	}
	return ""
}

// entryHeader is what stands before an entry's zlib stream.
type entryHeader struct {
	kind   byte
	size   int64  // of the inflated stream
	base   int64  // of an offset delta
	baseID []byte // of a delta by id
}

// entry reads and inflates what is at offset.
func (s *Store) entry(f *os.File, offset int64, hashSize int) (entryHeader, []byte, error) {
	return s.readEntry(f, offset, hashSize, func(z io.Reader, size int64) ([]byte, error) { return readSized(z, size) })
}

// entryHead is entry that inflates no more than the head of a delta.
func (s *Store) entryHead(f *os.File, offset int64, hashSize int) (entryHeader, []byte, error) {
	return s.readEntry(f, offset, hashSize, func(z io.Reader, size int64) ([]byte, error) {
		head := make([]byte, min(size, 2*lengthLimit))
		_, err := io.ReadFull(z, head)
		return head, err
	})
}

func (s *Store) readEntry(f *os.File, offset int64, hashSize int, body func(io.Reader, int64) ([]byte, error)) (entryHeader, []byte, error) {
	in, _ := s.zlibs.inputs.Get().(*bufio.Reader)
	if in == nil {
		in = bufio.NewReader(nil)
	}
	defer s.zlibs.inputs.Put(in)
	in.Reset(io.NewSectionReader(f, offset, 1<<62-offset))
	h, err := readEntryHeader(in, offset, hashSize)
	if err != nil {
		return h, nil, err
	}
	z, err := s.inflate(in)
	if err != nil {
		return h, nil, err
	}
	defer z.Close()
	data, err := body(z, h.size)
	return h, data, err
}

// readEntryHeader reads type and size (four bits of it, then seven a byte), and of
// a delta where its base is.
func readEntryHeader(in *bufio.Reader, offset int64, hashSize int) (entryHeader, error) {
	c, err := in.ReadByte()
	if err != nil {
		return entryHeader{}, err
	}
	h := entryHeader{kind: c >> 4 & 7, size: int64(c & 15)}
	for shift := 4; c&0x80 != 0; shift += 7 {
		if c, err = in.ReadByte(); err != nil {
			return h, err
		}
		if shift > 56 {
			return h, errors.New("its entry claims a size beyond all bounds")
		}
		h.size |= int64(c&0x7f) << shift
	}
	switch h.kind {
	case kindOffsetDelta:
		back, err := readBackOffset(in)
		if err != nil {
			return h, err
		}
		if h.base = offset - back; back <= 0 || h.base <= 0 {
			return h, errors.New("the base of its delta lies outside the pack")
		}
	case kindIDDelta:
		h.baseID = make([]byte, hashSize)
		_, err = io.ReadFull(in, h.baseID)
	case kindCommit, kindTree, kindBlob, kindTag:
	default:
		err = fmt.Errorf("its entry has type %d", h.kind)
	}
	return h, err
}

// readBackOffset reads the distance of an offset delta: seven bits a byte, high
// ones first, each step but the last counting one more.
func readBackOffset(in *bufio.Reader) (int64, error) {
	c, err := in.ReadByte()
	n := int64(c & 0x7f)
	for err == nil && c&0x80 != 0 {
		if n > 1<<54 {
			return 0, errors.New("the base of its delta lies outside the pack")
		}
		if c, err = in.ReadByte(); err == nil {
			n = (n+1)<<7 | int64(c&0x7f)
		}
	}
	return n, err
}

// lengthLimit is the longest length in a delta's head, in bytes.
const lengthLimit = 9
