//go:build unix

package gitops

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// file is one that is open for reading. It is none of package os: that asks the
// system five times more of every file, whether it can be waited for.
type file struct {
	fd   int
	path string
}

// openFile opens a file, and nothing else, and says how long it is. The open of a
// FIFO returns at once.
func openFile(path string) (file, int64, error) {
	fd, err := again(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0) })
	if err != nil {
		return file{}, 0, &os.PathError{Op: "open", Path: path, Err: err}
	}
	f := file{fd, path}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		f.Close()
		return file{}, 0, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG, unix.S_IFDIR: // reading a folder gives the system's own error
		return f, st.Size, nil
	}
	f.Close()
	return file{}, 0, &os.PathError{Op: "read", Path: path, Err: ErrNoFile}
}

// openToLookAt opens a file to read here and there in it, for as long as anyone does: what
// takes its name does not touch it.
func openToLookAt(path string) (io.ReaderAt, int64, error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, 0, err
	}
	return os.NewFile(uintptr(f.fd), path), size, nil
}

// Read is io.Reader's.
func (f file) Read(p []byte) (int, error) {
	n, err := again(func() (int, error) { return unix.Read(f.fd, p) })
	switch {
	case err != nil:
		return 0, &os.PathError{Op: "read", Path: f.path, Err: err}
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

// Close is io.Closer's; of a file that was only read it has nothing to say.
func (f file) Close() { _ = unix.Close(f.fd) }

// again repeats a call that a signal cut short.
func again(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != unix.EINTR {
			return n, err
		}
	}
}
