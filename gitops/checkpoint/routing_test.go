package checkpoint_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/model"
	"overturn/model/settings"
)

// The rows are those of the table "Kind routing and coexistence", by their names.
func TestReadsAreRoutedByKind(t *testing.T) {
	down := errors.New("the disk is gone")
	for name, test := range map[string]struct {
		set          settings.Checkpoints
		id           model.ID
		refs, branch bool  // where it lies
		refsFail     error // of a read of the refs
		want         string
	}{
		"ULID: git-refs only":                               {refsFirst(), aULID, true, false, nil, "refs"},
		"ULID, git-branch primary: git-refs only":           {branchFirst(), aULID, true, false, nil, "refs"},
		"ULID, absent":                                      {refsFirst(), aULID, false, false, nil, "absent"},
		"hex, git-branch primary: branch only":              {branchFirst(), aHex, true, true, nil, "branch"},
		"hex, git-branch primary: never the refs":           {branchFirst(), aHex, true, false, nil, "absent"},
		"hex, git-refs primary: refs first":                 {refsFirst(), aHex, true, true, nil, "refs"},
		"hex, git-refs primary: then git-branch fallback":   {refsFirst(), aHex, false, true, nil, "branch"},
		"hex, git-refs primary: absent in both":             {refsFirst(), aHex, false, false, nil, "absent"},
		"a refs error does not hide what is on the branch":  {refsFirst(), aHex, true, true, down, "branch"},
		"a refs error with nothing behind it: the last's":   {refsFirst(), aHex, true, false, down, "absent"},
		"an error of the only store is returned as it is":   {refsFirst(), aULID, true, false, down, "the disk is gone"},
		"git-branch primary: refs errors do not matter":     {branchFirst(), aHex, false, true, down, "branch"},
		"git-branch primary: an error for a ULID is itself": {branchFirst(), aULID, true, false, down, "the disk is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			var broken []*flawed
			r := newRig(t, test.set, nil, func(s checkpoint.Store) checkpoint.Store {
				f := &flawed{Store: s}
				if s.Type() == checkpoint.TypeRefs {
					broken = append(broken, f)
				}
				return f
			})
			if test.refs {
				r.lay(t, r.refs, test.id, "refs")
			}
			if test.branch {
				r.lay(t, r.branch, test.id, "branch")
			}
			for _, f := range broken {
				f.err = test.refsFail
			}
			rec, err := r.top.Read(t.Context(), test.id)
			switch {
			case test.want == "absent":
				if !errors.Is(err, checkpoint.ErrNotFound) {
					t.Errorf("got %v, %v", rec, err)
				}
			case err != nil:
				if err.Error() != test.want {
					t.Errorf("error %v", err)
				}
			case rec.Turn.Prompt != test.want || (rec.Fallback != "") != (test.refsFail != nil && len(broken) > 0 && test.id == aHex && test.set.Primary == checkpoint.TypeRefs):
				t.Errorf("read from %s, fallback %q", rec.Turn.Prompt, rec.Fallback)
			}
			evidence, eerr := r.top.Evidence(t.Context(), test.id)
			if test.refsFail == nil && (eerr == nil) != (err == nil) || eerr == nil && len(evidence) == 0 {
				t.Errorf("evidence %q, %v", evidence, eerr)
			}
		})
	}
}

func TestBackfillsAreRoutedByKind(t *testing.T) {
	down := errors.New("the disk is gone")
	for name, test := range map[string]struct {
		set          settings.Checkpoints
		id           model.ID
		refs, branch bool
		refsFail     error
		want         string // which copy took it
		mirrored     bool
	}{
		"ULID: lands in the refs, mirrored":                   {refsFirst(), aULID, true, false, nil, "refs", true},
		"hex, both copies present: lands in the refs":         {refsFirst(), aHex, true, true, nil, "refs", true},
		"hex, fallback: lands on the branch, mirrors skipped": {refsFirst(), aHex, false, true, nil, "branch", false},
		"absent in both": {refsFirst(), aHex, false, false, nil, "absent", false},
		"a hard error aborts and does not reach the branch":        {refsFirst(), aHex, true, true, down, "the disk is gone", false},
		"git-branch primary, hex: lands on the branch, mirrored":   {branchFirst(), aHex, true, true, nil, "branch", true},
		"git-branch primary, ULID: lands in the refs, not mirrors": {branchFirst(), aULID, true, false, nil, "refs", false},
	} {
		t.Run(name, func(t *testing.T) {
			test.set.Mirrors = []string{checkpoint.TypeFiles}
			var broken []*flawed
			r := newRig(t, test.set, nil, func(s checkpoint.Store) checkpoint.Store {
				f := &flawed{Store: s}
				if s.Type() == checkpoint.TypeRefs {
					broken = append(broken, f)
				}
				return f
			})
			if test.refs {
				r.lay(t, r.refs, test.id, "refs")
			}
			if test.branch {
				r.lay(t, r.branch, test.id, "branch")
			}
			for _, f := range broken {
				f.err = test.refsFail
			}
			err := r.top.Update(t.Context(), test.id, func(rec *checkpoint.Record) error { rec.Transcript = []byte("late\n"); return nil })
			for where, s := range map[string]checkpoint.Store{"refs": r.refs, "branch": r.branch} {
				rec, rerr := s.Read(t.Context(), test.id)
				took := rerr == nil && string(rec.Transcript) == "late\n"
				if took != (where == test.want) {
					t.Errorf("in %s: %t, want it in %s (%v)", where, took, test.want, err)
				}
			}
			if test.want == "absent" && (!errors.Is(err, checkpoint.ErrNotFound) || r.Repo.Git("for-each-ref") != "") {
				t.Errorf("a miss gave %v and refs %q", err, r.Repo.Git("for-each-ref"))
			}
			if test.refsFail != nil && !errors.Is(err, down) {
				t.Errorf("error %v", err)
			}
			mirror, merr := r.files.Read(t.Context(), test.id)
			if (merr == nil) != test.mirrored || test.mirrored && string(mirror.Transcript) != "late\n" {
				t.Errorf("mirror: %v, %v", mirror, merr)
			}
			if routed := strings.Contains(r.events.outcomes(), "routed"); routed != (err == nil && !test.mirrored) {
				t.Errorf("said: %q", r.events.outcomes())
			}
		})
	}
}

func TestCreatesAreNotRouted(t *testing.T) {
	for name, test := range map[string]struct {
		set settings.Checkpoints
		id  model.ID
	}{
		"a ULID never lands on the branch":    {branchFirst(), aULID},
		"a hex id is not made among the refs": {refsFirst(), aHex},
	} {
		r := newRig(t, test.set, nil, nil)
		rec := r.Record(t, 1)
		rec.Turn.Checkpoint = test.id
		if err := checkpoint.CreateNow(t.Context(), r.Context, r.top, rec); model.CodeOf(err) != model.CodeUsage {
			t.Errorf("%s: %v", name, err)
		}
		if refs := r.Repo.Git("for-each-ref"); refs != "" || len(r.queued.refs) > 0 {
			t.Errorf("%s: left %q, queued %v", name, refs, r.queued.refs)
		}
	}
}

func TestListIsTheUnion(t *testing.T) {
	for _, set := range []settings.Checkpoints{refsFirst(), branchFirst()} {
		r := newRig(t, set, nil, nil)
		r.lay(t, r.refs, aULID, "refs")
		r.lay(t, r.refs, aHex, "refs")
		r.lay(t, r.branch, aHex, "branch")
		r.lay(t, r.branch, "0123456789ab", "branch")
		list, err := r.top.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, info := range list {
			got = append(got, string(info.ID)+" "+info.Type)
		}
		both := " " + set.Primary
		want := []string{"a1b2c3d4e5f6" + both, "0123456789ab git-branch", "01kvbjcwya4yw6j5m9gp655hzn git-refs"}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", set.Primary, got, want)
		}
	}
}

func TestAnUnreadableBranchHidesNoRefs(t *testing.T) {
	r := newRig(t, refsFirst(), nil, nil)
	r.lay(t, r.refs, aULID, "refs")
	r.Repo.Write("a", "x\n")
	r.Repo.Commit("the project's")
	r.Repo.Git("branch", "overturn/checkpoints/v1")
	list, missing, err := r.top.ListAll(t.Context())
	if err != nil || len(list) != 1 || len(missing) != 1 || !strings.Contains(missing[0].Error(), "holds no checkpoint records") {
		t.Errorf("%v, missing %v, %v", list, missing, err)
	}
	if _, err := r.top.Read(t.Context(), aHex); err == nil || errors.Is(err, checkpoint.ErrNotFound) {
		t.Errorf("a store that cannot be read said %v", err)
	}
}
