package cli

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"overturn/model"
)

func newTurns(a *app) *cobra.Command {
	var thread string
	var limit int
	var reverted bool
	cmd := &cobra.Command{
		Use:   "turns",
		Short: "List the turns of a thread, oldest first",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return model.Usagef("--limit must not be negative")
			}
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			id, turns, err := e.turns(cmd.Context(), thread, limit, reverted)
			if err != nil {
				return err
			}
			if thread == "" && !a.json {
				e.sayOthers(cmd.Context(), id)
			}
			if !reverted {
				e.book.Check(cmd.Context(), turns)
			}
			for i := range turns {
				if a.json && !reverted {
					e.ownersNow(cmd.Context(), &turns[i])
				}
			}
			wire := struct {
				Thread model.ThreadID `json:"thread"`
				Turns  []model.Turn   `json:"turns"`
			}{id, model.NotNil(turns)}
			return a.emit("overturn.turns/1", wire, func(w *bufio.Writer) {
				for i := range turns {
					a.turnLine(w, &turns[i])
				}
			})
		},
	}
	cmd.Flags().StringVar(&thread, "thread", "", "of thread `T` (default: the one with the newest turn here)")
	cmd.Flags().IntVar(&limit, "limit", 0, "at most `N` turns (0: all)")
	cmd.Flags().BoolVar(&reverted, "reverted", false, "those that reverts took out of the thread")
	return cmd
}

// thread is the thread that a --thread flag names, or the default one.
func (e *engines) thread(ctx context.Context, name string) (model.ThreadID, error) {
	if name != "" {
		return e.book.Resolve(ctx, name)
	}
	return e.ledger.Default(ctx)
}

// sayOthers tells whose turns are listed where we recorded other threads too.
func (e *engines) sayOthers(ctx context.Context, id model.ThreadID) {
	if threads, err := e.ledger.Threads(ctx); err == nil && len(threads) > 1 {
		e.app.say("of thread %s, the newest of %d: `overturn threads` lists them", safe(string(id)), len(threads))
	}
}

// seen notes that the turns of a scope are shown: until then a prune lets them be for
// a while. Losing the note does nothing else, so its failure is nobody's.
func (e *engines) seen(ctx context.Context, s model.Scope) {
	switch s.Kind {
	case model.ScopeTurn:
		_ = e.book.Seen(ctx, s.Thread, s.Turn, s.Turn)
	case model.ScopeRange, model.ScopeThread:
		_ = e.book.Seen(ctx, s.Thread, s.From+1, s.To)
	}
}

// newestThread is the default thread, "" while nothing is recorded.
func (e *engines) newestThread(ctx context.Context) (model.ThreadID, error) {
	id, err := e.ledger.Default(ctx)
	if model.CodeOf(err) == model.CodeNoRepository {
		return "", nil
	}
	return id, err
}

// turnLine is a turn in one line.
func (a *app) turnLine(w *bufio.Writer, t *model.Turn) {
	fmt.Fprintf(w, "%4d  %-8s %-11s %-18s %-8s %s%s\n", t.Number, t.Status, t.State, filesSummary(t), a.age(t.StartedAt), oneLine(t.Prompt, 60), badges(t))
}

// badges is what must not be missed of a turn: why its snapshot is not ready, and
// that it does not hold everything.
func badges(t *model.Turn) string {
	var b string
	if t.StatusReason != "" {
		b += " [" + safe(t.StatusReason) + "]"
	}
	if n := len(t.LeftOut); n > 0 {
		b += " [" + count(n, "path") + " left out]"
	}
	return b
}

// filesSummary is the number of files and lines that a turn changed, and of how
// many files the lines are not in it.
func filesSummary(t *model.Turn) string {
	sum := model.SumOf(t.Files)
	if sum == nil {
		return "files unknown"
	}
	text := count(sum.Files, "file")
	if counted := sum.Additions > 0 || sum.Deletions > 0; counted || sum.Uncounted == 0 {
		text += fmt.Sprintf(" +%d −%d", sum.Additions, sum.Deletions)
	}
	if sum.Uncounted > 0 {
		text += fmt.Sprintf(", %d not counted", sum.Uncounted)
	}
	return text
}
