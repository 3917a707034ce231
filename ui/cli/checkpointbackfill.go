package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/review/backfill"
)

func newCheckpointBackfill(a *app) *cobra.Command {
	var thread string
	var limit int
	var fetch bool
	cmd := &cobra.Command{
		Use:   "backfill",
		Short: "Add to records what came after their turns",
		Long: `Adds to the records of a thread's turns what they lack: the summary of files
that failed, the turn's part of the agent's transcript, and who owned the
changes, as a review shows it now. What cannot be had is told with its reason,
and tried again the next time (exit 3).`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			id, err := e.thread(cmd.Context(), thread)
			if err != nil {
				return err
			}
			turns, err := e.ledger.Briefs(cmd.Context(), id, limit)
			if err != nil {
				return err
			}
			var done []backfill.Result
			fill := e.backfill()
			if fill.Records, err = e.recordsWith(fetch); err != nil {
				return err
			}
			for i := range turns {
				if cmd.Context().Err() != nil {
					return context.Cause(cmd.Context())
				}
				if !pruned(&turns[i]) {
					done = append(done, fill.Turn(cmd.Context(), &turns[i]))
				}
			}
			return a.emitFilled(done)
		},
	}
	cmd.Flags().StringVar(&thread, "thread", "", "of thread `T` (default: the one with the newest turn here)")
	cmd.Flags().BoolVar(&fetch, "fetch", false, "bring a record that is not here from a remote first")
	cmd.Flags().IntVar(&limit, "limit", 0, "the newest `N` turns only")
	return cmd
}

// pruned tells of a turn whose record was let go on purpose.
func pruned(t *model.Turn) bool { return strings.HasPrefix(t.StatusReason, "pruned") }

func (e *engines) backfill() backfill.Deps {
	return backfill.Deps{Ledger: e.ledger, Records: e.records, Files: e.ownedFiles, Clock: e.app.env.Clock}
}

// ownedFiles are the files of a turn with their owners, as a review shows them.
func (e *engines) ownedFiles(ctx context.Context, thread model.ThreadID, n int) ([]model.FileChange, error) {
	engine := e.reading()
	cs, err := engine.Compare(ctx, model.Scope{Kind: model.ScopeTurn, Turn: n, Thread: thread})
	if err != nil {
		return nil, err
	}
	files := make([]model.FileChange, 0, len(cs.Files))
	for _, f := range cs.Files {
		row, err := engine.Row(ctx, cs, f)
		if err != nil {
			return nil, err
		}
		files = append(files, row)
	}
	return files, nil
}

func (a *app) emitFilled(done []backfill.Result) error {
	wire := struct {
		Records []backfill.Result `json:"records"`
	}{model.NotNil(done)}
	n := map[backfill.Outcome]int{}
	for _, r := range done {
		n[r.Outcome]++
	}
	short := n[backfill.Absent] + n[backfill.Failed] + n[backfill.Damaged]
	err := a.emit("overturn.backfill/1", wire, func(w *bufio.Writer) {
		for _, r := range done {
			what := strings.Join(r.Added, ", ")
			if r.Reason != "" {
				what = strings.TrimPrefix(what+"; "+r.Reason, "; ")
			}
			if what != "" {
				fmt.Fprintf(w, "turn %-4d %-8s %s\n", r.Turn, r.Outcome, safe(what))
			}
		}
		fmt.Fprintf(w, "%s filled, %d whole already, %d not\n", count(n[backfill.Filled], "record"), n[backfill.Whole], short)
	})
	if err == nil && short > 0 {
		err = model.Errorf(model.CodePartial, "done in part: %s not filled", count(short, "record")).WithHint("the reasons are above; run it again when they are mended")
	}
	return err
}

// attributeTime bounds what a review that ends spends on the record of its turn.
const attributeTime = 2 * time.Second

// attribute has the record of the newest turn, which a review that ends has shown, say
// who owned its changes. It is a service to readers elsewhere: without it they see
// what the turn's end told.
func (e *engines) attribute(ctx context.Context, thread model.ThreadID) {
	ctx, cancel := context.WithTimeout(ctx, attributeTime)
	defer cancel()
	if thread == "" {
		var err error
		if thread, err = e.ledger.Default(ctx); err != nil {
			return
		}
	}
	if turns, err := e.ledger.Briefs(ctx, thread, 1); err == nil && len(turns) == 1 && !pruned(&turns[0]) {
		e.backfill().Turn(ctx, &turns[0])
	}
}
