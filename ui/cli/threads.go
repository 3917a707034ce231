package cli

import (
	"bufio"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"overturn/model"
)

func newThreads(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "threads",
		Short: "List the threads: conversations of agents that recorded turns here",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			threads, err := e.ledger.Threads(cmd.Context())
			if err != nil {
				return err
			}
			wire := struct {
				Threads []model.Thread `json:"threads"`
			}{model.NotNil(threads)}
			return a.emit("overturn.threads/1", wire, func(w *bufio.Writer) {
				a.threadLines(w, threads)
			})
		},
	}
}

// threadLines are the threads in columns, each as wide as what stands in it.
func (a *app) threadLines(w *bufio.Writer, threads []model.Thread) {
	var rows [][]string
	widths := make([]int, 5)
	for _, t := range threads {
		row := []string{safe(string(t.ID)), safe(t.Agent), count(t.Turns, "turn"), t.WorkTree, a.age(t.LastAt)}
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
		rows = append(rows, row)
	}
	for i, row := range rows {
		for j, cell := range row {
			fmt.Fprintf(w, "%-*s  ", widths[j], cell)
		}
		fmt.Fprintln(w, oneLine(threads[i].Title, 60))
	}
}

// age is how long ago at was, in one unit.
func (a *app) age(at time.Time) string {
	if at.IsZero() {
		return "never"
	}
	switch d := a.env.Clock().Sub(at); {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh ago", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd ago", int(d.Hours()/24))
	}
}

// count words n things.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
