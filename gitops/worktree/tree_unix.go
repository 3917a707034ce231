//go:build linux || darwin

package worktree

import (
	"errors"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"overturn/model"
)

// Tree is an open work tree. It is safe for use by several goroutines; Close
// it once, after the last of them.
type Tree struct {
	root   string
	fd     int
	plain  bool       // names are never exchanged
	blocks *sync.Pool // room to read into
	is     identity   // of a folder that Sub holds
}

// identity tells one file or folder from every other that exists.
type identity struct{ device, inode uint64 }

func identityOf(fd int) (identity, error) {
	var st unix.Stat_t
	_, err := retry(func() (int, error) { return 0, unix.Fstat(fd, &st) })
	return identity{uint64(st.Dev), uint64(st.Ino)}, err
}

// Open holds the folder root, which must exist.
func Open(root string) (*Tree, error) {
	fd, err := unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, model.Failf(err, "cannot open the work tree %s", root)
	}
	return &Tree{root: root, fd: fd, blocks: newBlocks()}, nil
}

// WithoutExchange makes t use the ways of file systems that can neither exchange
// names nor rename without replacing, whatever this one can. Call it before t is
// shared.
func (t *Tree) WithoutExchange() *Tree {
	t.plain = true
	return t
}

// Close gives the handle back.
func (t *Tree) Close() error { return unix.Close(t.fd) }

// folder is an open folder and the name within it that a path ends in.
type folder struct {
	fd   int
	own  bool
	name string
}

func (f folder) close() {
	if f.own {
		_ = unix.Close(f.fd) // opened to look, nothing was written through it
	}
}

// errNoParent: a parent folder of the path is absent.
var errNoParent = errors.New("its folder does not exist")

// open walks to the folder of p, following no link. Its errors are *Blocked,
// errNoParent, a refused path, or the system's.
func (t *Tree) open(p model.Path) (folder, error) {
	if _, err := model.ParsePath(string(p)); err != nil {
		return folder{}, err
	}
	if i := strings.LastIndexByte(string(p), '/'); i > 0 {
		if fd, err := openParent(t.fd, string(p[:i])); err == nil {
			return folder{fd: fd, own: true, name: string(p[i+1:])}, nil
		}
	}
	return t.walk(p)
}

// walk is open folder by folder.
func (t *Tree) walk(p model.Path) (folder, error) {
	at := folder{fd: t.fd}
	rest := string(p)
	for done := 0; ; {
		i := strings.IndexByte(rest[done:], '/')
		if i < 0 {
			at.name = rest[done:]
			return at, nil
		}
		part := rest[done : done+i]
		fd, err := openDir(at.fd, part)
		if err != nil {
			err = t.explain(at.fd, part, p, p[:done+i], err)
		}
		at.close()
		if err != nil {
			return folder{}, err
		}
		at = folder{fd: fd, own: true}
		done += i + 1
	}
}

func openDir(at int, name string) (int, error) {
	return retry(func() (int, error) {
		return unix.Openat(at, name, dirFlags|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
}

// explain turns the failure to open a parent into what it means.
func (t *Tree) explain(at int, part string, p, parent model.Path, err error) error {
	switch err {
	case unix.ENOENT:
		return errNoParent
	case unix.ENOTDIR, unix.ELOOP:
		kind := model.KindOther
		if st, serr := lstat(at, part); serr == nil {
			kind = kindOf(uint32(st.Mode))
		}
		return &Blocked{Path: p, At: parent, Kind: kind}
	}
	return model.Failf(err, "cannot open the folder %q", string(parent))
}

func lstat(at int, name string) (unix.Stat_t, error) {
	var st unix.Stat_t
	_, err := retry(func() (int, error) { return 0, unix.Fstatat(at, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	return st, err
}

func kindOf(mode uint32) model.Kind {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return model.KindFile
	case unix.S_IFLNK:
		return model.KindLink
	}
	return model.KindOther
}

// retry repeats a system call that a signal cut short.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}
