//go:build unix

package gitops

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the child in a process group of its own and makes the end of its
// context kill that whole group.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// ownSession puts the child in a session of its own, which has no terminal: what
// transports start (ssh, credential helpers) has nothing to ask on, or to wait for.
func ownSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
