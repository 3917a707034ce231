package migrate_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/branchstore"
	"overturn/gitops/checkpoint/migrate"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/checkpoint/storetest"
	"overturn/model"
)

// field is a repository with some records on the branch, each updated once.
type field struct {
	*storetest.Bench
	refs checkpoint.Store
	ids  []model.ID
}

func newField(t *testing.T, n int) *field {
	t.Helper()
	f := &field{Bench: storetest.NewBench(t, branchstore.Open)}
	f.refs, _ = refstore.Open(f.Context)
	for i := range n {
		rec := f.Record(t, i+1)
		f.Put(t, rec)
		f.ids = append(f.ids, rec.ID())
	}
	for _, id := range f.ids {
		f.grow(t, f.Store, id, "branch")
	}
	return f
}

// grow adds a word to the record's message id.
func (f *field) grow(t *testing.T, s checkpoint.Store, id model.ID, word string) {
	t.Helper()
	if err := s.Update(t.Context(), id, func(r *checkpoint.Record) error { r.Turn.MessageID += word; return nil }); err != nil {
		t.Fatal(err)
	}
}

// run migrates, and tells how many came to which outcome.
func (f *field) run(t *testing.T, dry bool) string {
	t.Helper()
	list, err := migrate.Run(t.Context(), f.Context, dry)
	if err != nil {
		t.Fatal(err)
	}
	n := map[migrate.Outcome]int{}
	for _, one := range list {
		n[one.Outcome]++
		if (one.Outcome == migrate.Left) != (one.Reason != "") {
			t.Errorf("%+v", one)
		}
	}
	return fmt.Sprintf("%d migrated %d already %d left", n[migrate.Migrated], n[migrate.Already], n[migrate.Left])
}

func (f *field) want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func TestEveryRecordWithItsHistory(t *testing.T) {
	f := newField(t, 5)
	before := f.Repo.Git("for-each-ref")
	f.want(t, "dry", f.run(t, true), "5 migrated 0 already 0 left")
	if after := f.Repo.Git("for-each-ref"); after != before {
		t.Errorf("a dry run moved refs:\n%s", after)
	}
	f.want(t, "first", f.run(t, false), "5 migrated 0 already 0 left")
	f.want(t, "second", f.run(t, false), "0 migrated 5 already 0 left")
	if f.Repo.Git("rev-parse", checkpoint.BranchRef) != strings.Fields(before)[0] {
		t.Error("the branch moved")
	}
	for _, id := range f.ids {
		name, _ := checkpoint.RefName(id)
		if got, want := f.Repo.Git("rev-parse", name+"^{tree}"), f.Repo.Git("rev-parse", checkpoint.BranchRef+":"+string(id[:2])+"/"+string(id[2:])); got != want {
			t.Errorf("%s: tree %s, on the branch %s", id, got, want)
		}
		if got := f.Repo.Git("log", "--format=%s", name); got != "Update of checkpoint "+string(id)+"\nCheckpoint "+string(id) {
			t.Errorf("history is %q", got)
		}
		if rec, err := f.refs.Read(t.Context(), id); err != nil || rec.Turn.MessageID != "branch" {
			t.Errorf("%v, %v", rec, err)
		}
	}
	if out := f.Repo.Git("fsck", "--strict", "--no-dangling"); out != "" {
		t.Errorf("fsck: %s", out)
	}
}

func TestTheSameCommitsEverywhere(t *testing.T) {
	f := newField(t, 3)
	f.run(t, false)
	first := f.Repo.Git("for-each-ref", strings.TrimSuffix(checkpoint.RefPrefix, "/"))
	for _, id := range f.ids {
		name, _ := checkpoint.RefName(id)
		f.Repo.Git("update-ref", "-d", name)
	}
	f.run(t, false)
	if again := f.Repo.Git("for-each-ref", strings.TrimSuffix(checkpoint.RefPrefix, "/")); again != first {
		t.Errorf("\n%s\nfirst\n%s", again, first)
	}
}

// What each side has of a record decides what becomes of it.
func TestNothingIsLostOnEitherSide(t *testing.T) {
	f := newField(t, 4)
	f.run(t, false)
	f.grow(t, f.Store, f.ids[0], "+old client") // forward
	f.grow(t, f.refs, f.ids[1], "+new client")  // already
	f.grow(t, f.Store, f.ids[2], "+old client") // left
	f.grow(t, f.refs, f.ids[2], "+new client")
	f.want(t, "after", f.run(t, false), "1 migrated 2 already 1 left")
	for i, want := range []string{"branch+old client", "branch+new client", "branch+new client", "branch"} {
		if rec, err := f.refs.Read(t.Context(), f.ids[i]); err != nil || rec.Turn.MessageID != want {
			t.Errorf("record %d: %v, %v, want %q", i, rec.Turn.MessageID, err, want)
		}
	}
	if rec, err := f.Store.Read(t.Context(), f.ids[2]); err != nil || rec.Turn.MessageID != "branch+old client" {
		t.Errorf("on the branch: %v, %v", rec, err)
	}
}

func TestWhatWasLetGoStaysGone(t *testing.T) {
	f := newField(t, 2)
	if err := f.Store.Forget(t.Context(), f.ids[0]); err != nil {
		t.Fatal(err)
	}
	f.want(t, "after", f.run(t, false), "1 migrated 0 already 0 left")
	if _, err := f.refs.Read(t.Context(), f.ids[0]); !errors.Is(err, checkpoint.ErrNotFound) {
		t.Errorf("it came again: %v", err)
	}
}

func TestADamagedRecordIsLeft(t *testing.T) {
	f := newField(t, 2)
	blob := f.Repo.Git("rev-parse", checkpoint.BranchRef+":"+string(f.ids[0][:2])+"/"+string(f.ids[0][2:])+"/metadata.json")
	f.unpack(t)
	file := filepath.Join(f.Context.Repo.CommonDir, "objects", blob[:2], blob[2:])
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	f.Context, f.Store = f.Again(t)
	f.want(t, "with one blob lost", f.run(t, false), "1 migrated 0 already 1 left")
	if refs := f.Repo.Git("for-each-ref", strings.TrimSuffix(checkpoint.RefPrefix, "/")); strings.Contains(refs, string(f.ids[0])) {
		t.Errorf("a ref was made for it: %s", refs)
	}
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	f.Context, f.Store = f.Again(t)
	f.want(t, "once it is there again", f.run(t, false), "1 migrated 1 already 0 left")
}

// unpack makes every object a file of its own.
func (f *field) unpack(t *testing.T) {
	t.Helper()
	folder := filepath.Join(f.Context.Repo.CommonDir, "objects", "pack")
	packs, err := filepath.Glob(filepath.Join(folder, "*.pack"))
	if err != nil || len(packs) == 0 {
		t.Fatal(packs, err)
	}
	for _, pack := range packs {
		data, err := os.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, ext := range []string{".pack", ".idx"} {
			if err := os.Remove(strings.TrimSuffix(pack, ".pack") + ext); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := f.Context.Repo.GitInput(t.Context(), data, "unpack-objects", "-q"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestNoBranchHasNoRecords(t *testing.T) {
	f := newField(t, 0)
	f.want(t, "no branch", f.run(t, false), "0 migrated 0 already 0 left")
}

func TestThePolicyMayForbidIt(t *testing.T) {
	f := newField(t, 1)
	if err := checkpoint.WritePolicy(t.Context(), f.Context, checkpoint.Policy{Version: checkpoint.FormatBranch}); err != nil {
		t.Fatal(err)
	}
	if _, err := migrate.Run(t.Context(), f.Context, false); model.CodeOf(err) != model.CodeFailed || !strings.Contains(err.Error(), checkpoint.FormatBranch) {
		t.Errorf("%v", err)
	}
}
