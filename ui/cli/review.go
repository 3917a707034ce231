package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/model/settings"
	"overturn/ui"
	"overturn/ui/plain"
	"overturn/ui/terminal"
)

func newReview(a *app) *cobra.Command {
	var thread string
	var lines bool
	cmd := &cobra.Command{
		Use:   "review [SCOPE]",
		Short: "Open the review; without a terminal on stdout the same as status",
		Long: `Open the review; without a terminal on stdout the same as status. Without SCOPE
it opens on the latest turn, or the working tree where nothing is recorded.
With --plain it reads commands line by line and answers in lines of words, for
screen readers, logs and scripts; help there lists the commands.

` + scopeHelp,
		Args: oneAtMost,
		RunE: func(cmd *cobra.Command, args []string) error {
			var scope model.Scope
			if len(args) > 0 {
				var err error
				if scope, err = model.ParseScope(args[0]); err != nil {
					return err
				}
			}
			scope.Thread = model.ThreadID(thread)
			if lines {
				return a.reviewPlain(cmd.Context(), scope, len(args) > 0)
			}
			return runReview(cmd.Context(), a, scope, len(args) > 0)
		},
	}
	cmd.Flags().BoolVar(&a.noMouse, "no-mouse", false, "leave the mouse to the terminal")
	cmd.Flags().BoolVar(&lines, "plain", false, "line by line, without a screen")
	cmd.Flags().StringVar(&thread, "thread", "", "of thread `T` (default: the one with the newest turn here)")
	return cmd
}

// runReview opens the review on a scope, or, when none is chosen, on the latest
// turn, else the working tree.
func runReview(ctx context.Context, a *app, scope model.Scope, chosen bool) error {
	if a.json || !isTerminal(a.stdout) || !isTerminal(a.stdin) {
		if err := a.reviewable(ctx, scope, chosen); err != nil {
			return err
		}
		return a.status(ctx)
	}
	e, engine, err := a.openScreen(ctx, &scope)
	if err != nil {
		return err
	}
	o := ui.Options{
		Engine: engine, In: a.stdin.(*os.File), Out: a.stdout.(*os.File),
		Getenv: a.terminalEnv, Clock: a.env.Clock, Theme: e.settings.Review.Theme,
		NoMouse: a.noMouse || !e.settings.Review.Mouse, Sync: e.settings.Review.Sync, Keys: bound(e.settings),
	}
	for _, p := range a.problems(e.repo.Root, e.settings) {
		theirs := strings.HasPrefix(p.Where, filepath.Join(e.repo.Root, ".overturn")) // the reader did not write it
		if !theirs && !strings.HasPrefix(p.Name, settings.KeyPrefix) {                // the review finds keys itself
			o.Notes = append(o.Notes, p.Name+": "+p.Reason)
		}
	}
	if chosen {
		o.Scope = &scope
	}
	if err := ui.Run(ctx, o); err != nil {
		return err
	}
	e.attribute(ctx, engine.named)
	return nil
}

// reviewable tells what keeps a scope that was named from being reviewed; where none was,
// nothing does.
func (a *app) reviewable(ctx context.Context, scope model.Scope, chosen bool) error {
	if !chosen && scope.Thread == "" {
		return nil
	}
	e, err := a.openSettled(ctx)
	if err != nil {
		return err
	}
	if scope.Thread != "" {
		if scope.Thread, err = e.thread(ctx, string(scope.Thread)); err != nil {
			return err
		}
	}
	if chosen {
		_, err = e.reading().Resolve(ctx, scope)
	}
	return err
}

// openScreen opens the engines of a review; the thread that scope names becomes one
// that is recorded.
func (a *app) openScreen(ctx context.Context, scope *model.Scope) (*engines, *screen, error) {
	e, err := a.open(ctx, a.dir)
	if err != nil {
		return nil, nil, err
	}
	engine, err := newScreen(e)
	if err == nil && scope.Thread != "" {
		engine.named, err = e.thread(ctx, string(scope.Thread))
		scope.Thread = engine.named
	}
	return e, engine, err
}

// reviewPlain is the review line by line.
func (a *app) reviewPlain(ctx context.Context, scope model.Scope, chosen bool) error {
	_, engine, err := a.openScreen(ctx, &scope)
	if err != nil {
		return err
	}
	o := plain.Options{Engine: engine, Clock: a.env.Clock, In: a.stdin, Out: a.stdout, Prompt: isTerminal(a.stdin) && isTerminal(a.stdout)}
	if in, ok := a.stdin.(*os.File); ok && o.Prompt {
		o.Forget = func() { terminal.ForgetTyped(in) }
	}
	if chosen {
		o.Scope = &scope
	}
	return plain.Run(ctx, o)
}

// terminalEnv is the environment with --no-color told in the word that terminal
// programs know it by.
func (a *app) terminalEnv(name string) string {
	if a.noColor && name == "NO_COLOR" {
		return "1"
	}
	return a.env.Getenv(name)
}
