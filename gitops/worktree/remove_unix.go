//go:build linux || darwin

package worktree

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"overturn/model"
	"overturn/model/durable"
)

// Remove unlinks a file of overturn's own; one that is gone is no error.
func (t *Tree) Remove(p model.Path) error {
	if err := checkOwn(p); err != nil {
		return err
	}
	dir, err := t.open(p)
	if errors.Is(err, errNoParent) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.close()
	durable.Point("worktree.remove.unlink")
	if err := unix.Unlinkat(dir.fd, dir.name, 0); err != nil && err != unix.ENOENT {
		return named(err, "cannot remove", p)
	}
	return nil
}

// Keep moves p, a file of overturn's own, out of the work tree into the folder,
// under name, whole and by one rename; ErrOtherDevice when that cannot be done. The
// name must not be there (fs.ErrExist).
func (t *Tree) Keep(p model.Path, into *os.File, name string) error {
	if err := checkOwn(p); err != nil {
		return err
	}
	dir, err := t.open(p)
	if err != nil {
		return err
	}
	defer dir.close()
	err = renameNew(dir.fd, dir.name, int(into.Fd()), name)
	if unsupported(err) {
		err = linkThenUnlink(dir.fd, dir.name, int(into.Fd()), name)
	}
	if err == unix.EXDEV {
		return ErrOtherDevice
	}
	return named(err, "cannot keep", p)
}

// MissingParents lists the folders above p that are not there, outermost first.
func (t *Tree) MissingParents(p model.Path) ([]model.Path, error) {
	var missing []model.Path
	for dir := Dir(p); dir != ""; dir = Dir(dir) {
		at, err := t.open(dir)
		if err == nil {
			var st unix.Stat_t
			st, err = lstat(at.fd, at.name)
			at.close()
			if err == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
				break
			}
			if err == nil {
				return nil, &Blocked{Path: p, At: dir, Kind: kindOf(uint32(st.Mode))}
			}
		}
		if err != unix.ENOENT && !errors.Is(err, errNoParent) {
			return nil, err
		}
		missing = append([]model.Path{dir}, missing...)
	}
	return missing, nil
}

// MakeFolder makes one folder: with the permission bits given, or when perm is 0
// with those that the umask leaves. One that is there is no error (made is false).
func (t *Tree) MakeFolder(p model.Path, perm uint32) (made bool, err error) {
	dir, err := t.open(p)
	if err != nil {
		return false, err
	}
	defer dir.close()
	durable.Point("worktree.makefolder.mkdir")
	err = unix.Mkdirat(dir.fd, dir.name, 0o777)
	if err == unix.EEXIST {
		st, serr := lstat(dir.fd, dir.name)
		if serr == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
			return false, nil
		}
		return false, &Blocked{Path: p, At: p, Kind: kindOf(uint32(st.Mode))}
	}
	if err != nil {
		return false, named(err, "cannot make the folder", p)
	}
	if perm == 0 {
		return true, nil
	}
	fd, err := unix.Openat(dir.fd, dir.name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return true, named(err, "cannot open the folder", p)
	}
	defer unix.Close(fd)
	durable.Point("worktree.makefolder.chmod")
	return true, named(unix.Fchmod(fd, perm&0o777), "cannot set the mode of the folder", p)
}

// RemoveEmptyDirs removes those of the folders that are empty, innermost first,
// and says which went. A folder with anything in it, a missing one, and what is
// not a folder stay without an error; nothing is ever removed with content.
func (t *Tree) RemoveEmptyDirs(dirs []model.Path) ([]Folder, error) {
	var gone []Folder
	for _, p := range innermostFirst(dirs) {
		dir, err := t.open(p)
		var blocked *Blocked
		if errors.Is(err, errNoParent) || errors.As(err, &blocked) {
			continue
		}
		if err != nil {
			return gone, err
		}
		st, err := lstat(dir.fd, dir.name)
		if err == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
			durable.Point("worktree.removeemptydirs.unlink")
			err = unix.Unlinkat(dir.fd, dir.name, unix.AT_REMOVEDIR)
			if err == nil {
				gone = append(gone, Folder{p, uint32(st.Mode) & 0o7777})
			}
		}
		dir.close()
		if err != nil && !stays(err) {
			return gone, named(err, "cannot remove the folder", p)
		}
	}
	return gone, nil
}

// stays tells a folder that may not or cannot go, or is none any more, from a failure.
func stays(err error) bool {
	return err == unix.ENOTEMPTY || err == unix.EEXIST || err == unix.ENOENT || err == unix.EBUSY || err == unix.ENOTDIR || err == unix.ELOOP || errors.Is(err, fs.ErrPermission)
}

func innermostFirst(dirs []model.Path) []model.Path {
	out := append([]model.Path{}, dirs...)
	depth := func(p model.Path) int { return strings.Count(string(p), "/") }
	slices.SortStableFunc(out, func(a, b model.Path) int { return depth(b) - depth(a) })
	return out
}
