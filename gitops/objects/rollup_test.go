//go:build unix

package objects_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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

// edits flushes n snapshots of three files in two folders that change by a line, each
// under a ref, as a turn does.
func edits(t *testing.T, r *gittest.Repo, s *objects.Store, from, n int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	base := make([]string, 400)
	for i := range base {
		base[i] = fmt.Sprintf("line %d is %x", i, rnd.Uint64())
	}
	var in strings.Builder
	for i := from; i < from+n; i++ {
		w := s.NewWriter()
		write := func(entries ...objects.TreeEntry) string {
			id, err := w.WriteTree(entries)
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		var files [3]objects.TreeEntry
		for j := range files {
			text := append([]string(nil), base...)
			text[(i*7+j*31)%len(text)] = fmt.Sprintf("turn %d was here, in %d", i, j)
			id, err := w.Write(objects.TypeBlob, []byte(strings.Join(text, "\n")))
			if err != nil {
				t.Fatal(err)
			}
			files[j] = objects.TreeEntry{Mode: objects.ModeFile, Name: fmt.Sprint("f", j), OID: id}
		}
		root := write(files[0], objects.TreeEntry{Mode: objects.ModeTree, Name: "dir", OID: write(files[1], files[2])})
		commit, err := w.WriteCommit(objects.Commit{Tree: root, Message: fmt.Sprint(i)})
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

func bytesOf(t *testing.T, files []string) (n int64) {
	t.Helper()
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		n += info.Size()
	}
	return n
}

func litter(t *testing.T, r *gittest.Repo) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{".git/objects/*/tmp_*", ".git/objects/tmp_*", ".git/overturn/rollup", ".git/overturn/rollup/*"} {
		found, err := filepath.Glob(filepath.Join(r.Root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	return list
}

func TestRollUp(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t, gittest.InitArgs("--object-format="+format))
			// What the user has configured for packs does not cut or change ours.
			for _, set := range []string{"pack.packSizeLimit=1m", "pack.indexVersion=1", "pack.writeReverseIndex=true", "pack.window=0", "pack.depth=0", "core.bigFileThreshold=1", "pack.threads=7", "repack.writeBitmaps=true"} {
				key, value, _ := strings.Cut(set, "=")
				r.Git("config", key, value)
			}
			s, old, ctx := open(t, r), open(t, r), context.Background()
			edits(t, r, s, 0, 7)
			if err := s.RollUp(ctx); err != nil || len(packs(t, r, ".pack")) != 7 {
				t.Fatalf("too few: %v, %d packs", err, len(packs(t, r, ".pack")))
			}
			edits(t, r, s, 7, 33)
			if err := s.Join(ctx); err != nil || len(packs(t, r, ".pack")) != 1 {
				t.Fatalf("%v, %d packs", err, len(packs(t, r, ".pack")))
			}
			edits(t, r, s, 60, 8)
			n, before := every(t, r, old), bytesOf(t, packs(t, r, ".pack"))
			if err := s.RollUp(ctx); err != nil {
				t.Fatal(err)
			}
			if got := packs(t, r, ""); len(got) != 3 {
				t.Errorf("%v", got)
			}
			if after := bytesOf(t, packs(t, r, ".pack")); after*8 > before {
				t.Errorf("%d bytes became %d", before, after)
			}
			r.Check()
			r.Git("verify-pack", packs(t, r, ".idx")[0])
			for _, store := range []*objects.Store{s, old, open(t, r)} {
				if got := every(t, r, store); got != n {
					t.Errorf("%d objects, want %d", got, n)
				}
			}
			if got := litter(t, r); len(got) > 0 {
				t.Errorf("left behind: %v", got)
			}
			// A rolled pack and a few new ones: the rolled one is taken in again only
			// while the rest is half of it.
			edits(t, r, s, 80, 8)
			if err := s.RollUp(ctx); err != nil || len(packs(t, r, ".pack")) > 2 {
				t.Errorf("%v, %d packs", err, len(packs(t, r, ".pack")))
			}
			if err := s.Join(ctx); err != nil {
				t.Error(err)
			}
			every(t, r, s)
		})
	}
}

func TestGCNeverCountsOurs(t *testing.T) {
	r := gittest.New(t)
	s, ctx := open(t, r), context.Background()
	r.Write("a", "the user's\n")
	r.Commit("one")
	loose := r.Git("count-objects")
	edits(t, r, s, 0, 70) // git packs from 50 packs or 6,700 loose objects on
	if got := r.Git("count-objects"); got != loose {
		t.Errorf("loose objects: %s, before: %s", got, loose)
	}
	r.Git("-c", "gc.autoDetach=false", "-c", "gc.autoPackLimit=1", "-c", "gc.auto=200", "gc", "--auto")
	if got := len(packs(t, r, ".pack")); got != 70 {
		t.Errorf("gc --auto packed: %d packs", got)
	}
	if err := s.RollUp(ctx); err != nil {
		t.Fatal(err)
	}
	r.Git("-c", "gc.autoDetach=false", "-c", "gc.autoPackLimit=1", "-c", "gc.auto=200", "gc", "--auto")
	if got := len(packs(t, r, ".pack")); got != 1 {
		t.Errorf("%d packs", got)
	}
}

// TestBesideTheUsersGit runs what a user may run between and after roll-ups.
func TestBesideTheUsersGit(t *testing.T) {
	for _, cmd := range [][]string{{"gc", "-q", "--prune=now"}, {"repack", "-adq"}, {"repack", "-Adfq", "--unpack-unreachable=now"}, {"prune", "--expire=now"}, {"prune-packed", "-q"}, {"pack-refs", "--all"}, {"repack", "--geometric=2", "-dq"}} {
		t.Run(strings.Join(cmd, " "), func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			s, ctx := open(t, r), context.Background()
			r.Write("a", "the user's\n")
			r.Commit("one")
			edits(t, r, s, 0, 9)
			n := every(t, r, s)
			for range 2 {
				r.Git(cmd...)
				if err := s.RollUp(ctx); err != nil {
					t.Fatal(err)
				}
			}
			r.Git(cmd...)
			r.Check()
			if got := every(t, r, open(t, r)); got != n {
				t.Errorf("%d objects, want %d", got, n)
			}
		})
	}
}

func TestReadersBesideRollUp(t *testing.T) {
	r := gittest.New(t)
	edits(t, r, open(t, r), 0, 30)
	commits := strings.Fields(r.Git("for-each-ref", "--format=%(objectname)", "refs/overturn"))
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		s := open(t, r)
		wg.Go(func() {
			for {
				for _, id := range commits {
					c, err := s.Commit(context.Background(), id)
					if err == nil {
						_, _, err = s.Lookup(context.Background(), c.Tree, "dir/f2")
					}
					if err != nil {
						t.Error(err)
					}
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	s := open(t, r)
	for i := range 3 {
		if err := s.RollUp(context.Background()); err != nil {
			t.Error(err)
		}
		edits(t, r, s, 30+8*i, 8)
	}
	close(stop)
	wg.Wait()
}

func TestRollUpKilled(t *testing.T) {
	for _, step := range []struct {
		point, env string
	}{
		{"objects.packobjects.mkdir", "ROLL"}, {"objects.install.keep", "ROLL"}, {"objects.movesynced.rename", "ROLL"}, {"objects.movesynced.rename:2", "ROLL"},
		{"objects.rollup.stored", "ROLL"}, {"objects.removepacks.remove", "ROLL"}, {"objects.removepacks.remove:2", "ROLL"},
		{"objects.removepacks.remove:3", "ROLL"}, {"objects.removepacks.remove:4", "ROLL"}, {"objects.removepacks.remove:5", "ROLL"},
		{"objects.rollup.stored", "RETIRE"}, {"objects.movesynced.rename:2", "RETIRE"}, {"objects.removepacks.remove:3", "RETIRE"},
	} {
		t.Run(step.env+" "+step.point, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			s := open(t, r)
			edits(t, r, s, 0, 9)
			n := every(t, r, s)
			for range 2 {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(append([]string(nil), r.Env.Environ...), "OBJECTS_CHILD="+r.Root, "OBJECTS_"+step.env+"=1", "OVERTURN_FAIL_POINT="+step.point)
				var exit *exec.ExitError
				if out, err := cmd.CombinedOutput(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("not reached: %v %s", err, out)
				}
				r.Check()
				if got := every(t, r, open(t, r)); got != n {
					t.Errorf("%d objects, want %d", got, n)
				}
			}
			r.Git("gc", "-q", "--prune=now")
			edits(t, r, s, 9, 8)
			if err := s.RollUp(context.Background()); err != nil {
				t.Error(err)
			}
			r.Check()
			if got := every(t, r, open(t, r)); got != n+8*6 {
				t.Errorf("%d objects, want %d", got, n+8*6)
			}
			if got := litter(t, r); len(got) > 0 {
				t.Errorf("left behind: %v", got)
			}
		})
	}
}
