package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Said is what one call of overturn gave back. Code is -1 when a signal ended it.
type Said struct {
	Code           int
	Stdout, Stderr string
}

// callLimit is when a call is taken for one that hangs.
const callLimit = 2 * time.Minute

// Overturn runs the program; what it exits with is for the caller to judge.
func (y *Yard) Overturn(args ...string) Said {
	if y.Err() != nil {
		return Said{}
	}
	code, stdout, stderr, err := y.call(y.bin, args...)
	y.note(code, "overturn", args)
	if err != nil {
		y.Fail(fmt.Errorf("overturn %s: %w", strings.Join(args, " "), err))
	}
	return Said{code, stdout, stderr}
}

// OK runs overturn, which must exit 0, and returns its stdout.
func (y *Yard) OK(args ...string) string { return y.Exits(0, args...).Stdout }

// Exits runs overturn, which must exit with code.
func (y *Yard) Exits(code int, args ...string) Said {
	said := y.Overturn(args...)
	if y.Err() == nil && said.Code != code {
		y.Fail(fmt.Errorf("overturn %s: exit code %d, not %d: %s%s", strings.Join(args, " "), said.Code, code, said.Stdout, said.Stderr))
	}
	return said
}

// JSON runs overturn --json, which must exit with code, and reads its object.
func (y *Yard) JSON(code int, into any, args ...string) {
	said := y.Exits(code, append([]string{"--json"}, args...)...)
	if y.Err() != nil {
		return
	}
	if err := json.Unmarshal([]byte(said.Stdout), into); err != nil {
		y.Fail(fmt.Errorf("overturn --json %s: %w: %s", strings.Join(args, " "), err, said.Stdout))
	}
}

// Git runs git, which must succeed, and returns its output without the last newline.
func (y *Yard) Git(args ...string) string {
	if y.Err() != nil {
		return ""
	}
	y.note(0, "git", args)
	return y.must("git", args...)
}

// Sh runs shell commands, as an agent or a user does.
func (y *Yard) Sh(script string) {
	if y.Err() != nil {
		return
	}
	fmt.Fprintf(&y.book.script, "(cd %s && umask 022 && set -e\n%s\n) || exit\n", y.place(y.dir), script)
	y.must("sh", "-ec", "umask 022\n"+script)
}

func (y *Yard) must(name string, args ...string) string {
	code, stdout, stderr, err := y.call(name, args...)
	if err == nil && code != 0 {
		err = fmt.Errorf("exit code %d: %s", code, stderr)
	}
	if err != nil {
		y.Fail(fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err))
	}
	return strings.TrimSuffix(stdout, "\n")
}

func (y *Yard) call(name string, args ...string) (code int, stdout, stderr string, err error) {
	ctx, cancel := context.WithTimeout(y.ctx, callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = y.dir, y.env, strings.NewReader(y.fed)
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = ctx.Err()
	}
	if cmd.ProcessState != nil {
		code = cmd.ProcessState.ExitCode()
	}
	return code, out.String(), words.String(), err
}

// Start and End record the boundaries of a turn; Turn does both around work.
func (y *Yard) Start(thread string) { y.OK("turn", "start", "--thread", thread) }

// End records the end of the open turn of a thread.
func (y *Yard) End(thread string) { y.OK("turn", "end", "--thread", thread) }

// Turn records what work does as one turn.
func (y *Yard) Turn(thread string, work func()) {
	y.Start(thread)
	work()
	y.End(thread)
}

// Stage empties the staged set, stages what args name, and returns the plan.
func (y *Yard) Stage(args ...string) Plan {
	y.OK("unstage")
	y.OK(append([]string{"stage"}, args...)...)
	return y.Plan()
}

// Plan is what is staged, worked out.
func (y *Yard) Plan() Plan {
	var p Plan
	y.JSON(0, &p, "plan")
	return p
}

// Rollback carries the staged set out as it was reviewed (must exit with code) and
// counts the time that it took.
func (y *Yard) Rollback(code int, fingerprint string, flags ...string) Result {
	var r Result
	began := time.Now()
	y.JSON(code, &r, append([]string{"rollback", "--expect", fingerprint}, flags...)...)
	y.Tally.Took = append(y.Tally.Took, time.Since(began))
	return r
}

// Undo takes the newest rollback back.
func (y *Yard) Undo() Result {
	var r Result
	y.JSON(0, &r, "undo")
	return r
}
