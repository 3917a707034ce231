//go:build !unix

package cli

import (
	"os"
	"os/signal"
)

// holdSignals keeps us alive while the command runs: the console tells both.
func holdSignals() (pass func(*os.Process), stop func() bool) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	return func(*os.Process) {}, func() bool {
		signal.Stop(signals)
		return len(signals) > 0
	}
}

func exitCode(p *os.ProcessState) (code int, bySignal bool) { return p.ExitCode(), false }
