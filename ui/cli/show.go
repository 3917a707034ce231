package cli

import (
	"bufio"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/review/patch"
)

func newShow(a *app) *cobra.Command {
	var thread string
	var log bool
	cmd := &cobra.Command{
		Use:   "show N",
		Short: "Show turn N: its snapshot, files, owners and effects",
		Args:  oneAtMost,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return model.Usagef("the number of a turn is needed").WithHint("for example: overturn show latest; `overturn turns` lists them")
			}
			n, err := strconv.Atoi(args[0])
			latest := args[0] == "latest"
			if (err != nil || n < 0) && !latest {
				return model.Usagef("%q is not a turn number", args[0]).WithHint("`overturn turns` lists them")
			}
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			id, err := e.thread(cmd.Context(), thread)
			if err != nil {
				return err
			}
			if latest {
				if n, err = e.newestTurn(cmd.Context(), id); err != nil {
					return err
				}
			}
			turn, err := e.book.Turn(cmd.Context(), id, n)
			if err != nil {
				return err
			}
			if log {
				return e.showLog(cmd.Context(), &turn)
			}
			one := []model.Turn{turn}
			e.book.Check(cmd.Context(), one)
			e.ownersNow(cmd.Context(), &one[0])
			return a.emitTurn(&one[0])
		},
	}
	cmd.Flags().StringVar(&thread, "thread", "", "of thread `T` (default: the one with the newest turn here)")
	cmd.Flags().BoolVar(&log, "log", false, "write the agent's own log of the turn instead")
	return cmd
}

// newestTurn is the number of a thread's newest turn, finished or not.
func (e *engines) newestTurn(ctx context.Context, id model.ThreadID) (int, error) {
	turns, err := e.book.Turns(ctx, id, 1)
	if err != nil || len(turns) == 0 {
		return 0, err
	}
	return turns[len(turns)-1].Number, nil
}

// emitTurn prints one TURN.
func (a *app) emitTurn(t *model.Turn) error {
	return a.emit("overturn.turn/1", t, func(w *bufio.Writer) {
		fmt.Fprintf(w, "turn %d of thread %s (%s, %s)\n", t.Number, safe(string(t.Thread)), safe(t.Agent), workTreeWords(t.WorkTree))
		if t.Prompt != "" {
			fmt.Fprintf(w, "  prompt      %s\n", oneLine(t.Prompt, 100))
		}
		fmt.Fprintf(w, "  state       %s\n  snapshot    %s%s\n", t.State, t.Status, reason(t.StatusReason))
		if t.Checkpoint != "" {
			fmt.Fprintf(w, "  checkpoint  %s\n", t.Checkpoint)
		}
		boundaryLine(w, "start", t.Start)
		boundaryLine(w, "end", t.End)
		if t.HeadMoved {
			fmt.Fprintln(w, "  HEAD moved during the turn")
		}
		switch {
		case t.State == model.TurnOpen:
			fmt.Fprintln(w, "  files       known when the turn has ended")
		case t.Files == nil && strings.HasSuffix(t.StatusReason, allTheSame): // said above
			fmt.Fprintln(w, "  files       unknown")
		case t.Files == nil:
			fmt.Fprintln(w, "  files       unknown: "+allTheSame)
		}
		for _, f := range t.Files {
			fmt.Fprintf(w, "  %-8s %-7s %s %s\n", f.Change, f.Owner, lineCounts(f), patch.Quote(f.Path))
		}
		for _, n := range t.LeftOut {
			fmt.Fprintf(w, "  left out    %s (%s)\n", patch.Quote(n.Path), safe(n.Reason))
		}
		effectLines(w, t.Effects)
		adviceLine(w, model.Advice(t.Effects))
	})
}

func workTreeWords(name string) string {
	if name == "" {
		return "in which work tree is not known"
	}
	return "work tree " + name
}

// allTheSame is what is said of a turn whose files are not known; some reasons end
// with it.
const allTheSame = "files may have changed all the same"

func reason(s string) string {
	if s == "" {
		return ""
	}
	return ": " + safe(s)
}

func boundaryLine(w *bufio.Writer, name string, b *model.Boundary) {
	if b == nil {
		return
	}
	at := b.Ref
	switch { // of another program, a commit of the project
	case at == "" && b.Commit == "":
		fmt.Fprintf(w, "  %-11s before the first commit\n", name)
		return
	case at == "":
		at = "commit " + b.Commit
	}
	fmt.Fprintf(w, "  %-11s %s %s\n", name, b.CapturedAt.UTC().Format(time.RFC3339), at)
}

func lineCounts(f model.FileChange) string {
	switch {
	case f.Binary:
		return "binary"
	case f.Additions < 0:
		return "not counted"
	}
	return fmt.Sprintf("+%d −%d", f.Additions, f.Deletions)
}

// adviceLine says what to think of before the files are taken back.
func adviceLine(w *bufio.Writer, advice string) {
	if advice != "" {
		fmt.Fprintf(w, "  note        %s\n", advice)
	}
}

func effectLines(w *bufio.Writer, effects []model.Effect) {
	for _, ef := range model.Distinct(effects) {
		fmt.Fprintf(w, "  effect      %s: %s (reversible: %s)\n", ef.Domain, oneLine(ef.Summary, 90), ef.Reversible)
		if ef.Compensation != "" {
			fmt.Fprintf(w, "              to make up for it: %s\n", safe(ef.Compensation))
		}
	}
}
