package terminal

import (
	"context"
	"io"
	"os"
	"sync/atomic"
	"time"

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

// filter takes the terminal again where the loop is told to draw everything anew,
// and reads the answers to what was asked.
func (t *Terminal) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.ResumeMsg); ok && t.Reclaim() != nil {
		return tea.QuitMsg{}
	}
	if s, ok := scheme(msg); ok {
		return s
	}
	return msg
}

// signals turns those of the process into messages until ended is closed. The
// first size is sent from here too: without a renderer the loop does not.
func (t *Terminal) signals(p *tea.Program, ended <-chan struct{}, told *atomic.Bool) {
	size := func() tea.Msg {
		w, h := t.Size()
		return tea.WindowSizeMsg{Width: w, Height: h}
	}
	p.Send(size())
	for {
		select {
		case <-ended:
			return
		case s := <-t.told:
			switch {
			case s == resized:
				p.Send(size())
			case s == continued:
				if t.isHeld() && t.Reclaim() == nil {
					p.Send(size())
				}
			default:
				told.Store(true)
				go p.Quit() // a loop that hangs does not take it
				go t.insist(ended, s)
			}
		}
	}
}

// patience is how long the loop may take to end after it was told to.
const patience = 3 * time.Second

// insist gives the terminal back and dies of the signal, when the loop does not end.
func (t *Terminal) insist(ended <-chan struct{}, s os.Signal) {
	select {
	case <-ended:
	case <-time.After(patience):
		t.Close()
		die(s)
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
