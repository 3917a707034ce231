package objects

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// zlibs keeps compressors and decompressors for the next object: making one
// costs more than a small file takes to pack (a few hundred KB each).
type zlibs struct {
	writers sync.Pool // *zlib.Writer
	readers sync.Pool // io.ReadCloser that is a zlib.Resetter
	inputs  sync.Pool // *[entryAhead]byte
}

// deflate is zlib at its quickest level; git's gc makes it small later.
func (s *Store) deflate(data []byte) []byte { return s.zlibOf(data, storedLimit) }

// zlibOf is deflate that stores up to limit bytes as they are; limit is at most
// storedBlock.
func (s *Store) zlibOf(data []byte, limit int) []byte {
	if len(data) <= limit {
		return storedZlib(data)
	}
	var buf bytes.Buffer
	buf.Grow(len(data)/2 + 64)
	z, _ := s.zlibs.writers.Get().(*zlib.Writer)
	if z == nil {
		z, _ = zlib.NewWriterLevel(&buf, zlib.BestSpeed) // fails for unknown levels alone
	} else {
		z.Reset(&buf)
	}
	_, _ = z.Write(data) // a bytes.Buffer takes everything
	_ = z.Close()
	s.zlibs.writers.Put(z)
	return buf.Bytes()
}

// storedLimit is up to which size an object is stored as it is, in bytes: making
// the code tables of a block costs more than the few bytes that they save.
const storedLimit = 512

// storedHead is the length of what comes before the bytes of such a stream.
const storedHead = 7

// storedBlock is how many bytes one block can hold as they are.
const storedBlock = 1<<16 - 1

// storedZlib is a zlib stream (RFC 1950) of one block that is not compressed
// (RFC 1951, 3.2.4), of storedBlock bytes at most: head, block type, length and its
// complement, bytes, Adler-32.
func storedZlib(data []byte) []byte {
	size := len(data)
	out := make([]byte, 0, storedHead+size+4)
	out = append(out, 0x78, 0x01, 0x01, byte(size), byte(size>>8), ^byte(size), ^byte(size>>8))
	out = append(out, data...)
	return binary.BigEndian.AppendUint32(out, adler32.Checksum(data))
}

// storedBytes is what a stream of storedZlib holds, nil for any other.
func storedBytes(stream []byte) []byte {
	size := len(stream) - storedHead - 4
	if size < 0 || stream[0] != 0x78 || stream[1] != 0x01 || stream[2] != 0x01 || int(binary.LittleEndian.Uint16(stream[3:])) != size {
		return nil
	}
	return stream[storedHead : storedHead+size]
}

// inflater reads a zlib stream; it goes back to where it came from at Close.
type inflater struct {
	io.ReadCloser
	pool *sync.Pool
}

func (s *Store) inflate(r io.Reader) (*inflater, error) {
	if z, ok := s.zlibs.readers.Get().(io.ReadCloser); ok {
		if err := z.(zlib.Resetter).Reset(r, nil); err != nil {
			return nil, err
		}
		return &inflater{z, &s.zlibs.readers}, nil
	}
	z, err := zlib.NewReader(r)
	if err != nil {
		return nil, err
	}
	return &inflater{z, &s.zlibs.readers}, nil
}

// Close ends the reading; the stream's own checksum was held at its end.
func (i *inflater) Close() error {
	err := i.ReadCloser.Close()
	i.pool.Put(i.ReadCloser)
	return err
}
