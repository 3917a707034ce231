//go:build unix

package terminal

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

const (
	supported = true
	resized   = syscall.SIGWINCH
	continued = syscall.SIGCONT
)

func watched() []os.Signal {
	return []os.Signal{resized, continued, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT}
}

// sane mends what is to be given back, when the terminal was found as one that was
// killed left it: neither echoing nor line by line. The bits are those of stty sane
// that MakeRaw takes away.
func sane(s *term.State) {
	if s.Lflag&(unix.ICANON|unix.ECHO) != 0 {
		return
	}
	s.Iflag |= unix.BRKINT | unix.ICRNL | unix.IXON
	s.Oflag |= unix.OPOST | unix.ONLCR
	s.Lflag |= unix.ICANON | unix.ECHO | unix.ECHOE | unix.ECHOK | unix.ISIG | unix.IEXTEN
}

// die ends the process by the signal, as if nobody had watched for it.
func die(s os.Signal) {
	signal.Reset(s)
	_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
}

// Stopper is a command that stops the processes of the terminal's job until the shell
// goes on with them; nil where this is the job of the terminal's own leader, for then
// no shell would.
func Stopper() tea.ExecCommand {
	if session, err := unix.Getsid(0); err != nil || session == unix.Getpgrp() {
		return nil
	}
	return stopper{}
}

type stopper struct{}

func (stopper) SetStdin(io.Reader)  {}
func (stopper) SetStdout(io.Writer) {}
func (stopper) SetStderr(io.Writer) {}

func (stopper) Run() error {
	c := make(chan os.Signal, 1)
	signal.Notify(c, continued)
	defer signal.Stop(c)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	<-c
	return nil
}
