package objects_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/model"
)

func open(t *testing.T, r *gittest.Repo) *objects.Store {
	t.Helper()
	s := objects.Open(r.Open())
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// history makes commits whose trees and blobs become chains of deltas.
func history(t *testing.T, r *gittest.Repo) {
	t.Helper()
	for i := range 5 {
		for j := range 4 {
			r.Write(fmt.Sprintf("dir%d/file%d", j, i), strings.Repeat(fmt.Sprintf("line %d of %d\n", i, j), 40))
		}
		r.Write("big", strings.Repeat("the same line\n", 2000)+fmt.Sprint(i))
		r.Commit(fmt.Sprint("commit ", i))
	}
	r.Write("empty", "")
	r.Symlink("big", "link")
	r.Commit("last")
}

// every holds all objects that git lists against what the Store reads.
func every(t *testing.T, r *gittest.Repo, s *objects.Store) int {
	t.Helper()
	ctx, n := context.Background(), 0
	for _, line := range strings.Split(r.Git("cat-file", "--batch-all-objects", "--batch-check"), "\n") {
		var oid, typ string
		var size int
		if _, err := fmt.Sscan(line, &oid, &typ, &size); err != nil {
			t.Fatal(err)
		}
		n++
		gotType, data, err := s.Read(ctx, oid)
		if err != nil || gotType != typ || len(data) != size || s.Hash(typ, data) != oid {
			t.Errorf("%s: %s of %d bytes, %v", line, gotType, len(data), err)
		}
		if got, err := s.Size(ctx, oid); err != nil || got != int64(size) {
			t.Errorf("%s: size %d, %v", line, got, err)
		}
		if ok, err := s.Has(ctx, oid); err != nil || !ok {
			t.Errorf("%s: Has = %v, %v", line, ok, err)
		}
	}
	return n
}

func TestReadEveryObject(t *testing.T) {
	tests := map[string]struct {
		opts []gittest.Option
		prep func(t *testing.T, r *gittest.Repo) *gittest.Repo
	}{
		"loose":  {nil, func(t *testing.T, r *gittest.Repo) *gittest.Repo { return r }},
		"packed": {nil, func(t *testing.T, r *gittest.Repo) *gittest.Repo { r.Git("repack", "-adfq", "--depth=50"); return r }},
		"deltas by id": {nil, func(t *testing.T, r *gittest.Repo) *gittest.Repo {
			r.Git("-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq")
			return r
		}},
		"old index": {nil, func(t *testing.T, r *gittest.Repo) *gittest.Repo {
			r.Git("-c", "pack.indexVersion=1", "repack", "-adfq")
			return r
		}},
		"multi-pack-index": {nil, func(t *testing.T, r *gittest.Repo) *gittest.Repo {
			r.Git("repack", "-adq")
			r.Write("new", "new")
			r.Commit("more")
			r.Git("repack", "-dq")
			r.Git("multi-pack-index", "write")
			return r
		}},
		"sha256 loose": {[]gittest.Option{gittest.InitArgs("--object-format=sha256")}, func(t *testing.T, r *gittest.Repo) *gittest.Repo { return r }},
		"sha256 packed": {[]gittest.Option{gittest.InitArgs("--object-format=sha256")}, func(t *testing.T, r *gittest.Repo) *gittest.Repo {
			r.Git("repack", "-adfq")
			return r
		}},
		"sha256 deltas by id": {[]gittest.Option{gittest.InitArgs("--object-format=sha256")}, func(t *testing.T, r *gittest.Repo) *gittest.Repo {
			r.Git("-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq")
			return r
		}},
		"alternates": {nil, func(t *testing.T, r *gittest.Repo) *gittest.Repo {
			clone, again := filepath.Join(t.TempDir(), "clone"), filepath.Join(t.TempDir(), "again")
			r.Git("repack", "-adq")
			r.Git("clone", "-q", "-s", r.Root, clone)
			r.Git("clone", "-q", "-s", clone, again)
			return r.At(again)
		}},
		"shallow": {nil, func(t *testing.T, r *gittest.Repo) *gittest.Repo {
			clone := filepath.Join(t.TempDir(), "clone")
			r.Git("clone", "-q", "--depth=1", "file://"+r.Root, clone)
			return r.At(clone)
		}},
		"sparse": {nil, func(t *testing.T, r *gittest.Repo) *gittest.Repo {
			r.Git("sparse-checkout", "set", "dir1")
			return r
		}},
		"linked work tree": {nil, func(t *testing.T, r *gittest.Repo) *gittest.Repo { return r.Worktree("side") }},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t, test.opts...)
			history(t, r)
			used := test.prep(t, r)
			if n := every(t, used, open(t, used)); n < 9 {
				t.Errorf("only %d objects were looked at", n)
			}
		})
	}
}

func TestAbsentObject(t *testing.T) {
	r := gittest.New(t)
	history(t, r)
	ctx, s := context.Background(), open(t, r)
	absent := strings.Repeat("ab", 20)
	if _, _, err := s.Read(ctx, absent); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("Read: %v", err)
	}
	if _, err := s.Size(ctx, absent); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("Size: %v", err)
	}
	if ok, err := s.Has(ctx, absent); ok || err != nil {
		t.Errorf("Has = %v, %v", ok, err)
	}
	for _, id := range []string{"", "HEAD", absent[:39], strings.ToUpper(absent), strings.Repeat("g", 40), absent + absent} {
		if _, _, err := s.Read(ctx, id); model.CodeOf(err) != model.CodeUsage {
			t.Errorf("%q: %v", id, err)
		}
	}
	if entries, err := s.Tree(ctx, s.EmptyTree()); err != nil || len(entries) != 0 {
		t.Errorf("the empty tree: %v, %v", entries, err)
	}
	if _, err := s.Blob(ctx, s.EmptyTree()); err == nil {
		t.Error("a tree was read as a blob")
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := s.Read(cancelled, s.EmptyTree()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestNewObjectsOfOthersAreSeen(t *testing.T) {
	r := gittest.New(t)
	history(t, r)
	ctx, s := context.Background(), open(t, r)
	every(t, r, s)
	r.Write("later", "later")
	commit := r.Commit("later")
	r.Git("repack", "-adq") // into a pack that was not there when the list was made
	r.Git("prune-packed")
	if _, err := s.Commit(ctx, commit); err != nil {
		t.Error(err)
	}
	every(t, r, s)
}

func TestConcurrentReads(t *testing.T) {
	r := gittest.New(t)
	history(t, r)
	r.Git("repack", "-adfq")
	s := open(t, r)
	ids := strings.Fields(r.Git("rev-list", "--all", "--objects", "--no-object-names"))
	var wg sync.WaitGroup
	for g := range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range ids {
				oid := ids[(i*7+g*13)%len(ids)]
				if typ, data, err := s.Read(context.Background(), oid); err != nil || s.Hash(typ, data) != oid {
					t.Errorf("%s: %v", oid, err)
				}
			}
		}()
	}
	w := s.NewWriter()
	for i := range 40 {
		if _, err := w.Write(objects.TypeBlob, fmt.Append(nil, "written meanwhile ", i)); err != nil {
			t.Error(err)
		}
		if i%10 == 9 {
			if err := w.Flush(context.Background()); err != nil {
				t.Error(err)
			}
		}
	}
	wg.Wait()
}

func TestCommitAndLookup(t *testing.T) {
	r := gittest.New(t)
	r.Write("a/b/c", "deep")
	first := r.Commit("first\n\nbody\n\nmore")
	r.Git("commit", "-q", "--allow-empty", "--author=A B <a@b>", "--date=1600000000 -0330", "-m", "second")
	ctx, s := context.Background(), open(t, r)
	c, err := s.Commit(ctx, r.Git("rev-parse", "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Parents) != 1 || c.Parents[0] != first || c.Message != "second\n" || c.Author.Name != "A B" || c.Author.Email != "a@b" ||
		c.Author.When.Unix() != 1600000000 || c.Author.When.Format("-0700") != "-0330" || c.Committer.Name != "User" {
		t.Errorf("%+v", c)
	}
	if body, err := s.Commit(ctx, first); err != nil || body.Message != "first\n\nbody\n\nmore\n" || body.Tree != c.Tree {
		t.Errorf("%+v, %v", body, err)
	}
	for path, want := range map[string]string{"a/b/c": "HEAD:a/b/c", "a/b": "HEAD:a/b", "": "HEAD^{tree}"} {
		e, ok, err := s.Lookup(ctx, c.Tree, model.Path(path))
		if err != nil || !ok || e.OID != r.Git("rev-parse", want) {
			t.Errorf("%q: %+v, %v, %v", path, e, ok, err)
		}
	}
	for _, path := range []string{"a/b/c/d", "a/x", "x"} {
		if e, ok, err := s.Lookup(ctx, c.Tree, model.Path(path)); ok || err != nil {
			t.Errorf("%q: %+v, %v", path, e, err)
		}
	}
}
