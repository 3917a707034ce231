package cli

import (
	"bufio"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"overturn/model"
)

func newThreads(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "threads",
		Short: "List the threads: conversations of agents that recorded turns here",
		Args:  cobra.NoArgs,
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
				for _, t := range threads {
					fmt.Fprintf(w, "%s  %-12s %s  %s  %s  %s\n", safe(string(t.ID)), safe(t.Agent), count(t.Turns, "turn"),
						t.WorkTree, a.age(t.LastAt), oneLine(t.Title, 60))
				}
			})
		},
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
