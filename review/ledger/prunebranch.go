package ledger

import (
	"context"
	"slices"

	"overturn/gitops/checkpoint"
	"overturn/model"
)

// onBranch are the places of the records that lie on the branch of records.
func (l *Ledger) onBranch(ctx context.Context) (map[model.ID]string, error) {
	if l.d.Records == nil {
		return nil, nil
	}
	infos, err := l.d.Records.List(ctx)
	if err != nil {
		return nil, err
	}
	places := map[model.ID]string{}
	for _, info := range infos {
		if info.Ref == checkpoint.BranchRef {
			places[info.ID] = info.Where()
		}
	}
	return places, nil
}

// branchRecords lists the records of turns that go which lie on the branch, and says
// of the others there why they stay. They go last, in one commit: killed before that,
// a prune finds them again.
func (l *Ledger) branchRecords(th *threadState, gone []*turnFile, rule model.PruneRule, holds Holds, done *model.Pruned) []model.ID {
	var list []model.ID
	for n := 1; n <= th.last; n++ {
		t, err := th.turn(n)
		if err != nil || t == nil {
			continue // pruneThread has read it
		}
		id := t.Turn.Checkpoint
		place, goes := th.onBranch[id], slices.Contains(gone, t)
		if goes && checkpoint.KindOf(string(id)) == checkpoint.KindHex {
			list = append(list, id) // one that was migrated lies on the branch as well
		}
		switch {
		case place == "":
		case goes:
			done.Removed = append(done.Removed, place)
		default:
			done.Keep(place, or(l.keepsTurn(th, t, rule, holds), keptWhole))
		}
	}
	return list
}
