package snapshot

import (
	"bytes"
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// at is where paths begin: a directory held open.
type at int

// lstat looks at a NUL-terminated path, not following a link at its end, without the
// scheduler's care around system calls: a capture makes one for every file there is.
func (a at) lstat(path []byte, to *fileStat) outcome {
	var st unix.Stat_t
	for {
		_, _, e := unix.RawSyscall6(unix.SYS_NEWFSTATAT, uintptr(a), uintptr(unsafe.Pointer(&path[0])), uintptr(unsafe.Pointer(&st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		if e == 0 {
			fromUnix(&st, to)
			return okay
		}
		if e != unix.EINTR {
			return classify(e)
		}
	}
}

// enter holds a directory open, for names in it to be looked at: from a directory that
// is four folders deep a look is a sixth cheaper than from the top. It needs no more
// rights than that look. false: stay where you are.
func (a at) enter(path []byte) (at, bool) {
	fd, _, e := unix.RawSyscall6(unix.SYS_OPENAT, uintptr(a), uintptr(unsafe.Pointer(&path[0])), unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0, 0, 0)
	return at(fd), e == 0
}

func (r *root) top() at { return at(r.fd) }

func (a at) leave() { _, _, _ = unix.RawSyscall(unix.SYS_CLOSE, uintptr(a), 0, 0) }

// open opens path without following any link on the way.
func (r *root) open(path string, flags int) (int, error) {
	how := unix.OpenHow{Flags: uint64(flags | unix.O_CLOEXEC | unix.O_NOFOLLOW), Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_BENEATH}
	for {
		fd, err := unix.Openat2(r.fd, dotted(path), &how)
		switch err {
		case unix.EINTR, unix.EAGAIN:
			continue
		case unix.ENOSYS, unix.EPERM: // before Linux 5.6, or fenced off by a sandbox
			return r.openSteps(path, flags)
		}
		return fd, err
	}
}

// list reads the names of a directory into out, using buf for the kernel.
func (r *root) list(path string, buf []byte, out []dirent) ([]dirent, error) {
	fd, err := r.open(path, unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return out, err
	}
	defer unix.Close(fd)
	for {
		n, err := unix.Getdents(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return out, err
		}
		out = parseDirents(buf[:n], out)
	}
}

// parseDirents splits what getdents64 gave (linux/dirent.h: ino and offset of 8
// bytes, length of 2, type of 1, name up to a NUL).
func parseDirents(b []byte, out []dirent) []dirent {
	for len(b) > 19 {
		length := int(binary.NativeEndian.Uint16(b[16:]))
		if length < 20 || length > len(b) {
			return out
		}
		name := b[19:length]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		if string(name) != "." && string(name) != ".." {
			out = append(out, dirent{name: string(name), typ: uint16(b[18]) << 12})
		}
		b = b[length:]
	}
	return out
}
