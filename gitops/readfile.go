package gitops

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ErrNoFile is what ReadFile says of a FIFO, socket or device.
var ErrNoFile = errors.New("it is no file")

// ReadFile is os.ReadFile for what git keeps, where an agent may have put a FIFO: it
// never waits for one (J-14). Links are followed, as git does.
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
	switch {
	case info.IsDir(): // the system's own error
		return os.ReadFile(path)
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNoFile}
	}
	return readAll(f, info.Size())
}

// readAll reads a file to its end; size is what it had a moment ago.
func readAll(f *os.File, size int64) ([]byte, error) {
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
