//go:build !unix

package cli

import "os/exec"

// apart leaves the child as it is: overturn refuses to write here.
func apart(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Kill() }
}
