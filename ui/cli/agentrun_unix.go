//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// apart puts the child in a process group of its own, so that keys pressed on our
// terminal do not reach it and it is ended with all that it started.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
