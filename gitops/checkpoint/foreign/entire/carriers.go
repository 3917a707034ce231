package entire

import (
	"context"
	"strings"
	"time"

	"overturn/model"
)

// Carrier is a commit of the project that carries the id of a checkpoint.
type Carrier struct {
	Commit, Tree   string
	Parent, Before string // its first parent and that one's tree; "" for the first commit of a history
	At, ParentAt   time.Time
	Of             int  // how many checkpoints it carries: a squash has several
	Cut            bool // its parent is not stored here: a shallow clone
}

// The bounds of the search for carriers.
const (
	mostCarriers = "5000"
	searchTime   = 10 * time.Second
)

// Carriers finds the commits that carry ids of checkpoints, by id: on any branch, here or
// as fetched. Where several carry one id (a commit that was rebased or picked), the one
// that HEAD has counts, else the newest. since bounds the search.
func (r *Reader) Carriers(ctx context.Context, since time.Time) (map[string]Carrier, error) {
	head, err := r.repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	found := map[string]Carrier{}
	tips := [][]string{{"--branches", "--remotes"}}
	if head.Commit != "" {
		tips = [][]string{{"HEAD"}, {"--branches", "--remotes"}}
	}
	for _, from := range tips {
		args := []string{"rev-list", "--max-count=" + mostCarriers, "--grep=^" + trailerKey + ": ", "--regexp-ignore-case", "--basic-regexp"}
		if !since.IsZero() {
			args = append(args, "--since="+since.Add(-24*time.Hour).Format(time.RFC3339))
		}
		out, err := r.repo.Git(ctx, append(args, from...)...)
		if err != nil {
			return found, model.Failf(err, "the commits that carry ids of the Entire CLI's cannot be searched")
		}
		for _, oid := range strings.Fields(string(out)) {
			if err := r.carrier(ctx, oid, found); err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// carrier adds a commit for the ids that have none yet.
func (r *Reader) carrier(ctx context.Context, oid string, found map[string]Carrier) error {
	c, err := r.objects.Commit(ctx, oid)
	if err != nil {
		return err
	}
	ids := TrailerIDs(c.Message)
	at := Carrier{Commit: oid, Tree: c.Tree, At: sane(c.Committer.When), Of: len(ids)}
	if len(c.Parents) > 0 {
		before, err := r.objects.Commit(ctx, c.Parents[0])
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			at.Cut = true
		default:
			at.Parent, at.Before, at.ParentAt = c.Parents[0], before.Tree, sane(before.Committer.When)
		}
	}
	for _, id := range ids {
		if _, ok := found[id]; !ok {
			found[id] = at
		}
	}
	return nil
}

// sane is a time that can be shown and written; zero for any other.
func sane(at time.Time) time.Time {
	const last = 9999
	if at = at.UTC(); at.Year() < 1970 || at.Year() > last {
		return time.Time{}
	}
	return at
}
