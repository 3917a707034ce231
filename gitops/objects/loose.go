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

	"github.com/klauspost/compress/zlib"
)

// looseHeaderLimit is the longest header of a loose object in bytes: a type, a
// space, a number, a NUL.
const looseHeaderLimit = 64

// looseReader opens a loose object and reads its header.
func looseReader(path string) (f *os.File, body *bufio.Reader, typ string, size int64, err error) {
	f, err = os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, nil, "", 0, err
	}
	z, err := zlib.NewReader(bufio.NewReader(f))
	if err == nil {
		body = bufio.NewReader(z)
		typ, size, err = readHeader(body)
	}
	if err != nil {
		f.Close()
		return nil, nil, "", 0, err
	}
	return f, body, typ, size, nil
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
func readLoose(path string) (string, []byte, error) {
	f, body, typ, size, err := looseReader(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	data, err := readSized(body, size)
	return typ, data, err
}

// sizedStep bounds what is allocated on the word of a header, in bytes.
const sizedStep = 16 << 20

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

func looseSize(path string) (int64, error) {
	f, _, _, size, err := looseReader(path)
	if err != nil {
		return 0, err
	}
	return size, f.Close()
}
