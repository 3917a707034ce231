package durable

import (
	"errors"
	"io"
	"os"
)

// errNoFile says what stands where a file is read.
var errNoFile = errors.New("it is no file")

// Limit is the bytes of the largest file that is read whole: far more than overturn
// writes into one. Whatever else stands in the place of its files does not fill memory.
const Limit = 1 << 30

// errTooLarge says what is not read.
var errTooLarge = errors.New("it is larger than 1 GiB, as no file of overturn's is")

// ReadFile reads a file of overturn's own whole, as os.ReadFile does, where a file
// stands there: a FIFO or a device in its place is an error, and not waited for, and so
// is a file of more than Limit bytes, which is not read.
func ReadFile(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "read", Path: path, Err: errNoFile}
	}
	tooLarge := &os.PathError{Op: "read", Path: path, Err: errTooLarge}
	if info.Size() > Limit {
		return nil, tooLarge
	}
	data := make([]byte, 0, info.Size()+1) // with room to see its end
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if len(data) > Limit { // it grew meanwhile
			return nil, tooLarge
		}
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}
