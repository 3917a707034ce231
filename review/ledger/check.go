package ledger

import (
	"context"
	"errors"
	"fmt"

	"overturn/gitops/objects"
	"overturn/model"
)

// Bounds of a check: so many of the newest turns, so many objects in all. What lies
// beyond is found out when it is used, before anything is written.
const (
	checkedTurns   = 100
	checkedObjects = 5000
)

// errChecked ends a check that has looked at enough.
var errChecked = errors.New("enough objects were checked")

// Check looks whether the objects that the comparisons of turns need are still
// stored, without reading them: a turn that lacks one gets status error and a
// reason that begins with "incomplete". turns are in the order of Turns.
func (l *Ledger) Check(ctx context.Context, turns []model.Turn) {
	left := checkedObjects
	for i := len(turns) - 1; i >= max(0, len(turns)-checkedTurns); i-- {
		t := &turns[i]
		if t.Status != model.StatusReady || t.Start == nil || t.End == nil {
			continue
		}
		if gone := l.gone(ctx, t, &left); gone != "" && ctx.Err() == nil {
			t.Status, t.StatusReason = model.StatusError, "incomplete: "+gone
		}
		if left <= 0 {
			return
		}
	}
}

// gone says what a turn lacks, "" when nothing is known to be missing.
func (l *Ledger) gone(ctx context.Context, t *model.Turn, left *int) string {
	lost, first := 0, model.Path("")
	err := l.d.Objects.DiffFunc(ctx, t.Start.Tree, t.End.Tree, func(c objects.TreeChange) error {
		if *left -= 2; *left < 0 {
			return errChecked
		}
		for _, side := range []struct {
			mode uint32
			oid  string
		}{{c.OldMode, c.OldOID}, {c.NewMode, c.NewOID}} {
			if side.oid == "" || side.mode == objects.ModeGitlink {
				continue
			}
			if held, err := l.d.Objects.Has(ctx, side.oid); err == nil && !held {
				if lost++; lost == 1 {
					first = c.Path
				}
			}
		}
		return nil
	})
	switch {
	case err != nil && !errors.Is(err, errChecked):
		return "a folder of its snapshots cannot be read: " + err.Error()
	case lost == 1:
		return fmt.Sprintf("content of %q is not stored any more", first)
	case lost > 1:
		return fmt.Sprintf("%d contents are not stored any more, among them of %q", lost, first)
	}
	return ""
}
