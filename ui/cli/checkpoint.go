package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"overturn/gitops/checkpoint"
	"overturn/model"
)

func newCheckpoint(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "checkpoint",
		Short: "List, show, fill, migrate and prune the durable records of turns",
		Args:  noVerb,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCheckpointList(a), newCheckpointShow(a), newCheckpointBackfill(a), newCheckpointMigrate(a), newCheckpointPrune(a))
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
	Remotes []string             `json:"remotes,omitempty"` // that have it, where they were asked

	Reverted bool `json:"reverted,omitempty"` // its turn is out of the thread: a revert took it back
}

// checkpointRow is a record in one line; one that cannot be read is listed as an
// error, not left out.
func (e *engines) checkpointRow(ctx context.Context, info checkpoint.Info) checkpointWire {
	row := checkpointWire{ID: info.ID, Backend: info.Type, At: info.At, Status: model.StatusError, Local: true}
	if record, err := e.records.Read(ctx, info.ID); err == nil {
		row.Thread, row.Turn, row.Status = record.Turn.Thread, record.Turn.Number, record.Turn.Status
	}
	return row
}

// idStart refuses what cannot be the start of an id: at most 26 digits and
// lower-case letters.
func idStart(prefix, noun string) error {
	ours := func(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' }
	if prefix == "" || len(prefix) > 26 || strings.TrimFunc(prefix, ours) != "" {
		return model.Usagef("%q is not the id of a %s, nor the start of one: ids are in lower case", prefix, noun).
			WithHint("`overturn history` lists rollbacks, `overturn checkpoint list` checkpoints, `overturn comments` comments")
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
		return "", model.Usagef("no %s has an id that starts with %q", noun, prefix).WithHint("`overturn history` lists rollbacks, `overturn checkpoint list` checkpoints, `overturn comments` comments")
	case 1:
		return found[0], nil
	}
	return "", model.Usagef("%d %ss have ids that start with %q", len(found), noun, prefix).WithHint("give more of the id")
}
