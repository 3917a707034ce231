package gitops

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// ErrNoFile is what ReadFile says of a FIFO, socket or device.
var ErrNoFile = errors.New("it is no file")

// ReadFile is os.ReadFile for what git keeps, where an agent may have put a FIFO: it
// never waits for one (J-14). Links are followed, as git does.
func ReadFile(path string) ([]byte, error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, size)
}

// ReadUpTo is ReadFile for a file of at most limit bytes, and nil for a longer one.
func ReadUpTo(path string, limit int64) ([]byte, error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > limit {
		return nil, nil
	}
	return readAll(f, size)
}

// ReadLine is the first line of such a file, with its end where it has one; what is
// behind it is not read as a whole.
func ReadLine(path string) ([]byte, error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const most = 4 << 10 // a turn with short lists
	data := make([]byte, 0, min(size, most)+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		end := bytes.IndexByte(data[len(data):len(data)+n], '\n')
		if data = data[:len(data)+n]; end >= 0 {
			return data[:len(data)-n+end+1], nil
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = slices.Grow(data, len(data))
		}
	}
}

// readAll reads a file to its end; size is what it had a moment ago.
func readAll(f file, size int64) ([]byte, error) {
	data := make([]byte, 0, size+1) // one more, so that the end is met without growing
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
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
