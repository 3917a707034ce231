package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"overturn/gitops/checkpoint"
	"overturn/model"
)

func newCheckpoint(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "checkpoint",
		Short: "List, show and prune the durable records of turns",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCheckpointList(a), newCheckpointShow(a), newCheckpointPrune(a))
	return cmd
}

// checkpointWire is one line of `checkpoint list`.
type checkpointWire struct {
	ID      model.ID             `json:"id"`
	Backend string               `json:"backend"`
	Thread  model.ThreadID       `json:"thread"`
	Turn    int                  `json:"turn"`
	At      time.Time            `json:"at"`
	Status  model.SnapshotStatus `json:"status"`
	Local   bool                 `json:"local"`
	Remote  bool                 `json:"remote"`
}

func newCheckpointList(a *app) *cobra.Command {
	var thread string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the records, newest first",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			infos, err := e.records.List(cmd.Context())
			if err != nil {
				return err
			}
			wire := struct {
				Checkpoints []checkpointWire `json:"checkpoints"`
			}{[]checkpointWire{}}
			for _, info := range infos {
				if row := e.checkpointRow(cmd.Context(), info); strings.HasPrefix(string(row.Thread), thread) {
					wire.Checkpoints = append(wire.Checkpoints, row)
				}
			}
			return a.emit("overturn.checkpoints/1", wire, func(w *bufio.Writer) {
				for _, c := range wire.Checkpoints {
					fmt.Fprintf(w, "%s  %-8s turn %-4d %-10s %s\n", c.ID, c.Status, c.Turn, a.age(c.At), safe(string(c.Thread)))
				}
			})
		},
	}
	cmd.Flags().StringVar(&thread, "thread", "", "of thread `T` only")
	return cmd
}

// checkpointRow is a record in one line; one that cannot be read is listed as an
// error, not left out.
func (e *engines) checkpointRow(ctx context.Context, info checkpoint.Info) checkpointWire {
	row := checkpointWire{ID: info.ID, Backend: e.records.Type(), At: info.At, Status: model.StatusError, Local: true}
	if record, err := e.records.Read(ctx, info.ID); err == nil {
		row.Thread, row.Turn, row.Status = record.Turn.Thread, record.Turn.Number, record.Turn.Status
	}
	return row
}

func newCheckpointShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show one record; ID may be a prefix that is unique",
		Args:  exactlyOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			infos, err := e.records.List(cmd.Context())
			if err != nil {
				return err
			}
			id, err := uniqueID(args[0], "checkpoint", infos, func(i checkpoint.Info) model.ID { return i.ID })
			if err != nil {
				return err
			}
			record, err := e.records.Read(cmd.Context(), id)
			if err != nil {
				return err
			}
			if a.json {
				return a.emit("overturn.checkpoint/1", record, nil)
			}
			return a.emitTurn(&record.Turn)
		},
	}
}

// idStart refuses what cannot be the start of an id: at most 26 digits and
// lower-case letters.
func idStart(prefix, noun string) error {
	ours := func(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' }
	if prefix == "" || len(prefix) > 26 || strings.TrimFunc(prefix, ours) != "" {
		return model.Usagef("%q is not the id of a %s, nor the start of one: ids are in lower case", prefix, noun).
			WithHint("`overturn history` lists rollbacks, `overturn checkpoint list` checkpoints")
	}
	return nil
}

// uniqueID finds the one id that prefix begins, or says why there is none.
func uniqueID[T any](prefix, noun string, list []T, id func(T) model.ID) (model.ID, error) {
	if err := idStart(prefix, noun); err != nil {
		return "", err
	}
	var found []model.ID
	for _, item := range list {
		if strings.HasPrefix(string(id(item)), prefix) {
			found = append(found, id(item))
		}
	}
	switch len(found) {
	case 0:
		return "", model.Usagef("no %s has an id that starts with %q", noun, prefix).WithHint("`overturn history` lists rollbacks, `overturn checkpoint list` checkpoints")
	case 1:
		return found[0], nil
	}
	return "", model.Usagef("%d %ss have ids that start with %q", len(found), noun, prefix).WithHint("give more of the id")
}
