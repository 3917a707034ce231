//go:build unix && !linux

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// ForgetTyped lets go of what was typed and not read yet. What is no terminal is left
// as it is.
func ForgetTyped(f *os.File) {
	const read = 1 // FREAD of <sys/fcntl.h>, as tcflush passes it
	_ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, read)
}
