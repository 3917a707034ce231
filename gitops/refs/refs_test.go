//go:build unix

package refs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops"
	"overturn/gitops/gittest"
	"overturn/gitops/refs"
	"overturn/model"
)

const ours = "refs/overturn/threads/dA/turn/"

// three returns a repository and three commits in it.
func three(t *testing.T, opts ...gittest.Option) (*gittest.Repo, *refs.Store, [3]string) {
	t.Helper()
	r := gittest.New(t, opts...)
	var ids [3]string
	for i := range ids {
		r.Write("f", fmt.Sprint(i))
		ids[i] = r.Commit(fmt.Sprint(i))
	}
	return r, refs.New(r.Open()), ids
}

func apply(t *testing.T, s *refs.Store, updates ...refs.Update) {
	t.Helper()
	if err := s.Apply(context.Background(), updates); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, s *refs.Store, name string) string {
	t.Helper()
	oid, err := s.Read(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	return oid
}

func TestCreateMoveDelete(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		r, s, id := three(t, gittest.InitArgs("--object-format="+format))
		before := r.Protected(t)
		name := ours + "1"
		if got := read(t, s, name); got != "" {
			t.Errorf("absent: %q", got)
		}
		apply(t, s, refs.Update{Name: name, New: id[0]})
		apply(t, s, refs.Update{Name: name, Old: id[0], New: id[1]}, refs.Update{Name: "refs/heads/overturn/checkpoints/v1", New: id[2]})
		if got := read(t, s, name); got != id[1] || r.Git("rev-parse", name) != id[1] || r.Git("rev-parse", "overturn/checkpoints/v1") != id[2] {
			t.Errorf("moved: %q", got)
		}
		r.Git("pack-refs", "--all", "--prune")
		if got := read(t, s, name); got != id[1] {
			t.Errorf("packed: %q", got)
		}
		apply(t, s, refs.Update{Name: name, Old: id[1], New: id[2]}) // old value from packed-refs
		apply(t, s, refs.Update{Name: name, Old: id[2]})
		if got := read(t, s, name); got != "" {
			t.Errorf("deleted: %q (a packed value shines through)", got)
		}
		apply(t, s, refs.Update{Name: "refs/heads/overturn/checkpoints/v1", Old: id[2]})
		apply(t, s, refs.Update{Name: name + "/below", New: id[0]}) // where empty folders or nothing stayed
		apply(t, s, refs.Update{Name: name + "/below", Old: id[0]})
		apply(t, s, refs.Update{Name: name, New: id[0]})
		if diff := before.Diff(r.Protected(t)); diff != "" && diff != "/packed-refs is new\n/refs/heads/main is gone" {
			t.Errorf("changed besides: %s", diff)
		}
	}
}

// TestOtherBackend goes through git for everything, as where refs are no files.
func TestOtherBackend(t *testing.T) {
	r, _, id := three(t)
	repo := r.Open()
	repo.RefStorage = "reftable"
	s, name := refs.New(repo), ours+"1"
	apply(t, s, refs.Update{Name: name, New: id[0]}, refs.Update{Name: ours + "2", New: id[1]})
	apply(t, s, refs.Update{Name: name, Old: id[0], New: id[1]})
	if got := read(t, s, name); got != id[1] || read(t, s, ours+"3") != "" {
		t.Errorf("read %q", got)
	}
	err := s.Apply(context.Background(), []refs.Update{{Name: ours + "3", New: id[0]}, {Name: name, Old: id[0], New: id[2]}})
	if !errors.Is(err, refs.ErrMoved) || read(t, s, ours+"3") != "" {
		t.Errorf("mismatch: %v", err)
	}
	list, err := s.List(context.Background(), "refs/overturn")
	if err != nil || len(list) != 2 || list[0] != (refs.Ref{Name: name, OID: id[1]}) {
		t.Errorf("list: %v, %v", list, err)
	}
	if head, err := repo.Head(context.Background()); err != nil || head != (gitops.Head{Commit: id[2], Branch: "refs/heads/main"}) {
		t.Errorf("head: %+v, %v", head, err)
	}
	if repo.Operation() != "" {
		t.Errorf("operation %q", repo.Operation())
	}
}

func TestNoReflogIsWritten(t *testing.T) {
	r, _, id := three(t)
	r.Git("config", "core.logAllRefUpdates", "always")
	s := refs.New(r.Open())
	name := "refs/heads/overturn/checkpoints/v1"
	apply(t, s, refs.Update{Name: name, New: id[0]})
	apply(t, s, refs.Update{Name: name, Old: id[0], New: id[1]}, refs.Update{Name: ours + "1", New: id[1]})
	apply(t, s, refs.Update{Name: name, Old: id[1]}, refs.Update{Name: ours + "2", New: id[1]}) // through git
	for _, place := range []string{"logs/refs/overturn", "logs/refs/heads/overturn"} {
		if _, err := os.Stat(filepath.Join(r.GitDir(), place)); err == nil {
			t.Errorf("%s was made", place)
		}
	}
}

func TestMismatchMovesNothing(t *testing.T) {
	r, s, id := three(t)
	for _, packed := range []bool{false, true} {
		name := fmt.Sprint(ours, "1", packed)
		apply(t, s, refs.Update{Name: name, New: id[0]})
		if packed {
			r.Git("pack-refs", "--all", "--prune")
		}
		for what, u := range map[string]refs.Update{
			"create over another": {Name: name, New: id[1]},
			"create over itself":  {Name: name, New: id[0]},
			"other old value":     {Name: name, Old: id[2], New: id[1]},
			"delete other value":  {Name: name, Old: id[2]},
			"move of an absent":   {Name: name + "x", Old: id[0], New: id[1]},
			"delete of an absent": {Name: name + "x", Old: id[0]},
		} {
			err := s.Apply(context.Background(), []refs.Update{
				{Name: ours + "a", New: id[1]}, u, {Name: ours + "z", New: id[1]}}) // O-13: none of five
			var moved *refs.MovedError
			if !errors.As(err, &moved) || !errors.Is(err, refs.ErrMoved) || moved.Name != u.Name || moved.Want != u.Old || moved.Found != read(t, s, u.Name) {
				t.Errorf("%s (packed %v): %v", what, packed, err)
			}
			if read(t, s, ours+"a") != "" || read(t, s, ours+"z") != "" || read(t, s, name) != id[0] {
				t.Errorf("%s: something moved", what)
			}
		}
	}
}

func TestNames(t *testing.T) {
	_, s, id := three(t)
	for _, name := range []string{"refs/heads/main", "HEAD", "refs/overturn2/x", "refs/overturn", "refs/stash", "refs/heads/overturn", "refs/tags/overturn/x",
		"refs/overturn/../heads/main", "refs/overturn/a..b", "refs/overturn/a//b", "refs/overturn/.a", "refs/overturn/a.lock/b", "refs/overturn/a.lock",
		"refs/overturn/a b", "refs/overturn/a\x00b", "refs/overturn/a\nb", "refs/overturn/a*", "refs/overturn/a@{1}", "refs/overturn/", "refs/overturn/a/", "refs/overturn/a."} {
		err := s.Apply(context.Background(), []refs.Update{{Name: name, New: id[0]}})
		if c := model.CodeOf(err); err == nil || c != model.CodeRefused && c != model.CodeUsage {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := s.Read(context.Background(), name); err == nil {
			t.Errorf("%q was read", name)
		}
	}
	for _, u := range []refs.Update{{Name: ours + "1"}, {Name: ours + "1", New: "abc"}, {Name: ours + "1", New: id[0], Old: "HEAD"}} {
		if err := s.Apply(context.Background(), []refs.Update{u}); err == nil {
			t.Errorf("%+v was taken", u)
		}
	}
	twice := refs.Update{Name: ours + "1", New: id[0]}
	if err := s.Apply(context.Background(), []refs.Update{twice, twice}); err == nil {
		t.Error("one ref was taken twice")
	}
}

func TestRefsInTheWay(t *testing.T) {
	r, s, id := three(t)
	apply(t, s, refs.Update{Name: "refs/overturn/a/b", New: id[0]})
	try := func(when string, updates ...refs.Update) {
		t.Helper()
		if err := s.Apply(context.Background(), updates); err == nil || errors.Is(err, refs.ErrMoved) {
			t.Errorf("%s %v: %v", when, updates, err)
		}
	}
	for _, when := range []string{"loose", "packed"} {
		try(when, refs.Update{Name: "refs/overturn/a", New: id[0]})
		try(when, refs.Update{Name: "refs/overturn/a/b/c", New: id[0]})
		try(when, refs.Update{Name: "refs/overturn/x", New: id[0]}, refs.Update{Name: "refs/overturn/x/y", New: id[0]})
		apply(t, s, refs.Update{Name: "refs/overturn/ab" + when, New: id[0]}) // a sibling is not in the way
		r.Git("pack-refs", "--all", "--prune")
	}
}

func TestList(t *testing.T) { // O-06
	r, s, id := three(t)
	names := []string{"refs/overturn/a", "refs/overturn/b/c", "refs/overturn/b/d/e/f", "refs/overturn/b2", "refs/heads/overturn/checkpoints/v1"}
	for i, name := range names {
		apply(t, s, refs.Update{Name: name, New: id[i%3]})
		if i == 2 {
			r.Git("pack-refs", "--all", "--prune")
		}
	}
	apply(t, s, refs.Update{Name: names[1], Old: id[1], New: id[2]}) // loose over packed
	r.Git("update-ref", "refs/overturn2/x", id[0])
	r.Git("update-ref", "refs/heads/overturn2", id[0])
	if err := os.WriteFile(filepath.Join(r.GitDir(), "refs/overturn/b/z.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for prefix, want := range map[string][]string{
		"refs/overturn": {names[0], names[1], names[2], names[3]}, "refs/overturn/": {names[0], names[1], names[2], names[3]},
		"refs/overturn/b": {names[1], names[2]}, "refs/overturn/b/d/": {names[2]}, "refs/overturn/a": {names[0]}, "refs/overturn/x": nil,
		"refs/heads/overturn": {names[4]}, "refs/": {names[4], names[0], names[1], names[2], names[3]}, "refs/heads/main": nil, "refs/tags": nil,
	} {
		list, err := s.List(context.Background(), prefix)
		var got []string
		for _, ref := range list {
			got = append(got, ref.Name)
			if ref.OID != r.Git("rev-parse", ref.Name) {
				t.Errorf("%s: %s", ref.Name, ref.OID)
			}
		}
		if err != nil || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v, %v", prefix, got, err)
		}
	}
	if err := os.Remove(filepath.Join(r.GitDir(), "refs/overturn/b/z.lock")); err != nil {
		t.Fatal(err)
	}
}
