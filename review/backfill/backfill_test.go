package backfill_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/storetest"
	"overturn/model"
	"overturn/review/backfill"
)

// fakes answer for the ledger and the review; records are real.
type fakes struct {
	part   []byte
	failed error
	summed *model.Turn
	files  []model.FileChange
	asked  int
}

func (f *fakes) Transcript(context.Context, model.ThreadID, int) ([]byte, error) {
	return f.part, f.failed
}

func (f *fakes) Resummarise(context.Context, model.ThreadID, int) (model.Turn, error) {
	if f.summed == nil {
		return model.Turn{}, errors.New("still no time")
	}
	return *f.summed, nil
}

func (f *fakes) changes(context.Context, model.ThreadID, int) ([]model.FileChange, error) {
	f.asked++
	return f.files, f.failed
}

type bench struct {
	*storetest.Bench
	fakes
	deps backfill.Deps
	turn model.Turn
}

// newBench has one record that lacks everything that comes late.
func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{Bench: storetest.NewBench(t, func(c checkpoint.Context) (checkpoint.Store, error) {
		return storetest.Topology(storetest.Primary(), c)
	})}
	rec := b.Record(t, 1)
	rec.Transcript, rec.Attribution = nil, nil
	b.Put(t, rec)
	b.turn = rec.Turn
	b.part = []byte("{\"role\":\"user\"}\n")
	b.files = []model.FileChange{{Path: "a", Change: model.Modified, Owner: model.OwnerMixed}}
	b.deps = backfill.Deps{Ledger: &b.fakes, Records: b.Store, Files: b.changes, Clock: time.Now}
	return b
}

func (b *bench) run(t *testing.T) string {
	t.Helper()
	r := b.deps.Turn(t.Context(), &b.turn)
	return strings.TrimSpace(fmt.Sprintf("%s %s", r.Outcome, strings.Join(r.Added, ",")))
}

func (b *bench) read(t *testing.T) *checkpoint.Record {
	t.Helper()
	rec, err := b.Store.Read(t.Context(), b.turn.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestFilledOnce(t *testing.T) {
	b := newBench(t)
	want(t, "first", b.run(t), "filled transcript,attribution")
	rec := b.read(t)
	if string(rec.Transcript) != string(b.part) || rec.Attribution == nil || rec.Attribution.Files[0].Owner != model.OwnerMixed || rec.Attribution.At.IsZero() {
		t.Errorf("record has %q and %+v", rec.Transcript, rec.Attribution)
	}
	want(t, "second", b.run(t), "whole")
	if again := b.read(t); again.Tip != rec.Tip || b.asked != 1 {
		t.Errorf("a record that was whole was written; the review was asked %d times", b.asked)
	}
	b.part = append(b.part, "{\"late\":1}\n"...)
	want(t, "a transcript that grew", b.run(t), "filled transcript")
	if got := b.read(t).Transcript; string(got) != string(b.part) {
		t.Errorf("transcript is %q", got)
	}
}

func TestWhatIsNotToBeHad(t *testing.T) {
	b := newBench(t)
	b.failed = errors.New("the disk is gone")
	want(t, "all fails", b.run(t), "failed")
	b.failed = model.Failf(fs.ErrNotExist, "the transcript is gone")
	want(t, "the transcript is gone", b.run(t), "failed")
	b.failed = nil
	want(t, "all there", b.run(t), "filled transcript,attribution")
	b.failed, b.part = model.Failf(fs.ErrNotExist, "the transcript is gone"), nil
	want(t, "gone since it was taken", b.run(t), "whole")
	if b.read(t).Transcript == nil {
		t.Error("what the record had was taken away")
	}
}

func TestAbsentFailedDamaged(t *testing.T) {
	b := newBench(t)
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"absent": {checkpoint.MissingError("01kvbjcwya4yw6j5m9gp655hzn", "git-refs"), "absent"},
		"failed": {errors.New("the remote hangs"), "failed"},
	} {
		b.deps.Records = &missing{b.Store, test.err}
		want(t, name, b.run(t), test.want)
	}
	b.deps.Records = b.Store
	damage := b.read(t)
	b.Repo.Write("bad", "{ not json")
	blob := b.Repo.Git("hash-object", "-w", "bad")
	tree, err := b.Context.Repo.GitInput(t.Context(), []byte("100644 blob "+blob+"\tmetadata.json\n"), "mktree")
	if err != nil {
		t.Fatal(err)
	}
	oid := strings.TrimSpace(string(tree))
	for _, folder := range branchFolders(damage) { // on the branch the record is two folders down
		if tree, err = b.Context.Repo.GitInput(t.Context(), []byte("040000 tree "+oid+"\t"+folder+"\n"), "mktree"); err != nil {
			t.Fatal(err)
		}
		oid = strings.TrimSpace(string(tree))
	}
	infos, err := b.Store.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b.Repo.Git("update-ref", infos[0].Ref, b.Repo.Git("commit-tree", "-m", "bad", oid))
	want(t, "damaged", b.run(t), "damaged")
}

func branchFolders(r *checkpoint.Record) []string {
	if r.Backend != checkpoint.TypeBranch {
		return nil
	}
	return []string{string(r.ID()[2:]), string(r.ID()[:2])}
}

type missing struct {
	checkpoint.Store
	err error
}

func (m *missing) Read(context.Context, model.ID) (*checkpoint.Record, error) { return nil, m.err }

func TestASummaryThatFailed(t *testing.T) {
	b := newBench(t)
	if err := b.Store.Update(t.Context(), b.turn.Checkpoint, func(r *checkpoint.Record) error { r.Turn.Files = nil; return nil }); err != nil {
		t.Fatal(err)
	}
	want(t, "still no time", b.run(t), "failed transcript,attribution")
	b.summed = &model.Turn{Files: []model.FileChange{}}
	want(t, "made now", b.run(t), "filled summary")
}

func TestNotYet(t *testing.T) {
	b := newBench(t)
	b.turn.State = model.TurnOpen
	want(t, "an open turn", b.run(t), "whole")
	b.turn.State, b.turn.Status = model.TurnCompleted, model.StatusMissing
	want(t, "without its snapshots", b.run(t), "filled transcript")
	if b.asked != 0 {
		t.Error("a review was asked for a turn that has no snapshots")
	}
}

// TestAtTheEndOfASession the newest turns are filled, up to one that is.
func TestAtTheEndOfASession(t *testing.T) {
	b := newBench(t)
	turns := []model.Turn{b.turn}
	for n := 2; n <= 4; n++ {
		rec := b.Record(t, n)
		rec.Transcript, rec.Attribution = nil, nil
		if n == 2 {
			rec.Transcript = b.part
		}
		b.Put(t, rec)
		turns = append(turns, rec.Turn)
	}
	if err := b.deps.Transcripts(t.Context(), turns); err != nil {
		t.Fatal(err)
	}
	for i, filled := range []bool{false, true, true, true} {
		rec, err := b.Store.Read(t.Context(), turns[i].Checkpoint)
		if err != nil || (rec.Transcript != nil) != filled || rec.Attribution != nil {
			t.Errorf("turn %d: %q %v %v", i+1, rec.Transcript, rec.Attribution, err)
		}
	}
	b.failed = errors.New("the disk is gone")
	if err := b.deps.Transcripts(t.Context(), turns[:1]); err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("%v", err)
	}
}

// TestATranscriptNeverBecomesLess: an agent that cut its file back, or wrote it anew, takes
// nothing out of a record; one that goes on adds to it.
func TestATranscriptNeverBecomesLess(t *testing.T) {
	b := newBench(t)
	whole := "one\ntwo\n"
	b.part = []byte(whole)
	want(t, "first", b.run(t), "filled transcript,attribution")
	for _, less := range []string{"one\n", "one\nother\n", "quite another file, which is longer\n"} {
		b.part = []byte(less)
		want(t, less, b.run(t), "whole")
		want(t, "the record after "+less, string(b.read(t).Transcript), whole)
	}
	b.part = []byte(whole + "three\n")
	want(t, "more", b.run(t), "filled transcript")
	want(t, "the record", string(b.read(t).Transcript), whole+"three\n")
}
