package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/review/agents/effects"
	"overturn/review/ledger"
)

func newRun(a *app) *cobra.Command {
	var thread string
	cmd := &cobra.Command{
		Use:   "run [--thread T] -- CMD…",
		Short: "Record one command as one turn",
		Long: `Run a command, with this terminal, and record what it does as one turn of a
thread ("run" when none is named). Exits with the command's own code.`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return model.Usagef("run needs a command").WithHint("overturn run -- make build")
			}
			id, err := requiredThread(thread)
			if err != nil {
				return err
			}
			return a.runTurn(cmd.Context(), id, args)
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().StringVar(&thread, "thread", "run", "record as a turn of thread `T`")
	return cmd
}

// runTurn records the start, runs the command to its end, records the end. What
// happens to the recording after the command began changes nothing about it.
func (a *app) runTurn(ctx context.Context, thread model.ThreadID, argv []string) error {
	e, err := a.open(ctx, a.dir)
	if err != nil {
		return err
	}
	if err := e.repo.EnsureStateDir(); err != nil {
		return err
	}
	start := ledger.StartEvent{Thread: thread, Agent: "generic", Prompt: effects.Masked(argv), PID: ledger.ProcessOf(os.Getpid())}
	begun, err := e.ledger.Start(ctx, start)
	if err != nil {
		return err
	}
	a.sayUnprotected(&begun)
	state, code := a.runCommand(argv)
	turn, err := e.ledger.End(context.WithoutCancel(ctx), ledger.EndEvent{Thread: thread, Agent: "generic", State: state})
	if err != nil {
		a.say("the end of the turn was not recorded: %s", safe(err.Error()))
	} else {
		if begun.Status == model.StatusReady {
			a.sayUnprotected(&turn)
		}
		if a.json {
			if err := a.emitTurn(&turn); err != nil {
				a.say("%s", safe(err.Error()))
			}
		}
	}
	if code != 0 {
		return childExit(code)
	}
	return nil
}

// runCommand runs argv with our streams and folder. Signals that reach us alone
// are passed on; those of the terminal reach the command by themselves.
func (a *app) runCommand(argv []string) (model.TurnState, int) {
	child := exec.Command(argv[0], argv[1:]...)
	child.Dir = a.dir
	child.Env = a.env.Environ
	child.Stdin, child.Stdout, child.Stderr = a.stdin, a.stdout, a.stderr
	pass, stop := holdSignals()
	err := child.Start()
	if err == nil {
		pass(child.Process)
		err = child.Wait()
	}
	interrupted := stop()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return model.TurnCompleted, 0
	case errors.As(err, &exit):
		code, bySignal := exitCode(exit.ProcessState)
		if bySignal || interrupted {
			return model.TurnInterrupted, code
		}
		return model.TurnFailed, code
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		a.say("%s: command not found", safe(argv[0]))
		return model.TurnFailed, 127
	default:
		a.say("cannot run %s: %s", safe(argv[0]), safe(err.Error()))
		return model.TurnFailed, 126
	}
}
