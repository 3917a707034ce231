package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// ForgetTyped lets go of what was typed and not read yet. What is no terminal is left
// as it is.
func ForgetTyped(f *os.File) { _ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) }
