package objects

import (
	"bufio"
	"bytes"
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

// entryAhead is how much is read at first, entryWhole up to which size a packed entry
// is read in one go, and entryLarge up to which half of that is, which mostly is more
// than there is: inflating from memory takes half of what it takes through a buffer.
// All in bytes.
const (
	entryAhead = 4 << 10
	entryWhole = 1 << 20
	entryLarge = 64 << 20
)

// entry reads and inflates what is at offset.
func (s *Store) entry(f *os.File, offset int64, hashSize int) (entryHeader, []byte, error) {
	ahead := s.ahead()
	defer s.zlibs.inputs.Put(ahead)
	h, packed, whole, err := readEntryHead(f, offset, hashSize, ahead[:])
	if err != nil {
		return h, nil, err
	}
	if data := inflateWhole(whole, h.size); data != nil {
		return h, data, nil
	}
	z, err := s.inflate(packed)
	if err != nil {
		return h, nil, err
	}
	defer z.Close()
	data, err := readSized(z, h.size)
	return h, data, err
}

// entryHead is entry that inflates nothing but the head of a delta.
func (s *Store) entryHead(f *os.File, offset int64, hashSize int) (entryHeader, []byte, error) {
	ahead := s.ahead()
	defer s.zlibs.inputs.Put(ahead)
	h, packed, _, err := readEntryHead(f, offset, hashSize, ahead[:])
	if err != nil || typeName(h.kind) != "" {
		return h, nil, err
	}
	z, err := s.inflate(packed)
	if err != nil {
		return h, nil, err
	}
	defer z.Close()
	head := make([]byte, min(h.size, 2*lengthLimit))
	_, err = io.ReadFull(z, head)
	return h, head, err
}

// ahead is space for readEntryHead: a walk over trees reads thousands of entries.
func (s *Store) ahead() *[entryAhead]byte {
	if ahead, ok := s.zlibs.inputs.Get().(*[entryAhead]byte); ok {
		return ahead
	}
	return new([entryAhead]byte)
}

// readEntryHead reads the header and returns where the zlib stream is read from, and as
// much of it as lies in memory, which may be in ahead, a space of entryAhead bytes.
func readEntryHead(f *os.File, offset int64, hashSize int, ahead []byte) (entryHeader, io.Reader, []byte, error) {
	n, err := f.ReadAt(ahead, offset)
	if err != nil && err != io.EOF {
		return entryHeader{}, nil, nil, err
	}
	in := bytes.NewReader(ahead[:n])
	h, err := readEntryHeader(in, offset, hashSize)
	if err != nil {
		return h, nil, nil, err
	}
	begin := int(in.Size()) - in.Len()
	bound := int64(begin) + deflateBound(h.size)
	if n < entryAhead || bound <= entryAhead {
		return h, in, ahead[begin:n], nil
	}
	var whole []byte
	if bound <= entryLarge {
		whole = make([]byte, max(min(bound, entryWhole), bound/2))
		copy(whole, ahead)
		more, err := f.ReadAt(whole[n:], offset+int64(n))
		if err != nil && err != io.EOF {
			return h, nil, nil, err
		}
		whole = whole[begin : n+more]
	}
	if bound <= entryWhole {
		return h, bytes.NewReader(whole), whole, nil
	}
	return h, bufio.NewReader(io.NewSectionReader(f, offset+int64(begin), 1<<62-offset)), whole, nil
}

// deflateBound is how long the zlib stream of size bytes may be: zlib's own
// deflateBound, with room for compressors that cut into smaller blocks.
func deflateBound(size int64) int64 { return size + size>>7 + 64 }

// readEntryHeader reads type and size (four bits of it, then seven a byte), and of
// a delta where its base is.
func readEntryHeader(in *bytes.Reader, offset int64, hashSize int) (entryHeader, error) {
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
func readBackOffset(in *bytes.Reader) (int64, error) {
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
