//go:build linux || darwin

package worktree

import (
	"errors"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"overturn/model"
)

// List names all that is no folder at and below folder, in byte order of the
// names, without following links; nil when nothing is there. What lies in git's
// own folders is not listed, their place is (as a path ending in ".git").
func (t *Tree) List(folder model.Path) ([]model.Path, error) {
	dir, err := t.open(folder)
	if errors.Is(err, errNoParent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.close()
	st, err := lstat(dir.fd, dir.name)
	if err == unix.ENOENT {
		return nil, nil
	}
	if err != nil {
		return nil, named(err, "cannot look at", folder)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		return []model.Path{folder}, nil
	}
	return t.listBelow(dir, folder, nil)
}

func (t *Tree) listBelow(dir folder, path model.Path, list []model.Path) ([]model.Path, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(dir.fd, dir.name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err == unix.ENOENT {
		return list, nil
	}
	if err != nil {
		return nil, named(err, "cannot open the folder", path)
	}
	file := os.NewFile(uintptr(fd), string(path))
	defer file.Close()
	names, err := file.Readdirnames(-1)
	if err != nil {
		return nil, named(err, "cannot list", path)
	}
	slices.Sort(names)
	for _, name := range names {
		below := path + "/" + model.Path(name)
		st, err := lstat(fd, name)
		if err == unix.ENOENT {
			continue
		}
		if err != nil {
			return nil, named(err, "cannot look at", below)
		}
		_, gits := model.ParsePath(name)
		if st.Mode&unix.S_IFMT != unix.S_IFDIR || gits != nil {
			list = append(list, below)
			continue
		}
		if list, err = t.listBelow(folder{fd: fd, name: name}, below, list); err != nil {
			return nil, err
		}
	}
	return list, nil
}
