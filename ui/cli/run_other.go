//go:build !unix

package cli

import (
	"os"
	"os/exec"
	"os/signal"
)

// passSignals keeps us alive while the command runs: the console tells both.
func passSignals(*exec.Cmd) func() bool {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	return func() bool {
		signal.Stop(signals)
		return len(signals) > 0
	}
}

func exitCode(p *os.ProcessState) (code int, bySignal bool) { return p.ExitCode(), false }
