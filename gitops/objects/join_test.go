//go:build unix

package objects_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
)

// turns flushes n packs of ten objects and more, each under a ref, some objects in
// several.
func turns(t *testing.T, r *gittest.Repo, s *objects.Store, from, n int) {
	t.Helper()
	var in strings.Builder
	for i := from; i < from+n; i++ {
		w := s.NewWriter()
		var entries []objects.TreeEntry
		for j := range 10 {
			oid, err := w.Write(objects.TypeBlob, fmt.Appendf(nil, "file %d of turn %d", j, i))
			if err != nil {
				t.Fatal(err)
			}
			entries = append(entries, objects.TreeEntry{Mode: objects.ModeFile, Name: fmt.Sprint("f", j), OID: oid})
		}
		tree, err := w.WriteTree(entries)
		if err != nil {
			t.Fatal(err)
		}
		commit, err := w.WriteCommit(objects.Commit{Tree: tree, Message: fmt.Sprint(i)})
		if err == nil {
			err = w.Flush(context.Background())
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&in, "create refs/overturn/t%d %s\n", i, commit)
	}
	r.GitInput(in.String(), "update-ref", "--stdin")
}

func packs(t *testing.T, r *gittest.Repo, ext string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(r.Root, ".git/objects/pack/*"+ext))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestJoin(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t, gittest.InitArgs("--object-format="+format))
			s, old, ctx := open(t, r), open(t, r), context.Background()
			turns(t, r, s, 0, 19)
			if err := s.Join(ctx); err != nil || len(packs(t, r, ".pack")) != 19 {
				t.Fatalf("too few: %v, %d packs", err, len(packs(t, r, ".pack")))
			}
			turns(t, r, s, 19, 4)
			every(t, r, old) // it has the old packs open
			if err := s.Join(ctx); err != nil {
				t.Fatal(err)
			}
			for _, ext := range []string{".pack", ".idx", ".keep", ""} {
				want := 1
				if ext == "" {
					want = 3
				}
				if got := packs(t, r, ext); len(got) != want {
					t.Errorf("%q: %v", ext, got)
				}
			}
			r.Check()
			r.Git("verify-pack", packs(t, r, ".idx")[0])
			for _, store := range []*objects.Store{s, old, open(t, r)} {
				if n := every(t, r, store); n != 23*12 {
					t.Errorf("%d objects", n)
				}
			}
		})
	}
}

func TestJoinLeavesOthersPacks(t *testing.T) {
	r := gittest.New(t)
	s, ctx := open(t, r), context.Background()
	turns(t, r, s, 0, 21)
	for i, keep := range packs(t, r, ".keep") {
		if i%2 == 0 {
			if err := os.WriteFile(keep, []byte("the user's\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Join(ctx); err != nil || len(packs(t, r, ".pack")) != 21 {
		t.Errorf("%v, %d packs", err, len(packs(t, r, ".pack")))
	}
	for _, keep := range packs(t, r, ".keep") {
		if err := os.WriteFile(keep, []byte("overturn\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// What names a pack that goes is forgotten, as by git's own repack.
	r.Git("multi-pack-index", "write")
	if err := s.Join(ctx); err != nil || len(packs(t, r, ".pack")) != 1 {
		t.Errorf("with a multi-pack-index: %v, %d packs", err, len(packs(t, r, ".pack")))
	}
	r.Check()
	r.Git("multi-pack-index", "write")
	r.Git("multi-pack-index", "verify")
}

func TestJoinOfSeveral(t *testing.T) {
	r := gittest.New(t)
	turns(t, r, open(t, r), 0, 30)
	var wg sync.WaitGroup
	for range 4 {
		s := open(t, r)
		wg.Add(2)
		go func() {
			defer wg.Done()
			if err := s.Join(context.Background()); err != nil {
				t.Error(err)
			}
		}()
		go func() { // who reads meanwhile
			defer wg.Done()
			for i := range 30 {
				if _, err := s.Commit(context.Background(), r.Git("rev-parse", fmt.Sprint("refs/overturn/t", i))); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	if got := packs(t, r, ".pack"); len(got) != 1 {
		t.Errorf("%d packs", len(got))
	}
}

func TestJoinKilled(t *testing.T) {
	r := gittest.New(t)
	s := open(t, r)
	turns(t, r, s, 0, 20)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append([]string(nil), r.Env.Environ...), "OBJECTS_CHILD="+r.Root, "OBJECTS_JOIN=1", "OVERTURN_FAIL_POINT=objects.join.stored")
	var exit *exec.ExitError
	if out, err := cmd.CombinedOutput(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("%v %s", err, out)
	}
	r.Check()
	every(t, r, open(t, r))
	if err := s.Join(context.Background()); err != nil || len(packs(t, r, ".pack")) > 2 {
		t.Errorf("%v, %d packs", err, len(packs(t, r, ".pack")))
	}
	every(t, r, s)
}

// TestJoinCompresses: a small Flush stores its objects as they are, a Join makes them
// small, and every byte stays; what is over the limit is compressed at once.
func TestJoinCompresses(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s, ctx := open(t, r), context.Background()
	size := func() (total int64) {
		for _, pack := range packs(t, r, ".pack") {
			info, err := os.Stat(pack)
			if err != nil {
				t.Fatal(err)
			}
			total += info.Size()
		}
		return total
	}
	flush := func(name string, lengths ...int) string {
		w := s.NewWriter()
		oid := ""
		for i, length := range lengths {
			var err error
			if oid, err = w.Write(objects.TypeBlob, []byte(strings.Repeat(fmt.Sprint(name, i, " "), length)[:length])); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		r.Git("update-ref", "refs/overturn/"+name, oid)
		return oid
	}
	large := flush("large", 70_000, 70_000)
	if got := size(); got > 12_000 {
		t.Errorf("140,000 bytes take %d", got)
	}
	before := size()
	for i := range 20 {
		flush(fmt.Sprint("plain", i), 0, 1, 511, 512, 513, 5_000)
	}
	if got := size() - before; got < 20*6_500 {
		t.Errorf("20 flushes of 6,537 bytes take %d", got)
	}
	flush("blocks", 65_535, 1)
	flush("block", 65_536)
	if err := s.Join(ctx); err != nil {
		t.Fatal(err)
	}
	if got := size() - before; len(packs(t, r, ".pack")) != 1 || got > 20*2_200+12_000 {
		t.Errorf("joined, %d packs take %d bytes", len(packs(t, r, ".pack")), got)
	}
	every(t, r, open(t, r))
	r.Git("fsck", "--strict", "--no-dangling")
	if data, err := open(t, r).Blob(ctx, large); err != nil || len(data) != 70_000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}
