//go:build unix

package gitops

import (
	"errors"
	"syscall"
)

// blockedByFile tells whether a path could not be because a part of it is a file.
func blockedByFile(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
