//go:build unix

package terminal

import (
	"os"
	"syscall"
)

const (
	supported = true
	resized   = syscall.SIGWINCH
	continued = syscall.SIGCONT
)

func watched() []os.Signal {
	return []os.Signal{resized, continued, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT}
}
