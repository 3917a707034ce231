//go:build linux || darwin

package prune_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/model"
	"overturn/model/settings"
)

// TestRecordsGoWithTheirTurns: on either backend, and from both where a record was
// migrated; the branch itself stays, with those that stay.
func TestRecordsGoWithTheirTurns(t *testing.T) {
	for _, primary := range []string{checkpoint.TypeRefs, checkpoint.TypeBranch} {
		for _, dry := range []bool{true, false} {
			o := newOldOn(t, settings.Checkpoints{Primary: primary})
			before := o.records()
			done, err := o.prune(model.PruneRule{DryRun: dry})
			o.must(err)
			want := "5" // of turn 4 its end alone stays, which turn 5 starts from
			if dry {
				want = "1 2 3 4 5"
			}
			if got := o.records(); got != want || before != "1 2 3 4 5" {
				t.Errorf("%s dry %v: records of %q, want %q", primary, dry, got, want)
			}
			removed := func(r string) bool {
				return strings.HasPrefix(r, checkpoint.RefPrefix) || strings.HasPrefix(r, checkpoint.BranchRef+":")
			}
			if n := len(slices.DeleteFunc(done.Removed, func(r string) bool { return !removed(r) })); n != 4 {
				t.Errorf("%s dry %v: told of %d records, %v", primary, dry, n, done.Removed)
			}
			kept := slices.ContainsFunc(done.Kept, func(k model.RefNote) bool {
				return removed(k.Ref) && k.Reason == "it is the newest turn of its work tree"
			})
			if !kept {
				t.Errorf("%s dry %v: kept are %v", primary, dry, done.Kept)
			}
		}
	}
}

// TestRecordsOnTheBranchThatNothingNames go by the age that they tell themselves.
func TestRecordsOnTheBranchThatNothingNames(t *testing.T) {
	o := newOldOn(t, settings.Checkpoints{Primary: checkpoint.TypeBranch})
	for id, at := range map[model.ID]time.Time{"0123456789ab": o.at, "ba9876543210": time.Now()} {
		rec := &checkpoint.Record{Format: checkpoint.FormatBranch, Turn: model.Turn{Thread: "elsewhere", Number: 1, Checkpoint: id, StartedAt: at}}
		o.must(checkpoint.CreateNow(t.Context(), checkpoint.Context{Objects: o.deps.Objects, Refs: o.deps.Refs}, o.deps.Records, rec))
	}
	_, err := o.prune(model.PruneRule{})
	o.must(err)
	if got := o.records(); got != "1 5" {
		t.Errorf("records of %q", got)
	}
	if _, err := o.deps.Records.Read(t.Context(), "ba9876543210"); err != nil {
		t.Errorf("the young one: %v", err)
	}
}

// records are the turns of which there is a record.
func (o *old) records() string {
	o.t.Helper()
	infos, err := o.deps.Records.List(o.t.Context())
	o.must(err)
	var list []string
	for _, info := range infos {
		rec, err := o.deps.Records.Read(o.t.Context(), info.ID)
		o.must(err)
		list = append(list, fmt.Sprint(rec.Turn.Number))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}
