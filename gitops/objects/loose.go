package objects

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"overturn/gitops"
)

// looseHeaderLimit is the longest header of a loose object in bytes: a type, a
// space, a number, a NUL.
const looseHeaderLimit = 64

// loose is an open loose object behind its header.
type loose struct {
	f     io.Closer // nil when all of it is in memory
	whole []byte    // the stream, header included, when it is
	z     *inflater
	body  io.Reader
	typ   string
	head  int // length of the header
	size  int64
}

func (s *Store) openLoose(path string) (*loose, error) {
	packed, whole, f, err := looseStream(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	l := &loose{f: f, whole: whole}
	if l.z, err = s.inflate(packed); err == nil {
		err = l.readHeader()
	}
	if err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// looseWhole is up to which size, in bytes, the file of a loose object is read in one go.
const looseWhole = 32 << 20

// looseStream is where a loose object is read from: from memory, as entries of packs
// are, unless it is large; then the file is to be closed.
func looseStream(path string) (io.Reader, []byte, io.Closer, error) {
	packed, err := gitops.ReadUpTo(path, looseWhole)
	if err != nil || packed != nil {
		return bytes.NewReader(packed), packed, nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, nil, err
	}
	return bufio.NewReader(f), nil, f, nil
}

func (l *loose) close() {
	if l.z != nil {
		l.z.Close()
	}
	if l.f != nil {
		l.f.Close()
	}
}

// readHeader takes the header off the stream.
func (l *loose) readHeader() error {
	head := make([]byte, looseHeaderLimit)
	n, err := io.ReadFull(l.z, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	head = head[:n]
	typ, size, end, err := looseHeader(head)
	l.typ, l.head, l.size = typ, end, size
	l.body = io.MultiReader(bytes.NewReader(head[end:]), l.z)
	return err
}

// looseHeader reads what an object begins with; end is where its content does.
func looseHeader(head []byte) (typ string, size int64, end int, err error) {
	nul := bytes.IndexByte(head, 0)
	if nul < 0 {
		return "", 0, 0, errors.New("its header has no end")
	}
	name, number, ok := bytes.Cut(head[:nul], []byte{' '})
	size, err = strconv.ParseInt(string(number), 10, 64)
	if !ok || err != nil || size < 0 {
		return "", 0, 0, fmt.Errorf("its header is %q", head[:nul])
	}
	return string(name), size, nul + 1, nil
}

// readLoose reads a loose object whole; it grows with what is there, not with
// what the header claims.
func (s *Store) readLoose(path string) (string, []byte, error) {
	l, err := s.openLoose(path)
	if err != nil {
		return "", nil, err
	}
	defer l.close()
	if data := inflateWhole(l.whole, int64(l.head)+l.size); data != nil {
		return l.typ, data[l.head:], nil
	}
	data, err := readSized(l.body, l.size)
	return l.typ, data, err
}

func (s *Store) looseSize(path string) (int64, error) {
	l, err := s.openLoose(path)
	if err != nil {
		return 0, err
	}
	defer l.close()
	return l.size, nil
}

// sizedStep bounds what is allocated on the word of a header, in bytes. What is
// not filled is not resident either.
const sizedStep = 64 << 20

func readSized(r io.Reader, size int64) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(int(min(size, sizedStep)) + bytes.MinRead)
	n, err := buf.ReadFrom(io.LimitReader(r, size+1))
	if err != nil {
		return nil, err
	}
	if n != size {
		return nil, fmt.Errorf("it is not the %d bytes long that its header says", size)
	}
	return buf.Bytes(), nil
}
