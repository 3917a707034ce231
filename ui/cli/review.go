package cli

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/ui"
)

func newReview(a *app) *cobra.Command {
	var thread string
	cmd := &cobra.Command{
		Use:   "review [SCOPE]",
		Short: "Open the review; without a terminal on stdout the same as status",
		Long: `Open the review; without a terminal on stdout the same as status. Without SCOPE
it opens on the latest turn, or the working tree where nothing is recorded.

` + scopeHelp,
		Args: oneAtMost,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return runReview(cmd.Context(), a, model.Scope{Thread: model.ThreadID(thread)}, false)
			}
			scope, err := model.ParseScope(args[0])
			if err != nil {
				return err
			}
			scope.Thread = model.ThreadID(thread)
			return runReview(cmd.Context(), a, scope, true)
		},
	}
	cmd.Flags().StringVar(&thread, "thread", "", "of thread `T` (default: the one with the newest turn here)")
	return cmd
}

// runReview opens the review on a scope, or, when none is chosen, on the latest
// turn, else the working tree.
func runReview(ctx context.Context, a *app, scope model.Scope, chosen bool) error {
	if a.json || !isTerminal(a.stdout) || !isTerminal(a.stdin) {
		return a.status(ctx)
	}
	e, err := a.open(ctx, a.dir)
	if err != nil {
		return err
	}
	engine, err := newScreen(e)
	if err != nil {
		return err
	}
	if scope.Thread != "" {
		if engine.named, err = e.thread(ctx, string(scope.Thread)); err != nil {
			return err
		}
		scope.Thread = engine.named
	}
	o := ui.Options{
		Engine: engine, In: a.stdin.(*os.File), Out: a.stdout.(*os.File),
		Getenv: a.terminalEnv, Clock: a.env.Clock, Theme: a.env.Getenv("OVERTURN_THEME"),
	}
	if chosen {
		o.Scope = &scope
	}
	return ui.Run(ctx, o)
}

// terminalEnv is the environment with --no-color told in the word that terminal
// programs know it by.
func (a *app) terminalEnv(name string) string {
	if a.noColor && name == "NO_COLOR" {
		return "1"
	}
	return a.env.Getenv(name)
}
