package faulttest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Call is a system call below the root that is watched, about to be made.
type Call struct {
	Name  string // as in the manual; open, creat and the calls without "at" are those with it
	Path  string // what it changes, absolute; of a rename or link: from
	To    string // of a rename or link
	Flags int    // of openat, renameat2, unlinkat, linkat
	Mode  uint32 // of openat, mkdirat, fchmod
	Off   int64  // of write: where; of ftruncate: the new size
	Data  []byte // of write; of symlinkat the text of the link

	// Gone: Path is the name by which the file was opened, which is another's by now,
	// or nobody's; the file may have other names.
	Gone bool

	tid int
	fd  int
}

func (c *Call) String() string {
	s := c.Name + " " + c.Path
	if c.To != "" {
		s += " -> " + c.To
	}
	if c.Name == "write" {
		s += fmt.Sprintf(" %d+%d", c.Off, len(c.Data))
	}
	return s
}

// Syncs tells calls that make durable what other calls did.
func (c *Call) Syncs() bool { return c.Name == "fsync" || c.Name == "syncfs" }

// decode reads a call out of the memory of the thread that makes it. nil, false is
// one that this room does not know.
func decode(tid int, number int, a [6]uint64) (*Call, error) {
	t := thread(tid)
	c := &Call{tid: tid, fd: -1}
	switch number {
	case unix.SYS_WRITE, unix.SYS_PWRITE64:
		c.Name, c.Data = "write", nil
		if err := t.open(c, a[0]); err != nil || c.Path == "" {
			return c, err
		}
		var err error
		if c.Data, err = t.read(a[1], a[2]); err != nil {
			return nil, err
		}
		c.Off = int64(a[3])
		if number == unix.SYS_WRITE {
			c.Off, err = t.position(c)
		}
		return c, err
	case unix.SYS_FTRUNCATE:
		c.Name, c.Off = "ftruncate", int64(a[1])
		return c, t.open(c, a[0])
	case unix.SYS_FCHMOD:
		c.Name, c.Mode = "fchmod", uint32(a[1])
		return c, t.open(c, a[0])
	case unix.SYS_FSYNC, unix.SYS_FDATASYNC:
		c.Name = "fsync"
		return c, t.open(c, a[0])
	case unix.SYS_SYNCFS:
		c.Name = "syncfs"
		return c, t.open(c, a[0])
	case unix.SYS_OPENAT:
		c.Name, c.Flags, c.Mode = "openat", int(a[2]), uint32(a[3])
		return c, t.name(&c.Path, a[0], a[1])
	case unix.SYS_OPEN:
		c.Name, c.Flags, c.Mode = "openat", int(a[1]), uint32(a[2])
		if c.Flags&(unix.O_CREAT|unix.O_TRUNC) == 0 {
			return c, nil // reads
		}
		return c, t.name(&c.Path, cwd, a[0])
	case unix.SYS_RENAME, unix.SYS_LINK:
		c.Name = map[int]string{unix.SYS_RENAME: "renameat2", unix.SYS_LINK: "linkat"}[number]
		return c, first(t.name(&c.Path, cwd, a[0]), t.name(&c.To, cwd, a[1]))
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT:
		c.Name = "renameat2"
		if number == unix.SYS_RENAMEAT2 {
			c.Flags = int(a[4])
		} else if number == unix.SYS_LINKAT {
			c.Name = "linkat"
		}
		return c, first(t.name(&c.Path, a[0], a[1]), t.name(&c.To, a[2], a[3]))
	case unix.SYS_SYMLINK, unix.SYS_SYMLINKAT:
		c.Name = "symlinkat"
		dir, at := a[1], a[2]
		if number == unix.SYS_SYMLINK {
			dir, at = cwd, a[1]
		}
		text, err := t.text(a[0])
		c.Data = []byte(text)
		return c, first(err, t.name(&c.Path, dir, at))
	case unix.SYS_UNLINKAT:
		c.Name, c.Flags = "unlinkat", int(a[2])
		return c, t.name(&c.Path, a[0], a[1])
	case unix.SYS_UNLINK, unix.SYS_RMDIR:
		c.Name = "unlinkat"
		if number == unix.SYS_RMDIR {
			c.Flags = unix.AT_REMOVEDIR
		}
		return c, t.name(&c.Path, cwd, a[0])
	case unix.SYS_MKDIRAT:
		c.Name, c.Mode = "mkdirat", uint32(a[2])
		return c, t.name(&c.Path, a[0], a[1])
	case unix.SYS_MKDIR:
		c.Name, c.Mode = "mkdirat", uint32(a[1])
		return c, t.name(&c.Path, cwd, a[0])
	case unix.SYS_FCHMODAT:
		c.Name, c.Mode = "fchmod", uint32(a[2])
		return c, t.name(&c.Path, a[0], a[1])
	case unix.SYS_CHMOD:
		c.Name, c.Mode = "fchmod", uint32(a[1])
		return c, t.name(&c.Path, cwd, a[0])
	case unix.SYS_UTIMENSAT:
		c.Name = "utimensat"
		if a[1] == 0 {
			return c, t.open(c, a[0])
		}
		return c, t.name(&c.Path, a[0], a[1])
	}
	return nil, fmt.Errorf("call %d is not known", number)
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// cwd is AT_FDCWD as a thread passes it.
const cwd = uint64(1<<64 - 100)

// thread is one that is stopped in a call.
type thread int

func (t thread) proc(name string) string { return fmt.Sprintf("/proc/%d/%s", int(t), name) }

func (t thread) read(at, size uint64) ([]byte, error) {
	data := make([]byte, size)
	if size == 0 {
		return data, nil
	}
	mem, err := os.Open(t.proc("mem"))
	if err != nil {
		return nil, err
	}
	defer mem.Close()
	n, err := mem.ReadAt(data, int64(at))
	if n > 0 {
		err = nil
	}
	return data[:n], err
}

func (t thread) text(at uint64) (string, error) {
	data, err := t.read(at, 4096)
	if err != nil {
		data, err = t.read(at, 4096-at%4096) // the next page is not there
	}
	end := bytes.IndexByte(data, 0)
	if err == nil && end < 0 {
		err = fmt.Errorf("a name without an end")
	}
	if err != nil {
		return "", err
	}
	return string(data[:end]), nil
}

// name makes a path of a folder and a name.
func (t thread) name(into *string, dir, at uint64) error {
	text, err := t.text(at)
	if err != nil {
		return err
	}
	if !filepath.IsAbs(text) {
		base := t.proc("cwd")
		if int32(dir) != unix.AT_FDCWD {
			base = t.proc("fd/" + strconv.Itoa(int(int32(dir))))
		}
		if base, err = os.Readlink(base); err != nil {
			return err
		}
		text = filepath.Join(base, text)
	}
	*into = filepath.Clean(text)
	return nil
}

// open names the file behind an open one; "" where it is no file.
func (t thread) open(c *Call, fd uint64) error {
	c.fd = int(int32(fd))
	path, err := os.Readlink(t.proc("fd/" + strconv.Itoa(c.fd)))
	if err != nil {
		return nil // the call itself will say so
	}
	if filepath.IsAbs(path) {
		c.Path, c.Gone = strings.CutSuffix(path, " (deleted)")
	}
	return nil
}

// position is where a write goes: the end, where the file was opened to append.
func (t thread) position(c *Call) (int64, error) {
	info, err := os.ReadFile(t.proc("fdinfo/" + strconv.Itoa(c.fd)))
	if err != nil {
		return 0, err
	}
	var pos, flags int64
	for line := range strings.Lines(string(info)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch key {
		case "pos":
			pos, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		case "flags":
			flags, err = strconv.ParseInt(strings.TrimSpace(value), 8, 64)
		}
		if err != nil {
			return 0, err
		}
	}
	if flags&unix.O_APPEND == 0 {
		return pos, nil
	}
	st, err := os.Stat(t.proc("fd/" + strconv.Itoa(c.fd)))
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}
