package cli

import (
	"context"
	"io"
	"os/exec"
	"sync"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/review/agents"
)

const (
	// agentGrace is how long a program of an agent may take to end once its standard
	// input is closed.
	agentGrace = 3 * time.Second
	// saidLimit is how much of what it wrote to standard error is kept, in bytes.
	saidLimit = 8 << 10
)

// agentRunner starts programs of agents for the conversations that need them
// (agents.Runner): the user's own environment, nothing on our terminal.
type agentRunner struct{ env gitops.Env }

func (r agentRunner) Start(ctx context.Context, p agents.Program) (agents.Running, error) {
	path, err := exec.LookPath(p.Name)
	if err != nil {
		return nil, &model.Error{Code: model.CodeFailed, Message: "the program " + p.Name + " is not in PATH", Err: err,
			Hint: "put it in PATH"}
	}
	cmd := exec.CommandContext(ctx, path, p.Args...)
	cmd.Dir = p.Dir
	cmd.Env = append(append([]string{}, r.env.Environ...), p.Env...)
	cmd.WaitDelay = agentGrace
	apart(cmd)
	run := &agentProcess{cmd: cmd}
	cmd.Stderr = &run.said
	if run.in, err = cmd.StdinPipe(); err == nil {
		run.out, err = cmd.StdoutPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, model.Failf(err, "cannot start %s", p.Name)
	}
	return run, nil
}

// agentProcess is one program that runs.
type agentProcess struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	said   tail
	closed sync.Once
	err    error
}

func (p *agentProcess) Write(b []byte) (int, error) { return p.in.Write(b) }
func (p *agentProcess) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (p *agentProcess) Said() string                { return p.said.text() }

// Close ends the program, and whatever it started in its group.
func (p *agentProcess) Close() error {
	p.closed.Do(func() {
		p.in.Close() // it may be gone already
		late := time.AfterFunc(agentGrace, func() { p.cmd.Cancel() })
		p.err = p.cmd.Wait()
		late.Stop()
		p.cmd.Cancel() // what it left behind in its group
	})
	return p.err
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - saidLimit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
