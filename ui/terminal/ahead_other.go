//go:build !unix

package terminal

import "os"

// ForgetTyped has nothing to let go of where no terminal is taken.
func ForgetTyped(*os.File) {}
