//go:build unix

package gitops

import "golang.org/x/sys/unix"

// noWait lets the open of a FIFO return at once.
const noWait = unix.O_NONBLOCK
