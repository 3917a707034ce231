package cli

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback"
)

func newHistory(a *app) *cobra.Command {
	var raw bool
	cmd := &cobra.Command{
		Use:   "history [ID]",
		Short: "List past rollbacks of this work tree, newest first, or show one whole",
		Long: `List past rollbacks of this work tree, newest first. With ID: what it did to each
path and why, the safety snapshot, and whether it can be taken back.`,
		Args: oneAtMost,
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := a.open(cmd.Context(), a.dir)
			if err != nil {
				return err
			}
			engine, err := e.writing()
			if err != nil {
				return err
			}
			entries, err := engine.History(cmd.Context())
			if err != nil {
				return err
			}
			switch {
			case len(args) == 0 && raw:
				return model.Usagef("--patch needs the id of a rollback")
			case len(args) == 0:
				return a.historyList(entries)
			}
			id, err := historyID(entries, args[0])
			if err != nil {
				return err
			}
			if raw {
				return a.historyPatch(cmd.Context(), engine, id)
			}
			return a.historyOne(cmd.Context(), engine, id)
		},
	}
	cmd.Flags().BoolVar(&raw, "patch", false, "print the patch that was confirmed")
	return cmd
}

func (a *app) historyList(entries []model.HistoryEntry) error {
	wire := struct {
		Entries []model.HistoryEntry `json:"entries"`
	}{model.NotNil(entries)}
	return a.emit("overturn.history/1", wire, func(w *bufio.Writer) {
		if len(entries) == 0 {
			a.say("nothing was rolled back in this work tree yet")
		}
		for _, entry := range entries {
			fmt.Fprintf(w, "%s  %-8s %-9s %-9s %-8s %s%s\n", entry.ID, entry.Kind, entry.Outcome, count(len(entry.Paths), "path"), a.age(entry.At), pathsWord(entry.Paths), undoneBy(entry))
			if entry.Why != "" {
				fmt.Fprintf(w, "    why: %s\n", safe(entry.Why))
			}
		}
	})
}

// pathsWord names the first of the paths, and how many more there are.
func pathsWord(paths model.Paths) string {
	switch len(paths) {
	case 0:
		return ""
	case 1:
		return patch.Quote(paths[0])
	}
	return fmt.Sprintf("%s and %d more", patch.Quote(paths[0]), len(paths)-1)
}

func undoneBy(entry model.HistoryEntry) string {
	if entry.UndoneBy == "" {
		return ""
	}
	return "  undone by " + string(entry.UndoneBy)
}

func historyID(entries []model.HistoryEntry, prefix string) (model.ID, error) {
	return uniqueID(prefix, "rollback", entries, func(h model.HistoryEntry) model.ID { return h.ID })
}

func (a *app) historyPatch(ctx context.Context, engine *rollback.Engine, id model.ID) error {
	confirmed, err := engine.HistoryPatch(ctx, id)
	if err == nil {
		_, err = a.patches().Write(confirmed)
	}
	return err
}

func newUndo(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "undo [ID]",
		Short: "Take back a rollback: the newest that is not undone, or ID",
		Args:  oneAtMost,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.takeBack(cmd.Context(), args, func(ctx context.Context, engine *rollback.Engine, id model.ID) (*model.Result, error) {
				return engine.Undo(ctx, id, rollback.ExecuteOptions{Progress: a.progress()})
			})
		},
	}
}

func newRedo(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "redo",
		Short: "Take back the newest undo",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.takeBack(cmd.Context(), args, func(ctx context.Context, engine *rollback.Engine, id model.ID) (*model.Result, error) {
				return engine.Redo(ctx, id, rollback.ExecuteOptions{Progress: a.progress()})
			})
		},
	}
}

// takeBack runs undo or redo, of the entry that args name or the newest.
func (a *app) takeBack(ctx context.Context, args []string, do func(context.Context, *rollback.Engine, model.ID) (*model.Result, error)) error {
	e, err := a.open(ctx, a.dir)
	if err != nil {
		return err
	}
	engine, err := e.writing()
	if err != nil {
		return err
	}
	var id model.ID
	if len(args) == 1 {
		entries, err := engine.History(ctx)
		if err != nil {
			return err
		}
		if id, err = historyID(entries, args[0]); err != nil {
			return err
		}
	}
	result, err := do(ctx, engine, id)
	return a.emitResult(result, err)
}
