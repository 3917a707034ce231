package worktree

import (
	"golang.org/x/sys/unix"

	"overturn/model/durable"
)

// dirFlags opens a folder on the way to a path: searching is enough, reading it
// is not needed.
const dirFlags = unix.O_PATH

func exchange(fromDir int, from string, toDir int, to string) error {
	durable.Point("worktree.exchange.rename")
	return unix.Renameat2(fromDir, from, toDir, to, unix.RENAME_EXCHANGE)
}

func renameNew(fromDir int, from string, toDir int, to string) error {
	durable.Point("worktree.renamenew.rename")
	return unix.Renameat2(fromDir, from, toDir, to, unix.RENAME_NOREPLACE)
}

// syncAll flushes the whole file system of fd: one call for many files.
func syncAll(fd int) error {
	durable.Point("worktree.syncall.sync")
	return unix.Syncfs(fd)
}

// syncAllAt is the number of files and folders from which one flush of the file
// system is cheaper than a flush each (measured; below it, syncfs would also
// write what others have dirty).
const syncAllAt = 64

// openParent opens a folder below root in one step, no link followed on the way
// and none led out of root. Where the kernel does not have it, or the folder cannot
// be opened, the walk says why.
func openParent(root int, folder string) (int, error) {
	return unix.Openat2(root, folder, &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
}
