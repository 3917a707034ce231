//go:build linux || darwin

package worktree

import (
	"errors"
	"io/fs"
	"path"

	"golang.org/x/sys/unix"

	"overturn/model"
	"overturn/model/durable"
)

// Write makes the file or link p, which Beside must have named and which must
// not be there (fs.ErrExist). The mode is whole before it returns; the bytes are
// durable only after Sync. When it fails nothing is left.
func (t *Tree) Write(p model.Path, c Content) error {
	if err := checkOwn(p); err != nil {
		return err
	}
	dir, err := t.open(p)
	if err != nil {
		return err
	}
	defer dir.close()
	if c.Kind == model.KindLink {
		durable.Point("worktree.write.symlink")
		return named(unix.Symlinkat(string(c.Data), dir.fd, dir.name), "cannot make the link", p)
	}
	fd, err := retry(func() (int, error) {
		durable.Point("worktree.write.open")
		return unix.Openat(dir.fd, dir.name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	})
	if err != nil {
		return named(err, "cannot make the new file", p)
	}
	err = fill(fd, dir, c)
	if cerr := unix.Close(fd); err == nil {
		err = cerr
	}
	if err != nil {
		return named(errors.Join(err, unix.Unlinkat(dir.fd, dir.name, 0)), "cannot write the new file", p)
	}
	return nil
}

func fill(fd int, dir folder, c Content) error {
	durable.Point("worktree.fill.write")
	for rest := c.Data; len(rest) > 0; {
		n, err := retry(func() (int, error) { return unix.Write(fd, rest) })
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	if c.Like != "" {
		if err := chownLike(fd, dir.fd, path.Base(string(c.Like))); err != nil {
			return err
		}
	}
	durable.Point("worktree.fill.chmod")
	return unix.Fchmod(fd, c.Perm&0o777)
}

// chownLike gives the file fd the owner and group of the file name. What the system
// does not permit stays as it is: contents and mode are what was promised.
func chownLike(fd, dir int, name string) error {
	want, err := lstat(dir, name)
	if err == unix.ENOENT {
		return nil
	}
	var have unix.Stat_t
	if err == nil {
		err = unix.Fstat(fd, &have)
	}
	if err != nil || want.Uid == have.Uid && want.Gid == have.Gid {
		return err
	}
	durable.Point("worktree.chownlike.chown")
	if err := unix.Fchown(fd, int(want.Uid), int(want.Gid)); err != nil && err != unix.EPERM && err != unix.EACCES {
		return err
	}
	return nil
}

// Exchange swaps the names a and b in one step; each keeps its file whole. One
// of them must be overturn's own. ErrNoExchange where it cannot be done.
func (t *Tree) Exchange(a, b model.Path) error {
	if t.plain {
		return ErrNoExchange
	}
	err := t.pair(a, b, exchange)
	if unsupported(err) {
		return ErrNoExchange
	}
	return named(err, "cannot exchange", a)
}

// Move gives the file at from the name to, one of them overturn's own. It never
// replaces: fs.ErrExist when to is taken, fs.ErrNotExist when from is gone.
func (t *Tree) Move(from, to model.Path) error {
	err := error(unix.ENOSYS)
	if !t.plain {
		err = t.pair(from, to, renameNew)
	}
	if unsupported(err) && IsBeside(to) {
		err = t.pair(from, to, renameToOwn)
	} else if unsupported(err) {
		err = t.pair(from, to, linkThenUnlink)
	}
	return named(err, "cannot move", from)
}

// renameToOwn is the rename without replacing to a name that only overturn uses:
// looking first is enough. The source is a user's path and may be saved to at any
// moment, so it must leave by a single rename: unlinking it after giving the file
// a second name could take away a newer file.
func renameToOwn(fromDir int, from string, toDir int, to string) error {
	if _, err := lstat(toDir, to); err != unix.ENOENT {
		if err == nil {
			err = unix.EEXIST
		}
		return err
	}
	durable.Point("worktree.renametoown.rename")
	return unix.Renameat(fromDir, from, toDir, to)
}

// linkThenUnlink is the rename without replacing of a file of overturn's own: a
// second name, which fails when it is taken, then the first one goes.
func linkThenUnlink(fromDir int, from string, toDir int, to string) error {
	durable.Point("worktree.linkthenunlink.link")
	if err := unix.Linkat(fromDir, from, toDir, to, 0); err != nil {
		return err
	}
	durable.Point("worktree.linkthenunlink.unlink")
	return unix.Unlinkat(fromDir, from, 0)
}

func unsupported(err error) bool {
	return err == unix.EINVAL || err == unix.ENOSYS || err == unix.ENOTSUP || err == unix.EOPNOTSUPP
}

// pair carries out call on two names, at least one of them overturn's own.
func (t *Tree) pair(a, b model.Path, call func(int, string, int, string) error) error {
	if !IsBeside(a) {
		if err := checkOwn(b); err != nil {
			return err
		}
	}
	from, err := t.open(a)
	if err != nil {
		return err
	}
	defer from.close()
	to, err := t.open(b)
	if err != nil {
		return err
	}
	defer to.close()
	_, err = retry(func() (int, error) { return 0, call(from.fd, from.name, to.fd, to.name) })
	return err
}

// named says what could not be done to which path; the cause stays reachable
// for errors.Is, and errors that already speak for themselves pass.
func named(err error, doing string, p model.Path) error {
	var blocked *Blocked
	switch {
	case err == nil:
		return nil
	case errors.As(err, &blocked):
		return err
	case errors.Is(err, errNoParent):
		err = fs.ErrNotExist
	}
	return model.Failf(err, "%s %q", doing, string(p))
}
