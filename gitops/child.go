package gitops

import (
	"context"
	"io"
	"os/exec"

	"overturn/model"
)

// Child is a running git, for streams and for children that live long.
type Child struct {
	Stdin  io.WriteCloser // nil when CommandOptions.Stdin was given
	Stdout io.ReadCloser

	ctx  context.Context // that the child is bound to, for the words of its end
	cmd  *exec.Cmd
	args []string
	said *words
}

// Command starts git at the top of the work tree with pipes. It is bound to ctx,
// without a limit of its own. Wait must be called.
func (r *Repo) Command(ctx context.Context, opts CommandOptions, args ...string) (*Child, error) {
	args = pinDiff(args)
	cmd, err := newCommand(ctx, r.env, r.Root, r.childEnvironment(opts), args)
	if err != nil {
		return nil, err
	}
	if opts.Network {
		ownSession(cmd)
	}
	c := &Child{ctx: ctx, cmd: cmd, args: args, said: &words{limit: stderrLimit}}
	cmd.Stderr = c.said
	if opts.Stdin != nil {
		cmd.Stdin = opts.Stdin
	} else if c.Stdin, err = cmd.StdinPipe(); err != nil {
		return nil, model.Failf(err, "cannot start git %s", args[0])
	}
	if c.Stdout, err = cmd.StdoutPipe(); err != nil {
		return nil, model.Failf(err, "cannot start git %s", args[0])
	}
	if err := cmd.Start(); err != nil {
		return nil, &GitError{Args: args, Exit: -1, Err: err}
	}
	return c, nil
}

// Wait closes Stdin and waits for the end; Stdout must have been read before.
// Another status than 0 is a *GitError. Call it once.
func (c *Child) Wait() error {
	if c.Stdin != nil {
		c.Stdin.Close() // closed already, or the child is gone: its status tells
	}
	return gitFailure(c.ctx, c.args, c.said, c.cmd.Wait())
}

// Kill ends the child and all that it started. Wait must still be called.
func (c *Child) Kill() {
	if c.cmd.Cancel != nil {
		c.cmd.Cancel() // gone already is as good
	}
}
