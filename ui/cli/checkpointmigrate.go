package cli

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/migrate"
	"overturn/model"
)

func newCheckpointMigrate(a *app) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Copy records from the branch to refs of their own",
		Long: `Copies the records on the branch overturn/checkpoints/v1 to refs of their own,
under the ids that they have, each with its history, and reads each one back.
The branch stays as it is. It can be cut short and run again at any time: what
is there already is left, what the branch has more of is added, and a record
that was changed on both sides is told and left as it is on both (exit 3).`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			list, err := migrate.Run(cmd.Context(), a.recordContext(e.repo, e.objects, e.refs, e.trace), dry)
			if err != nil && len(list) > 0 {
				a.say("%s in place before that; run it again for the rest", count(len(list), "record"))
			}
			if err != nil {
				return err
			}
			return a.emitMigrated(e, list, dry)
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "tell what would be copied, and change nothing")
	return cmd
}

func (a *app) emitMigrated(e *engines, list []migrate.Record, dry bool) error {
	n := map[migrate.Outcome]int{}
	for _, one := range list {
		n[one.Outcome]++
	}
	wire := struct {
		DryRun   bool             `json:"dry_run"`
		Migrated int              `json:"migrated"`
		Already  int              `json:"already"`
		Left     int              `json:"left"`
		Records  []migrate.Record `json:"records"`
	}{dry, n[migrate.Migrated], n[migrate.Already], n[migrate.Left], model.NotNil(list)}
	err := a.emit("overturn.migrate/1", wire, func(w *bufio.Writer) {
		for _, one := range list {
			if one.Outcome == migrate.Left {
				fmt.Fprintf(w, "%s  left: %s\n", one.ID, safe(one.Reason))
			}
		}
		verb := "migrated"
		if dry {
			verb = "would be migrated"
		}
		fmt.Fprintf(w, "%s %s, %d there already, %d left\n", count(wire.Migrated, "record"), verb, wire.Already, wire.Left)
	})
	if err == nil && e.records.Type() == checkpoint.TypeBranch && wire.Migrated+wire.Already > 0 {
		a.say("the primary is still %s, which reads them from the branch: `overturn config set checkpoints.primary %s`", checkpoint.TypeBranch, checkpoint.TypeRefs)
	}
	if err == nil && wire.Left > 0 {
		err = model.Errorf(model.CodePartial, "done in part: %s left", count(wire.Left, "record")).WithHint("they are read from the branch as before; the reasons are above")
	}
	return err
}
