//go:build unix

package doctor

import (
	"io/fs"
	"os"
	"syscall"
)

// mine tells whether a file belongs to the caller, or the caller is root.
func mine(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}

// sameDevice tells whether two folders lie on one file system.
func sameDevice(a, b string) bool {
	one, err := os.Stat(a)
	two, errTwo := os.Stat(b)
	if err != nil || errTwo != nil {
		return false
	}
	x, okX := one.Sys().(*syscall.Stat_t)
	y, okY := two.Sys().(*syscall.Stat_t)
	return okX && okY && x.Dev == y.Dev
}

// freeBytes is what this user may still write below a folder.
func freeBytes(dir string) (uint64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	return uint64(st.Bavail) * uint64(st.Bsize), nil
}
