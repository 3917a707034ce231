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
)

// looseHeaderLimit is the longest header of a loose object in bytes: a type, a
// space, a number, a NUL.
const looseHeaderLimit = 64

// loose is an open loose object behind its header.
type loose struct {
	f    *os.File
	z    *inflater
	body *bufio.Reader
	typ  string
	size int64
}

func (s *Store) openLoose(path string) (*loose, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	z, err := s.inflate(bufio.NewReader(f))
	if err != nil {
		f.Close()
		return nil, err
	}
	l := &loose{f: f, z: z, body: bufio.NewReader(z)}
	if l.typ, l.size, err = readHeader(l.body); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *loose) close() {
	l.z.Close()
	l.f.Close()
}

func readHeader(r *bufio.Reader) (string, int64, error) {
	head, err := r.Peek(looseHeaderLimit)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", 0, err
	}
	end := bytes.IndexByte(head, 0)
	if end < 0 {
		return "", 0, errors.New("its header has no end")
	}
	typ, number, ok := bytes.Cut(head[:end], []byte{' '})
	size, err := strconv.ParseInt(string(number), 10, 64)
	if !ok || err != nil || size < 0 {
		return "", 0, fmt.Errorf("its header is %q", head[:end])
	}
	name := string(typ)
	_, err = r.Discard(end + 1)
	return name, size, err
}

// readLoose reads a loose object whole; it grows with what is there, not with
// what the header claims.
func (s *Store) readLoose(path string) (string, []byte, error) {
	l, err := s.openLoose(path)
	if err != nil {
		return "", nil, err
	}
	defer l.close()
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
