package objects

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// zlibs keeps compressors and decompressors for the next object: making one
// costs more than a small file takes to pack (a few hundred KB each).
type zlibs struct {
	writers sync.Pool // *zlib.Writer
	readers sync.Pool // io.ReadCloser that is a zlib.Resetter
	inputs  sync.Pool // *bufio.Reader
}

// deflate is zlib at its quickest level; git's gc makes it small later.
func (s *Store) deflate(parts ...[]byte) []byte {
	var buf bytes.Buffer
	z, _ := s.zlibs.writers.Get().(*zlib.Writer)
	if z == nil {
		z, _ = zlib.NewWriterLevel(&buf, zlib.BestSpeed) // fails for unknown levels alone
	} else {
		z.Reset(&buf)
	}
	for _, part := range parts {
		_, _ = z.Write(part) // a bytes.Buffer takes everything
	}
	_ = z.Close()
	s.zlibs.writers.Put(z)
	return buf.Bytes()
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
