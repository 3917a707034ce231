package checkpoint_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/branchstore"
	"overturn/gitops/checkpoint/filestore"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/checkpoint/storetest"
	"overturn/model"
	"overturn/model/settings"
)

const (
	aULID = model.ID("01kvbjcwya4yw6j5m9gp655hzn")
	aHex  = model.ID("a1b2c3d4e5f6")
)

// A topology is a store: it passes the contract of all of them, over either primary.
func TestTopologyContract(t *testing.T) {
	for _, primary := range []string{checkpoint.TypeRefs, checkpoint.TypeBranch} {
		t.Run(primary, func(t *testing.T) {
			storetest.Run(t, func(c checkpoint.Context) (checkpoint.Store, error) {
				return checkpoint.NewRegistry(map[string]checkpoint.Backend{
					checkpoint.TypeRefs:   {GitBacked: true, Open: refstore.Open},
					checkpoint.TypeBranch: {GitBacked: true, Open: branchstore.Open},
					checkpoint.TypeFiles:  {Open: filestore.Open},
				}).Topology(settings.Checkpoints{Primary: primary, Mirrors: []string{checkpoint.TypeFiles}}, c)
			})
		})
	}
}

func TestWhoFollowsIsTold(t *testing.T) {
	for _, primary := range []string{checkpoint.TypeRefs, checkpoint.TypeBranch} {
		r := newRig(t, settings.Checkpoints{Primary: primary, Mirrors: []string{checkpoint.TypeFiles}}, nil, nil)
		rec := r.Record(t, 1)
		w := r.Context.Objects.NewWriter()
		pending, err := r.top.Create(t.Context(), w, rec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.files.Read(t.Context(), rec.ID()); !errors.Is(err, checkpoint.ErrNotFound) || len(r.queued.refs) > 0 {
			t.Errorf("told before it is published: %v %v", err, r.queued.refs)
		}
		if err := checkpoint.Publish(t.Context(), w, r.Context.Refs, checkpoint.Pending{Updates: pending.Updates}); err != nil {
			t.Fatal(err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		pending.Published(gone) // who cancels now comes too late
		ref, _ := checkpoint.RefName(rec.ID())
		if primary == checkpoint.TypeBranch {
			ref = checkpoint.BranchRef
		}
		if !slices.Equal(r.queued.refs, []string{ref}) {
			t.Errorf("queued %v, want %s", r.queued.refs, ref)
		}
		if got, err := r.files.Read(t.Context(), rec.ID()); err != nil || got.Turn.Prompt != rec.Turn.Prompt {
			t.Errorf("mirror has %v, %v", got, err)
		}
		if err := r.top.Update(t.Context(), rec.ID(), func(r *checkpoint.Record) error { r.Turn.MessageID = "m"; return nil }); err != nil {
			t.Fatal(err)
		}
		if got, err := r.files.Read(t.Context(), rec.ID()); err != nil || got.Turn.MessageID != "m" || len(r.queued.refs) != 2 {
			t.Errorf("mirror has %v, %v; queued %v", got, err, r.queued.refs)
		}
	}
}

func TestFollowersThatFailChangeNothing(t *testing.T) {
	r := newRig(t, settings.Checkpoints{Primary: checkpoint.TypeRefs, Mirrors: []string{checkpoint.TypeFiles, checkpoint.TypeBranch}}, nil,
		func(s checkpoint.Store) checkpoint.Store {
			if s.Type() == checkpoint.TypeFiles {
				return &flawed{Store: s, err: errors.New("the mirror is full")}
			}
			return s
		})
	r.queued.err = errors.New("no room for the queue")
	rec := r.Record(t, 1)
	r.Put(t, rec)
	if got, err := r.top.Read(t.Context(), rec.ID()); err != nil || got.Backend != checkpoint.TypeRefs {
		t.Errorf("%v %v", got, err)
	}
	if got := r.events.outcomes(); got != "not queued,not mirrored,not mirrored" {
		t.Errorf("traced %q", got)
	}
	for i, want := range []string{"no room", "is full", "12 hex digits"} {
		if !strings.Contains(r.events.list[i].Reason, want) {
			t.Errorf("event %d: %q", i, r.events.list[i].Reason)
		}
	}
}

// The answers of a miss: brought, absent everywhere, not to be had, damaged.
func TestOneFetchOnAMiss(t *testing.T) {
	down := errors.New("the remote hangs")
	for _, set := range []settings.Checkpoints{refsFirst(), branchFirst()} {
		asked := 0
		var fetch func(id model.ID) (bool, error)
		r := newRig(t, set, func(c *checkpoint.Context) {
			c.Fetch = func(_ context.Context, id model.ID) (bool, error) { asked++; return fetch(id) }
		}, nil)
		edit := func(rec *checkpoint.Record) error { rec.Transcript = []byte("late\n"); return nil }

		fetch = func(model.ID) (bool, error) { return false, nil }
		for _, id := range []model.ID{aULID, aHex} {
			asked = 0
			if err := r.top.Update(t.Context(), id, edit); !errors.Is(err, checkpoint.ErrNotFound) || asked != 1 {
				t.Errorf("%s %s absent: %v after %d fetches", set.Primary, id, err, asked)
			}
		}
		fetch = func(model.ID) (bool, error) { return false, down }
		for _, id := range []model.ID{aULID, aHex} {
			asked = 0
			if err := r.top.Update(t.Context(), id, edit); !errors.Is(err, down) || errors.Is(err, checkpoint.ErrNotFound) || asked != 1 {
				t.Errorf("%s %s failed: %v after %d fetches", set.Primary, id, err, asked)
			}
		}
		id, err := r.top.NewID(r.IDs)
		if err != nil {
			t.Fatal(err)
		}
		home := map[string]checkpoint.Store{checkpoint.TypeRefs: r.refs, checkpoint.TypeBranch: r.branch}[set.Primary]
		fetch = func(id model.ID) (bool, error) { r.lay(t, home, id, "brought"); return true, nil }
		asked = 0
		for range 2 {
			if err := r.top.Update(t.Context(), id, edit); err != nil {
				t.Errorf("%s brought: %v", set.Primary, err)
			}
		}
		if got, err := r.top.Read(t.Context(), id); err != nil || string(got.Transcript) != "late\n" || asked != 1 {
			t.Errorf("%s: %v, %v after %d fetches", set.Primary, got, err, asked)
		}
		asked = 0
		if list, err := r.top.List(t.Context()); err != nil || len(list) == 0 {
			t.Errorf("list: %v %v", list, err)
		}
		r.Put(t, r.Record(t, 2))
		if asked != 0 {
			t.Errorf("%s: a list or a create went to the network", set.Primary)
		}
	}
}

func TestTopologyIsWhatTheSettingsName(t *testing.T) {
	registry := checkpoint.NewRegistry(map[string]checkpoint.Backend{
		checkpoint.TypeRefs:   {GitBacked: true, Open: refstore.Open},
		checkpoint.TypeBranch: {GitBacked: true, Open: branchstore.Open},
		checkpoint.TypeFiles:  {Open: filestore.Open},
	})
	b := storetest.NewBench(t, refstore.Open)
	for name, test := range map[string]struct {
		set  settings.Checkpoints
		says string
	}{
		"a primary alone":           {refsFirst(), ""},
		"two that are git-backed":   {settings.Checkpoints{Primary: "git-branch", Mirrors: []string{"git-refs", "files"}}, ""},
		"not git-backed as primary": {settings.Checkpoints{Primary: "files"}, "only be a mirror"},
		"unknown primary":           {settings.Checkpoints{Primary: "s3"}, "no checkpoint backend"},
		"unknown mirror":            {settings.Checkpoints{Primary: "git-refs", Mirrors: []string{"s3"}}, "no checkpoint backend"},
		"mirror of its own type":    {settings.Checkpoints{Primary: "git-refs", Mirrors: []string{"git-refs"}}, "named twice"},
		"two mirrors of one type":   {settings.Checkpoints{Primary: "git-refs", Mirrors: []string{"files", "files"}}, "named twice"},
	} {
		top, err := registry.Topology(test.set, b.Context)
		if (err == nil) != (test.says == "") || err != nil && (!strings.Contains(err.Error(), test.says) || model.CodeOf(err) != model.CodeFailed || model.HintOf(err) == "") {
			t.Errorf("%s: %v (%s)", name, err, model.HintOf(err))
		}
		if err == nil && (top.Type() != test.set.Primary || !slices.Equal(top.Mirrors(), test.set.Mirrors)) {
			t.Errorf("%s: %s with %v", name, top.Type(), top.Mirrors())
		}
	}
}

// A git-refs mirror of the branch keeps hex ids under refs, as a migration does.
func TestRefsMirrorTheBranch(t *testing.T) {
	r := newRig(t, settings.Checkpoints{Primary: checkpoint.TypeBranch, Mirrors: []string{checkpoint.TypeRefs}}, nil, nil)
	rec := r.Record(t, 1)
	r.Put(t, rec)
	got, err := r.refs.Read(t.Context(), rec.ID())
	if err != nil || got.Turn.Prompt != rec.Turn.Prompt || r.events.outcomes() != "" {
		t.Errorf("%v, %v; traced %q", got, err, r.events.outcomes())
	}
}
