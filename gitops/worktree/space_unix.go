//go:build linux || darwin

package worktree

import (
	"errors"

	"golang.org/x/sys/unix"

	"overturn/model"
)

// Space is the room on the file system on which folder lies ("" is the root); of
// one that is not there, or is none, that of the nearest folder above it. What is
// mounted within the work tree has room of its own.
func (t *Tree) Space(folder model.Path) (Space, error) {
	for ; folder != ""; folder = Dir(folder) {
		at, err := t.open(folder + "/x") // its folder, by no link
		var in *Blocked
		if errors.Is(err, errNoParent) || errors.As(err, &in) {
			continue
		}
		if err != nil {
			return Space{}, err
		}
		defer at.close()
		return spaceAt(at.fd, string(folder))
	}
	return spaceAt(t.fd, "the work tree")
}

// SpaceOf is the room where a folder lies, e.g. a git directory.
func SpaceOf(folder string) (Space, error) {
	fd, err := unix.Open(folder, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return Space{}, model.Failf(err, "cannot open the folder %s", folder)
	}
	defer unix.Close(fd)
	return spaceAt(fd, folder)
}

func spaceAt(fd int, name string) (Space, error) {
	var fs unix.Statfs_t
	var st unix.Stat_t
	if err := errors.Join(unix.Fstatfs(fd, &fs), unix.Fstat(fd, &st)); err != nil {
		return Space{}, model.Failf(err, "cannot ask for free space in %s", name)
	}
	return Space{Device: uint64(st.Dev), Free: int64(fs.Bavail) * int64(fs.Bsize)}, nil
}
