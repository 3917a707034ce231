package gitops

import (
	"context"
	"io"

	"overturn/model"
)

type facts struct{}

func (r *Repo) keepFacts() {}

// Find names the repository that dir lies in.
func Find(ctx context.Context, dir string, env Env) (*Repo, error) {
	return nil, model.Errorf(model.CodeNoRepository, "no repository")
}

// StateDir is the state folder of one work tree of the repository.
type StateDir struct {
	WorkTree string // its name, as Repo.WorkTree
	Root     string // top of the work tree; need not exist any more
	Dir      string // state folder; need not exist
}

// StateDirs lists the state folders of every work tree, the main one first.
func (r *Repo) StateDirs(ctx context.Context) ([]StateDir, error) { return nil, nil }

// GitError is a git child that ended with another status than 0.
type GitError struct {
	Args   []string
	Exit   int // -1 when it was killed or did not start
	Stderr string
	Err    error
}

func (e *GitError) Error() string { return e.Stderr }

func (e *GitError) Unwrap() error { return e.Err }

// Git runs git and returns its standard output.
func (r *Repo) Git(ctx context.Context, args ...string) ([]byte, error) { return nil, nil }

// GitInput is Git with bytes on standard input.
func (r *Repo) GitInput(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return nil, nil
}

// CommandOptions says how a child differs from the plain one.
type CommandOptions struct {
	Env                []string  // added last, e.g. GIT_INDEX_FILE=…
	Stdin              io.Reader // nil: Child.Stdin is a pipe
	NoLiteralPathspecs bool      // for check-ignore alone
	Network            bool      // transports allowed: gitops/remotes alone
}

// Child is a running git.
type Child struct {
	Stdin  io.WriteCloser // nil when CommandOptions.Stdin was given
	Stdout io.ReadCloser
}

// Wait closes the pipes and waits; another status than 0 is a *GitError. Call it once.
func (c *Child) Wait() error { return nil }

// Kill ends the child and all of its own children. Wait must still be called.
func (c *Child) Kill() {}

// Command starts git for streams and long-lived children.
func (r *Repo) Command(ctx context.Context, opts CommandOptions, args ...string) (*Child, error) {
	return nil, nil
}

// Head is where HEAD points.
type Head struct {
	Commit string // "" on an unborn branch
	Branch string // full ref name, "" when detached
}

// Head reads HEAD.
func (r *Repo) Head(ctx context.Context) (Head, error) { return Head{}, nil }

// Operation is merge, rebase, cherry-pick, revert, bisect, am, or "".
func (r *Repo) Operation() string { return "" }
