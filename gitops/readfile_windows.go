package gitops

import (
	"io"
	"io/fs"
	"os"
)

// file is one that is open for reading. No file of git's can be a FIFO here.
type file struct{ *os.File }

// Close is that of a file that was only read: it has nothing to say.
func (f file) Close() { _ = f.File.Close() }

// openFile opens a file, and nothing else, and says how long it is.
func openFile(path string) (file, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return file{}, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "read", Path: path, Err: ErrNoFile}
	}
	if err != nil {
		f.Close()
		return file{}, 0, err
	}
	return file{f}, info.Size(), nil
}

// openToLookAt opens nothing: git could not replace a file that is open here.
func openToLookAt(string) (io.ReaderAt, int64, error) { return nil, 0, nil }
