//go:build !unix

package terminal

import (
	"os"
	"syscall"
)

const (
	supported = false
	resized   = syscall.Signal(-1)
	continued = syscall.Signal(-2)
)

func watched() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }
