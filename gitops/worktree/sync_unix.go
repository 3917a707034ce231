//go:build linux || darwin

package worktree

import (
	"errors"
	"sync"

	"golang.org/x/sys/unix"

	"overturn/model"
	"overturn/model/durable"
)

// Sync makes files and the entries of folders durable, as one batch: a few at a
// time, or by one flush of the file system when there are many. The folder "" is
// the root. What is gone or no folder any more, and links (which live in their
// folder), are passed over.
func (t *Tree) Sync(files, folders []model.Path) error {
	if len(files)+len(folders) >= syncAllAt {
		return named(syncAll(t.fd), "cannot sync", "the work tree")
	}
	type job struct {
		path   model.Path
		folder bool
	}
	jobs := make(chan job)
	errs := make([]error, 8)
	var workers sync.WaitGroup
	for i := range errs {
		workers.Go(func() {
			for j := range jobs {
				errs[i] = errors.Join(errs[i], t.syncOne(j.path, j.folder))
			}
		})
	}
	for _, p := range files {
		jobs <- job{p, false}
	}
	for _, p := range folders {
		jobs <- job{p, true}
	}
	close(jobs)
	workers.Wait()
	return errors.Join(errs...)
}

func (t *Tree) syncOne(p model.Path, folder bool) error {
	if folder && p == "" {
		durable.Point("worktree.syncone.sync")
		return named(unix.Fsync(t.fd), "cannot sync", "the root")
	}
	dir, err := t.open(p)
	var in *Blocked
	if errors.Is(err, errNoParent) || errors.As(err, &in) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.close()
	flags := unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	if folder {
		flags |= unix.O_DIRECTORY
	}
	fd, err := retry(func() (int, error) { return unix.Openat(dir.fd, dir.name, flags, 0) })
	if err == unix.ENOENT || err == unix.ELOOP || folder && err == unix.ENOTDIR {
		return nil
	}
	if err == unix.EACCES {
		return t.syncUnreadable()
	}
	if err != nil {
		return named(err, "cannot open", p)
	}
	defer unix.Close(fd)
	durable.Point("worktree.syncone.sync")
	return named(unix.Fsync(fd), "cannot sync", p)
}

// syncUnreadable covers a file whose new mode does not let its owner read it.
func (t *Tree) syncUnreadable() error {
	if err := syncAll(t.fd); err != nil && !unsupported(err) {
		return named(err, "cannot sync", "the work tree")
	}
	return nil
}
