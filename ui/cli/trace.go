package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/model/legible"
	"overturn/model/trace"
	"overturn/review/patch"
)

func newTrace(a *app) *cobra.Command {
	var follow bool
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Print what overturn did here, an event a line",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := a.open(cmd.Context(), a.dir)
			if err != nil {
				return err
			}
			file := filepath.Join(e.repo.StateDir(), traceName)
			events, err := trace.Read(file)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(a.stdout)
			for _, ev := range events {
				if err := a.traceLine(out, ev); err != nil {
					return err
				}
			}
			if err := flush(out); err != nil || !follow {
				return err
			}
			return trace.Follow(cmd.Context(), file, func(ev trace.Event) error {
				if err := a.traceLine(out, ev); err != nil {
					return err
				}
				return flush(out)
			})
		},
	}
	cmd.Flags().BoolVar(&follow, "follow", false, "go on printing events as they happen")
	return cmd
}

func (a *app) traceLine(w *bufio.Writer, ev trace.Event) error {
	if a.json {
		line, err := json.Marshal(ev)
		if err != nil {
			return model.Failf(err, "cannot write an event")
		}
		w.Write(legible.JSON(line))
		return w.WriteByte('\n')
	}
	fmt.Fprintf(w, "%s %-26s", ev.At.UTC().Format(time.RFC3339), ev.Event)
	if ev.Thread != "" {
		fmt.Fprintf(w, " %s#%d", safe(string(ev.Thread)), ev.Turn)
	}
	if ev.Outcome != "" {
		fmt.Fprintf(w, " %s", ev.Outcome)
	}
	for _, p := range ev.Paths {
		fmt.Fprintf(w, " %s", patch.Quote(p))
	}
	if ev.Reason != "" {
		fmt.Fprintf(w, " (%s)", safe(ev.Reason))
	}
	return w.WriteByte('\n')
}
