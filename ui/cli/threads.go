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
		Long: "List the threads: conversations of agents that recorded turns here.\n\n" +
			"Those whose ids begin with t3: or entire: were recorded by T3 Code and by the Entire CLI. They open as any other\n" +
			"with --thread, and nothing of theirs is ever written. What cannot be read of them is told behind the list.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			threads, odd, err := e.book.All(cmd.Context())
			if err != nil {
				return err
			}
			wire := struct {
				Threads    []model.Thread  `json:"threads"`
				Unreadable []model.RefNote `json:"unreadable"` // of what other programs recorded
			}{model.NotNil(threads), model.NotNil(odd)}
			return a.emit("overturn.threads/1", wire, func(w *bufio.Writer) {
				a.threadLines(w, threads)
				for _, note := range odd {
					a.say("%s: %s", safe(note.Ref), safe(note.Reason))
				}
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
