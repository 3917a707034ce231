package terminal

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
)

// Run runs the loop of m on t until it quits, ctx ends, or the process is told
// to end; the last two are CodeCancelled. Ready, when not nil, is called with the
// way to send messages before the first one arrives. The terminal is given back
// in any case.
func Run(ctx context.Context, t *Terminal, m tea.Model, ready func(send func(tea.Msg))) error {
	defer t.Close() // also on a panic, before its trace is printed
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(t.in), tea.WithOutput(t.out),
		tea.WithoutRenderer(), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(), tea.WithFilter(t.filter))
	if ready != nil {
		ready(p.Send)
	}
	ended := make(chan struct{})
	defer close(ended)
	var told atomic.Bool
	go t.signals(p, ended, &told)
	_, err := p.Run()
	switch {
	case told.Load() || ctx.Err() != nil:
		return model.Errorf(model.CodeCancelled, "the review was ended from outside")
	case err != nil:
		return model.Failf(err, "the review ended early")
	}
	return nil
}

// filter gives the terminal away before the loop suspends the process, and
// takes it back after.
func (t *Terminal) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.SuspendMsg:
		t.Release()
	case tea.ResumeMsg:
		if t.Reclaim() != nil {
			return tea.QuitMsg{}
		}
	}
	return msg
}

// signals turns those of the process into messages until ended is closed. The
// first size is sent from here too: without a renderer the loop does not.
func (t *Terminal) signals(p *tea.Program, ended <-chan struct{}, told *atomic.Bool) {
	c := make(chan os.Signal, 8)
	signal.Notify(c, watched()...)
	defer signal.Stop(c)
	size := func() tea.Msg {
		w, h := t.Size()
		return tea.WindowSizeMsg{Width: w, Height: h}
	}
	p.Send(size())
	for {
		select {
		case <-ended:
			return
		case s := <-c:
			switch {
			case s == resized:
				p.Send(size())
			case s == continued:
				if t.isHeld() && t.Reclaim() == nil {
					p.Send(size())
				}
			default:
				told.Store(true)
				p.Quit()
			}
		}
	}
}

func (t *Terminal) isHeld() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.held
}

// command runs a program on the terminal that t gives away for it.
type command struct {
	tea.ExecCommand
	t *Terminal
}

// Lend wraps cmd for tea.Exec.
func (t *Terminal) Lend(cmd tea.ExecCommand) tea.ExecCommand { return command{cmd, t} }

// SetStdin, SetStdout and SetStderr give the program the terminal itself.
func (c command) SetStdin(io.Reader)    { c.ExecCommand.SetStdin(c.t.in) }
func (c command) SetStdout(io.Writer)   { c.ExecCommand.SetStdout(c.t.out) }
func (c command) SetStderr(w io.Writer) { c.ExecCommand.SetStderr(c.t.out) }

func (c command) Run() error {
	c.t.Release()
	err := c.ExecCommand.Run()
	if again := c.t.Reclaim(); err == nil {
		err = again
	}
	return err
}
