package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"overturn/gitops/checkpoint"
	"overturn/gitops/remotes"
	"overturn/model"
)

func newSyncFetch(a *app) *cobra.Command {
	var remote string
	cmd := &cobra.Command{
		Use:   "fetch [ID…]",
		Short: "Bring records that are not here from remotes",
		Long: `Bring the records named from the first remote that has them; without a name all
that the remotes have. What is here and at a remote is joined. "checkpoint list
--remote" shows what there is without bringing it.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var ids []model.ID
			for _, arg := range args {
				id, err := checkpoint.ParseID(arg)
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			if remote != "" {
				e.settings.Checkpoints.Remote, e.settings.Checkpoints.Offered = remote, false
			}
			x, err := e.remotes(remotes.Limits{})
			if err != nil {
				return err
			}
			if len(ids) > 0 {
				return a.fetchRecords(cmd.Context(), x, ids)
			}
			return a.fetchAll(cmd.Context(), x)
		},
	}
	cmd.Flags().StringVar(&remote, "remote", "", "from `REMOTE` alone: its name, or an address")
	return cmd
}

// fetchAll brings all records of every candidate; that one fails takes nothing from
// the others.
func (a *app) fetchAll(ctx context.Context, x *exchange) error {
	targets, err := x.Candidates(ctx)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return noRemote()
	}
	s := newSyncWire()
	var failed []error
	for _, t := range targets {
		f, err := x.FetchAll(ctx, t)
		part := remoteWire{Remote: t.Label(), Fetched: append(f.New, f.Changed...)}
		for _, k := range f.Kept {
			part.Queued = append(part.Queued, queuedWire{k.Ref, k.Reason})
		}
		if err != nil {
			part.Failure = err.Error()
			failed = append(failed, err)
		}
		s.add(part)
	}
	if err := a.emit("overturn.sync/1", s, func(w *bufio.Writer) { fetchLines(w, s) }); err != nil {
		return err
	}
	switch cause := errors.Join(failed...); {
	case len(failed) == len(targets):
		return cause
	case cause != nil:
		return partly(cause, missing)
	case len(s.Queued) > 0:
		return partly(nil, "the report says why a record stays; the others came")
	}
	return nil
}

// missing is what helps where a remote did not answer.
const missing = "what is missing comes with the next fetch"

func partly(cause error, hint string) error {
	e := model.Errorf(model.CodePartial, "done in part")
	e.Err = cause
	return e.WithHint("%s", hint)
}

func noRemote() error {
	return model.Usagef("there is no remote to exchange records with").
		WithHint("git remote add NAME ADDRESS makes one; the setting checkpoints.remote chooses one of several")
}

func fetchLines(w *bufio.Writer, s *syncWire) {
	for _, r := range s.Remotes {
		if r.Failure == "" {
			fmt.Fprintf(w, "%s came from %s\n", count(len(r.Fetched), "record"), safe(r.Remote))
		}
		for _, q := range r.Queued {
			fmt.Fprintf(w, "  %s stays as it is here: %s\n", safe(refLabel(q.Ref)), safe(q.Reason))
		}
	}
}

// placeOf is the ref by which a record is here: its own, else the branch of records.
func (x *exchange) placeOf(ctx context.Context, id model.ID) string {
	if name, err := checkpoint.RefName(id); err == nil {
		if held, err := x.Refs.Read(ctx, name); err == nil && held != "" {
			return name
		}
	}
	return checkpoint.BranchRef
}

// fetchRecords brings records by their ids.
func (a *app) fetchRecords(ctx context.Context, x *exchange, ids []model.ID) error {
	s := newSyncWire()
	var parts []remoteWire
	var failed error
	for _, id := range ids {
		from, found, err := x.FetchFrom(ctx, id)
		switch {
		case err != nil:
			failed = errors.Join(failed, model.Failf(err, "checkpoint %s cannot be fetched", id))
		case found:
			i := slices.IndexFunc(parts, func(part remoteWire) bool { return part.Remote == from.Label() })
			if i < 0 {
				i = len(parts)
				parts = append(parts, remoteWire{Remote: from.Label()})
			}
			parts[i].Fetched = append(parts[i].Fetched, x.placeOf(ctx, id))
		default:
			failed = errors.Join(failed, model.Errorf(model.CodeFailed, "no remote has checkpoint %s", id).
				WithHint("overturn checkpoint list --remote shows what there is"))
		}
	}
	for _, part := range parts {
		s.add(part)
	}
	err := a.emit("overturn.sync/1", s, func(w *bufio.Writer) {
		if len(parts) == 0 {
			fmt.Fprintln(w, "0 records came")
		}
		fetchLines(w, s)
	})
	if failed != nil && len(parts) > 0 {
		failed = partly(failed, missing)
	}
	return errors.Join(err, failed)
}
