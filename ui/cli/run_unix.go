//go:build unix

package cli

import (
	"os"
	"os/exec"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/charmbracelet/x/term"
)

// passSignals keeps us alive while the command runs and passes on what ends
// programs. Interrupt and quit come from a terminal to the whole group, so they
// are passed on only where there is none. The function returned ends this, and
// tells whether one came.
func passSignals(child *exec.Cmd) func() bool {
	tty := term.IsTerminal(os.Stdin.Fd())
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2)
	var ended atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := range signals {
			if s != syscall.SIGUSR1 && s != syscall.SIGUSR2 {
				ended.Store(true)
			}
			if tty && (s == syscall.SIGINT || s == syscall.SIGQUIT) || child.Process == nil {
				continue
			}
			child.Process.Signal(s)
		}
	}()
	return func() bool {
		signal.Stop(signals)
		close(signals)
		<-done
		return ended.Load()
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
