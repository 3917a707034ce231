//go:build !unix

package doctor

import (
	"errors"
	"io/fs"
)

// mine cannot be told here.
func mine(fs.FileInfo) bool { return true }

// sameDevice cannot be told here.
func sameDevice(string, string) bool { return false }

func freeBytes(string) (uint64, error) {
	return 0, errors.New("the free space cannot be told on this system")
}
