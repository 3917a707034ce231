package review_test

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review"
	"overturn/review/patch"
)

// TestForStaging is what the writing half asks beside files and owners.
func TestForStaging(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("staged", "0\n")
	f.Write("old/file", "0\n")
	f.Commit("first")
	f.must(os.MkdirAll(f.Path("empty/deep"), 0o755))
	f.start("t", false)
	f.Write("staged", "1\n")
	f.Git("add", "staged")
	f.Write("new/deep/file", "1\n")
	f.Write("empty/deep/file", "1\n")
	f.Write("old/more", "1\n")
	effect := model.Effect{Domain: model.DomainPublication, Summary: "git push", Reversible: model.ReversibleNo}
	_, err := f.ledger.Effect(t.Context(), "t", effect)
	f.must(err)
	f.end("t")
	cs := f.compare("1")
	first, last, ok, err := f.review.IndexEntries(t.Context(), cs, "staged")
	f.must(err)
	if !ok || first.Mode != "100644" || last.Mode != "100644" || first.OID == last.OID || last.OID != f.Git("hash-object", "staged") {
		t.Errorf("index entries %+v %+v %v", first, last, ok)
	}
	first, last, ok, err = f.review.IndexEntries(t.Context(), cs, "new/deep/file")
	if f.must(err); !ok || first != (review.IndexEntry{}) || last != first {
		t.Errorf("entries of an untracked file: %+v %+v %v", first, last, ok)
	}
	if _, _, ok, _ := f.review.IndexEntries(t.Context(), f.compare("working"), "staged"); ok {
		t.Error("a commit of the project has index entries")
	}
	for folder, want := range map[model.Path]bool{"new": true, "new/deep": true, "old": false, "empty": false, "empty/deep": false} {
		made, err := f.review.MadeFolder(t.Context(), cs, folder)
		if f.must(err); made != want {
			t.Errorf("%s: made %v", folder, made)
		}
	}
	effects, err := f.review.Effects(t.Context(), cs)
	if f.must(err); len(effects) != 1 || effects[0].Summary != "git push" {
		t.Errorf("effects %+v", effects)
	}
}

// TestStreaming: the first file comes with a set that answers, and a stop keeps
// what was found.
func TestStreaming(t *testing.T) {
	f := threeTurns(t)
	calls := 0
	cs, err := f.review.CompareFunc(t.Context(), f.scope("1..2"), func(cs *review.ChangeSet, file *review.File) bool {
		calls++
		d, err := f.review.Diff(t.Context(), cs, file, patch.Options{})
		if err != nil || d.Adds != 1 || d.Dels != 1 {
			t.Errorf("%s: %v", file.Path, err)
		}
		return false
	})
	f.must(err)
	if calls != 1 || len(cs.Files) != 1 || cs.Files[0].Path != "agent.txt" {
		t.Errorf("%d calls, %s", calls, f.paths(cs))
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.review.Compare(cancelled, f.scope("1..2")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestConcurrentUse asks one change set from several goroutines.
func TestConcurrentUse(t *testing.T) {
	f := threeTurns(t)
	cs := f.compare("working")
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for _, file := range cs.Files {
				if _, err := f.review.Owners(t.Context(), cs, file); err != nil {
					t.Error(err)
				}
				if _, err := f.review.Row(t.Context(), cs, file); err != nil {
					t.Error(err)
				}
			}
			if _, err := f.review.HiddenSpace(t.Context(), cs, nil); err != nil {
				t.Error(err)
			}
			if _, err := f.review.Renames(t.Context(), cs); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}
