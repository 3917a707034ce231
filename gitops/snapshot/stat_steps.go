//go:build unix

package snapshot

import (
	"strings"

	"golang.org/x/sys/unix"
)

// openSteps opens path one directory at a time, following no link.
func (r *root) openSteps(path string, flags int) (int, error) {
	at, rest := r.fd, dotted(path)
	for {
		step, more, deeper := strings.Cut(rest, "/")
		how := flags
		if deeper {
			how = unix.O_RDONLY | unix.O_DIRECTORY
		}
		fd, err := unix.Openat(at, step, how|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if at != r.fd {
			_ = unix.Close(at)
		}
		if err == unix.EINTR && at == r.fd {
			continue
		}
		if err != nil || !deeper {
			return fd, err
		}
		at, rest = fd, more
	}
}
