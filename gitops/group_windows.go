package gitops

import "os/exec"

// ownGroup leaves the child as it is: overturn refuses to write on Windows, and
// its readers end with their pipes.
func ownGroup(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Kill() }
}

// ownSession leaves the child as it is: nothing is pushed on Windows.
func ownSession(*exec.Cmd) {}
