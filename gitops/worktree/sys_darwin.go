package worktree

import (
	"math"

	"golang.org/x/sys/unix"

	"overturn/model/durable"
)

const dirFlags = unix.O_RDONLY

func exchange(fromDir int, from string, toDir int, to string) error {
	durable.Point("worktree.exchange.rename")
	return unix.RenameatxNp(fromDir, from, toDir, to, unix.RENAME_SWAP)
}

func renameNew(fromDir int, from string, toDir int, to string) error {
	durable.Point("worktree.renamenew.rename")
	return unix.RenameatxNp(fromDir, from, toDir, to, unix.RENAME_EXCL)
}

// syncAll is not there on macOS: syncAllAt is never reached.
func syncAll(int) error { return unix.ENOTSUP }

const syncAllAt = math.MaxInt

// openParent is not there on macOS: the walk opens parents one by one.
func openParent(int, string) (int, error) { return -1, unix.ENOSYS }
