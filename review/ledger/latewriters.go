package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/patch"
)

// lateWrites is what is to be said of a turn that ended before its processes did.
type lateWrites struct {
	th     *threadState
	t      *turnFile
	effect model.Effect
}

// namedLate is how many paths are named of those that were changed late.
const namedLate = 5

// noteLateWriters looks, at the start of a turn, for what was changed after the
// turn before had ended. That is the user's; but where that turn is known to have
// left processes behind, these may have written it, and the turn says so. It is a
// word beside what is recorded: that it cannot be worked out fails nothing.
func (p *pass) noteLateWriters(ctx context.Context, th *threadState, n int, tree string) {
	t, err := th.turn(n - 1)
	if err != nil || t == nil || t.Turn.End == nil || t.Turn.End.Tree == tree || !leftProcesses(t.Turn.Effects) {
		return
	}
	var paths []string
	err = p.l.d.Objects.DiffFunc(ctx, t.Turn.End.Tree, tree, func(c objects.TreeChange) error {
		paths = append(paths, patch.Quote(c.Path))
		return nil
	})
	if err != nil || len(paths) == 0 {
		return
	}
	what := fmt.Sprintf("%d paths", len(paths))
	if len(paths) <= namedLate {
		what = strings.Join(paths, ", ")
	}
	p.late = append(p.late, lateWrites{th, t, model.Effect{
		Domain: model.DomainProcesses, At: p.now, Reversible: model.ReversibleUnknown,
		Summary:      "changed after the end of the turn, while processes that it started may have run: " + what,
		Compensation: "look at these paths: they count as the user's and stay in a rollback of the turn",
	}})
}

func leftProcesses(effects []model.Effect) bool {
	return slices.ContainsFunc(effects, func(e model.Effect) bool { return e.Domain == model.DomainProcesses })
}

// tellLateWriters adds it to the evidence and to the local file; the record gets it
// when it is written the next time (Settle).
func (p *pass) tellLateWriters() error {
	for _, late := range p.late {
		n := late.t.Turn.Number
		line := evidenceLine{Kind: lineEffect, At: p.now, Late: true, Effect: &late.effect}
		if err := late.th.dir.appendEvidence(n, line); err != nil {
			return err
		}
		late.th.fill(late.t)
		late.t.Turn.Effects = append(late.t.Turn.Effects, late.effect)
		if err := late.th.dir.writeTurn(late.t, false); err != nil {
			return err
		}
		if err := p.l.setMark(markWaiting, ThreadTurn{late.th.id, n}); err != nil {
			return err
		}
	}
	return nil
}
