//go:build unix

package cli

import (
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/charmbracelet/x/term"
)

// holdSignals keeps us alive while the command runs. What ends programs is held until
// pass names the command, and passed on from then on: one that comes while the command
// is being started is not lost. Interrupt and quit come from a terminal to the whole
// group, so they are passed on only where there is none. Stop ends this, and tells
// whether one came.
func holdSignals() (pass func(*os.Process), stop func() bool) {
	tty := term.IsTerminal(os.Stdin.Fd())
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2)
	ended := false
	var done sync.WaitGroup
	take := func(to *os.Process) {
		for s := range signals {
			ended = ended || s != syscall.SIGUSR1 && s != syscall.SIGUSR2
			if to != nil && !(tty && (s == syscall.SIGINT || s == syscall.SIGQUIT)) {
				to.Signal(s)
			}
		}
	}
	pass = func(to *os.Process) { done.Go(func() { take(to) }) }
	return pass, func() bool {
		signal.Stop(signals)
		close(signals)
		done.Wait()
		take(nil) // of a command that could not be started
		return ended
	}
}

// exitCode is the code that a shell would give: 128 and the signal for a command
// that a signal ended.
func exitCode(p *os.ProcessState) (code int, bySignal bool) {
	if w, ok := p.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal()), true
	}
	return p.ExitCode(), false
}
