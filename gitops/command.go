package gitops

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"overturn/model"
)

// callLimit bounds a call that came without a deadline of its own, so that a
// sleeping filter or a dead network file system cannot hold a lock for ever (E-13).
const callLimit = 10 * time.Minute

// stderrLimit is how much of a child's words is kept, in bytes.
const stderrLimit = 64 << 10

// GitError is a git child that ended with another status than 0, so that "exit 1
// means no match" can be asked for.
type GitError struct {
	Args   []string
	Exit   int    // -1 when it was killed or did not start
	Stderr string // git's own words, in the C locale
	Err    error
}

func (e *GitError) Error() string {
	verb, args := "git", e.Args
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	if len(args) > 0 {
		verb = "git " + args[0]
	}
	if words := strings.TrimSpace(e.Stderr); words != "" {
		return fmt.Sprintf("%s: %s", verb, words)
	}
	return fmt.Sprintf("%s: %v", verb, e.Err)
}

func (e *GitError) Unwrap() error { return e.Err }

// ExitOf is the status of the git child that err speaks of; false when err is
// of another kind or the child was killed.
func ExitOf(err error) (int, bool) {
	var ge *GitError
	if errors.As(err, &ge) && ge.Exit >= 0 {
		return ge.Exit, true
	}
	return 0, false
}

// CommandOptions says how a child differs from the plain one.
type CommandOptions struct {
	Env                []string  // added last, e.g. GIT_INDEX_FILE=…
	Stdin              io.Reader // nil: Child.Stdin is a pipe
	NoLiteralPathspecs bool      // for check-ignore alone
	Network            bool      // transports are allowed, see network.go: for gitops/remotes alone
}

// Git runs git at the top of the work tree and returns its standard output.
// Another status than 0 is a *GitError. The diff family runs without external
// diff and textconv.
func (r *Repo) Git(ctx context.Context, args ...string) ([]byte, error) {
	return r.GitInput(ctx, nil, args...)
}

// GitInput is Git with bytes on standard input.
func (r *Repo) GitInput(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return r.GitWith(ctx, CommandOptions{Stdin: bytes.NewReader(stdin)}, args...)
}

// GitWith is Git with options; a nil Stdin is empty.
func (r *Repo) GitWith(ctx context.Context, opts CommandOptions, args ...string) ([]byte, error) {
	args = pinDiff(args)
	return runChild(ctx, r.env, r.Root, r.childEnvironment(opts), opts.Stdin, args, opts.Network)
}

// pinDiff adds the flags that no configuration variable can turn off (L-08).
func pinDiff(args []string) []string {
	if len(args) == 0 {
		return args
	}
	switch args[0] {
	case "diff", "diff-tree", "diff-index", "diff-files", "show", "log":
		return append([]string{args[0], "--no-ext-diff", "--no-textconv", "--no-color", "-O" + os.DevNull}, args[1:]...)
	}
	return args
}

// runGit runs one child to its end, without the network.
func runGit(ctx context.Context, env Env, dir string, childEnv []string, stdin io.Reader, args []string) ([]byte, error) {
	return runChild(ctx, env, dir, childEnv, stdin, args, false)
}

// runChild runs one child to its end.
func runChild(ctx context.Context, env Env, dir string, childEnv []string, stdin io.Reader, args []string, network bool) ([]byte, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, callLimit)
		defer cancel()
	}
	cmd, err := newCommand(ctx, env, dir, childEnv, args)
	if err != nil {
		return nil, err
	}
	if network {
		ownSession(cmd)
	}
	var stdout bytes.Buffer
	said := &words{limit: stderrLimit}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &stdout, said
	err = cmd.Run()
	return stdout.Bytes(), gitFailure(ctx, args, said, err)
}

// newCommand prepares a child in a process group of its own, which is killed
// whole when ctx ends: a filter that git started must not outlive it (E-03).
func newCommand(ctx context.Context, env Env, dir string, childEnv, args []string) (*exec.Cmd, error) {
	program, err := lookGit(env)
	if err != nil {
		return nil, err
	}
	if err := logArguments(env, args); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, childEnv
	ownGroup(cmd)
	cmd.WaitDelay = 2 * time.Second
	return cmd, nil
}

// Program tells which git program is asked, by its place and its stamp; two equal
// answers mean the same program. "" where none is found.
func (r *Repo) Program() string {
	program, err := lookGit(r.env)
	if err != nil {
		return ""
	}
	at, err := stampFile(program)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d %d %d %d", program, at.Dev, at.Ino, at.Size, at.Mtime, at.Ctime)
}

// lookGit finds the git program in the PATH that was handed in.
func lookGit(env Env) (string, error) {
	for _, dir := range strings.Split(env.Getenv("PATH"), string(os.PathListSeparator)) {
		if dir == "" || !strings.HasPrefix(dir, "/") && os.PathSeparator == '/' {
			continue // a git in the current folder is never obeyed
		}
		if program, err := exec.LookPath(dir + string(os.PathSeparator) + "git"); err == nil {
			return program, nil
		}
	}
	return "", model.Errorf(model.CodeFailed, "the git program is not found").
		WithHint("install git 2.31 or newer and see that it is in PATH")
}

// gitFailure turns the end of a child into the error that callers ask about.
func gitFailure(ctx context.Context, args []string, said *words, err error) error {
	if err == nil {
		return nil
	}
	failure := &GitError{Args: args, Exit: -1, Stderr: said.String(), Err: err}
	if ctx.Err() != nil {
		failure.Err = context.Cause(ctx)
		return failure
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		failure.Exit = exit.ExitCode()
	}
	return failure
}

// logArguments appends args as one JSON line to the file that OVERTURN_ARGV_LOG
// names, so that a test can hold every git child of a run against what is allowed.
func logArguments(env Env, args []string) error {
	name := env.Getenv("OVERTURN_ARGV_LOG")
	if name == "" {
		return nil
	}
	line, err := json.Marshal(args)
	if err != nil {
		return model.Failf(err, "cannot log git's arguments")
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return model.Failf(err, "cannot log git's arguments")
	}
	_, err = f.Write(append(line, '\n'))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// words keeps the first bytes of what is written to it.
type words struct {
	bytes.Buffer
	limit int
}

func (w *words) Write(p []byte) (int, error) {
	if room := w.limit - w.Len(); room > 0 {
		w.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
