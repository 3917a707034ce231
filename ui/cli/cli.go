// Package cli holds the verbs of the command line, one file each. It is the
// one room that builds the engines and wires them together; it holds no rule of
// the domain.
//
// Invariants: stdout carries a verb's result and nothing else, words for people
// go to stderr; every error passes through exit.go, which alone knows exit codes;
// engines are built on first use, so that a hook pays for what it needs and no
// more. A crash leaves behind what the engine in use leaves behind.
package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"overturn/model"
)

// Main runs one command line and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := newApp(stdin, stdout, stderr)
	defer a.close()
	if len(args) > 0 && args[0] == hookName {
		// The tree of verbs costs a hook more than what most events have to be told.
		if call, help := parseHookArgs(args[1:]); !help {
			a.hook(call)
			return 0
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	root := newRoot(a)
	root.SetArgs(args)
	verb, err := root.ExecuteContextC(ctx)
	return a.exit(withHelp(err, verb.CommandPath()))
}

// endings are the signals that cancel a verb, so that what it began is unwound: a
// terminal that closes is one of them, unless it is not to matter (nohup).
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// newRoot is the tree of verbs. Verbs are built without side effects.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "overturn",
		Short: "Review what coding agents did, and take back what you do not want",
		Long: `overturn records every turn of a coding agent as a hidden git snapshot, shows
what changed, and takes back exactly the paths and hunks that you do not want,
next to your own uncommitted work. Without a verb it opens the review.

` + exitTable,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noVerb,
		RunE:          func(cmd *cobra.Command, _ []string) error { return runReview(cmd.Context(), a, model.Scope{}, false) },
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(wrongFlag)
	flags := root.PersistentFlags()
	flags.StringVarP(&a.dir, "directory", "C", ".", "run as if started in `DIR`")
	flags.BoolVar(&a.json, "json", false, "print one JSON object instead of text")
	flags.BoolVar(&a.noColor, "no-color", false, "print no colour")
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(newHelp())
	root.AddCommand(verbs(a)...)
	addExamples(root)
	return root
}

// verbs lists every verb in the order of the help.
func verbs(a *app) []*cobra.Command {
	return []*cobra.Command{
		newReview(a), newPager(a), newDemo(a),
		newEnable(a), newDisable(a), newAgents(a), newHook(a), newTurn(a), newRun(a),
		newStatus(a), newThreads(a), newTurns(a), newShow(a), newDiff(a),
		newStage(a), newUnstage(a), newPlan(a), newRollback(a), newRevert(a),
		newComments(a), newHistory(a), newUndo(a), newRedo(a), newRecover(a),
		newCheckpoint(a), newSync(a), newGitHook(a), newTrace(a), newDoctor(a), newConfig(a), newThemes(a), newCompletion(a), newMan(a), newVersion(a),
	}
}
