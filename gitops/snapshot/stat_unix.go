//go:build unix

package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"overturn/model/durable"
)

// root is the top of a work tree, held open. Paths are relative to it, without
// a leading slash; "" is the top itself.
type root struct {
	fd   int
	path string
}

func openRoot(path string) (*root, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return &root{fd: fd, path: path}, nil
}

func (r *root) close() { _ = unix.Close(r.fd) }

func classify(err error) outcome {
	switch {
	case err == nil:
		return okay
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ELOOP):
		return gone
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return denied
	}
	return failed
}

func fromUnix(st *unix.Stat_t, to *fileStat) {
	*to = fileStat{size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), ino: st.Ino, mode: uint16(st.Mode)}
}

// lstatPath looks at path, not following a link at its end.
func (r *root) lstatPath(path string, to *fileStat) outcome {
	var st unix.Stat_t
	err := unix.Fstatat(r.fd, dotted(path), &st, unix.AT_SYMLINK_NOFOLLOW)
	for err == unix.EINTR {
		err = unix.Fstatat(r.fd, dotted(path), &st, unix.AT_SYMLINK_NOFOLLOW)
	}
	if err == nil {
		fromUnix(&st, to)
	}
	return classify(err)
}

func (r *root) readlink(path string) ([]byte, error) {
	for size := 256; ; size *= 2 {
		buf := make([]byte, size)
		n, err := unix.Readlinkat(r.fd, path, buf)
		if err != nil {
			return nil, err
		}
		if n < size {
			return buf[:n], nil
		}
	}
}

// readFile reads a regular file of at most limit bytes into buf's space. Of
// anything else, and of larger files, it returns the stat alone and errNotRead; of
// one that was written each time that it was read, errTorn.
func (r *root) readFile(path string, limit int64, buf []byte) (data []byte, now fileStat, err error) {
	for range steadyTries {
		if data, now, err = r.readOnce(path, limit, buf); !errors.Is(err, errTorn) {
			return data, now, err
		}
		buf = data
	}
	return data, now, err
}

// readOnce is readFile, with errTorn when the file changed between the first byte and
// the last: what was read may never have stood on the disk.
func (r *root) readOnce(path string, limit int64, buf []byte) ([]byte, fileStat, error) {
	var now fileStat
	fd, err := r.open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY)
	if err != nil {
		return buf[:0], now, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return buf[:0], now, err
	}
	fromUnix(&st, &now)
	if now.mode&typeMask != typeFile || now.size > limit {
		return buf[:0], now, errNotRead
	}
	buf, err = readAll(fd, int(now.size), limit, buf)
	if serr := unix.Fstat(fd, &st); serr != nil {
		return buf, now, serr
	}
	before := now
	if fromUnix(&st, &now); now != before {
		return buf, now, errTorn
	}
	return buf, now, err
}

// readAll reads to the end; a file that grows beyond limit meanwhile is cut off
// with errNotRead.
func readAll(fd, size int, limit int64, buf []byte) ([]byte, error) {
	if cap(buf) < size+1 {
		buf = make([]byte, 0, size+size/4+512)
	}
	buf = buf[:0]
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := unix.Read(fd, buf[len(buf):cap(buf)])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return buf, err
		}
		if n == 0 {
			return buf, nil
		}
		durable.Point("snapshot.readall.read")
		if buf = buf[:len(buf)+n]; int64(len(buf)) > limit {
			return buf, errNotRead
		}
	}
}

// stampOf looks at path wherever it is, following links.
func stampOf(path string) (fileStat, bool) {
	var st unix.Stat_t
	var out fileStat
	if unix.Stat(path, &st) != nil {
		return out, false
	}
	fromUnix(&st, &out)
	return out, true
}

// fileClock is the present by the clock of the file system that holds dir, and
// how coarse its stamps are: both in nanoseconds. Where nothing may be written it
// is the beginning of time, so that every file counts as changed just now and is
// read: to look at a work tree takes no more than to be allowed to read it.
func fileClock(dir string) (now, grain int64, err error) {
	path := filepath.Join(dir, "clock")
	durable.Point("snapshot.fileclock.open")
	// O_NONBLOCK: a FIFO in its place must not be waited for
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS) {
		return 0, 2e9, nil
	}
	if err != nil && durable.MakePlace(path) == nil {
		durable.Point("snapshot.fileclock.again")
		file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	}
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	durable.Point("snapshot.fileclock.write")
	if _, err := file.WriteAt([]byte{0}, 0); err != nil {
		return 0, 0, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &st); err != nil {
		return 0, 0, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	now = st.Ctim.Nano()
	if now%1e9 == 0 && st.Mtim.Nano()%1e9 == 0 {
		return now, 2e9, nil
	}
	return now, 20e6, nil
}

// mapFile returns the bytes of a file, privately mapped: changes stay in this
// process. release ends their life.
func mapFile(file *os.File, size int) (data []byte, release func(), err error) {
	data, err = unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	return data, func() { _ = unix.Munmap(data) }, nil
}

func isVanished(err error) bool { return classify(err) == gone }
