//go:build unix

package objects_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
)

// snapshot writes n blobs, a tree of them and a commit, and returns the commit.
func snapshot(t testing.TB, w *objects.Writer, n int) string {
	t.Helper()
	var entries []objects.TreeEntry
	for i := range n {
		oid, err := w.Write(objects.TypeBlob, fmt.Append(nil, strings.Repeat("content ", i*10), i))
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, objects.TreeEntry{Mode: objects.ModeFile, Name: fmt.Sprint("file", i), OID: oid})
	}
	tree, err := w.WriteTree(entries)
	if err != nil {
		t.Fatal(err)
	}
	who := objects.Signature{Name: "over<turn", Email: "a@b", When: time.Unix(1700000000, 0).UTC()}
	commit, err := w.WriteCommit(objects.Commit{Tree: tree, Author: who, Committer: who, Message: "snapshot\n"})
	if err != nil {
		t.Fatal(err)
	}
	return commit
}

func TestFlush(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		for _, n := range []int{0, 1, 7, 100} {
			t.Run(fmt.Sprint(format, " ", n), func(t *testing.T) {
				t.Parallel()
				r := gittest.New(t, gittest.InitArgs("--object-format="+format))
				s, ctx := open(t, r), context.Background()
				w := s.NewWriter()
				commit := snapshot(t, w, n)
				if w.Pending() != n+2 {
					t.Errorf("%d pending", w.Pending())
				}
				if _, err := r.GitMayFail("cat-file", "-e", commit); err == nil {
					t.Error("git sees the object before Flush")
				}
				if c, err := s.Commit(ctx, commit); err != nil || c.Message != "snapshot\n" {
					t.Errorf("before Flush: %+v, %v", c, err)
				}
				if err := w.Flush(ctx); err != nil {
					t.Fatal(err)
				}
				if w.Pending() != 0 {
					t.Errorf("%d pending after Flush", w.Pending())
				}
				r.Git("update-ref", "refs/overturn/x", commit)
				r.Check()
				if got := len(strings.Fields(r.Git("ls-tree", "--name-only", commit))); got != n {
					t.Errorf("git lists %d names", got)
				}
				if got := every(t, r, s); got != n+2 {
					t.Errorf("%d objects", got)
				}
				packs, _ := filepath.Glob(filepath.Join(r.Root, ".git/objects/pack/pack-*"))
				if len(packs) != 3 {
					t.Errorf("packs: %v", packs)
				}
				for _, pack := range packs {
					if strings.HasSuffix(pack, ".keep") {
						r.Git("gc", "-q", "--prune=now")
						if _, err := os.Stat(pack); err != nil {
							t.Error("gc took the kept pack")
						}
					}
				}
				left, _ := filepath.Glob(filepath.Join(r.Root, ".git/objects/*/tmp_*"))
				if len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
			})
		}
	}
}

func TestModesFollowTheUmask(t *testing.T) {
	r := gittest.New(t)
	w := open(t, r).NewWriter()
	oid, err := w.Write(objects.TypeBlob, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	old := syscall.Umask(0o027)
	err = w.Flush(context.Background())
	syscall.Umask(old)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := open(t, r).Has(context.Background(), oid); err != nil || !ok {
		t.Errorf("%v, %v", ok, err)
	}
	for _, file := range append(packs(t, r, ".pack"), packs(t, r, ".idx")...) {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o440 {
			t.Errorf("%s: mode %v, %v", file, info.Mode(), err)
		}
	}
}

func TestWhatIsStoredIsNotWrittenAgainButMarked(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "content")
	r.Commit("one")
	w := open(t, r).NewWriter()
	file := func() string {
		oid := r.Git("rev-parse", "HEAD:a")
		return filepath.Join(r.Root, ".git/objects", oid[:2], oid[2:])
	}
	long := time.Now().Add(-20 * 24 * time.Hour)
	if err := os.Chtimes(file(), long, long); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := w.Write(objects.TypeBlob, []byte("content")); err != nil || w.Pending() != 0 {
			t.Errorf("%d pending, %v", w.Pending(), err)
		}
	}
	if info, err := os.Stat(file()); err != nil || time.Since(info.ModTime()) > time.Minute {
		t.Errorf("its time still is %v: gc may take it", info.ModTime())
	}
}

func TestDiscard(t *testing.T) {
	r := gittest.New(t)
	s, ctx := open(t, r), context.Background()
	for _, n := range []int{1, 20} {
		w, other := s.NewWriter(), s.NewWriter()
		commit := snapshot(t, w, n)
		w.Discard()
		if _, err := s.Commit(ctx, commit); !errors.Is(err, objects.ErrNotFound) {
			t.Errorf("after Discard: %v", err)
		}
		if err := w.Flush(ctx); err != nil {
			t.Error(err)
		}
		if _, err := r.GitMayFail("cat-file", "-e", commit); err == nil {
			t.Error("it was stored")
		}
		if snapshot(t, other, 1); other.Pending() == 0 {
			t.Error("what was discarded counts as stored")
		}
		other.Discard()
	}
	if left, _ := filepath.Glob(filepath.Join(r.Root, ".git/objects/*/tmp_*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestConcurrentWritesAndLargeOnes(t *testing.T) {
	r := gittest.New(t)
	s, ctx := open(t, r), context.Background()
	w := s.NewWriter()
	big := make([]byte, 9<<20)
	rng := rand.NewChaCha8([32]byte{1})
	if _, err := rng.Read(big); err != nil {
		t.Fatal(err)
	}
	var ids sync.Map
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 50 {
				data := fmt.Append(nil, "shared ", i) // the same in all four
				if i == 25 {
					data = bytes.Clone(big[:len(big)-g])
				}
				oid, err := w.Write(objects.TypeBlob, data)
				if err != nil {
					t.Error(err)
				}
				clear(data[:min(len(data), 4)]) // what was given may be changed
				if i == 25 {
					continue
				}
				ids.Store(oid, true)
			}
		}()
	}
	wg.Wait()
	if err := w.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	ids.Range(func(oid, _ any) bool {
		r.Git("cat-file", "-e", oid.(string))
		return true
	})
	packs, _ := filepath.Glob(filepath.Join(r.Root, ".git/objects/pack/*.idx"))
	if len(packs) != 1 {
		t.Fatalf("packs: %v", packs)
	}
	r.Git("verify-pack", packs[0])
}

func TestTreesThatGitWouldRefuse(t *testing.T) {
	r := gittest.New(t)
	w := open(t, r).NewWriter()
	oid, err := w.Write(objects.TypeBlob, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []objects.TreeEntry{
		{Mode: objects.ModeFile, Name: "", OID: oid}, {Mode: objects.ModeFile, Name: "a/b", OID: oid}, {Mode: objects.ModeFile, Name: "..", OID: oid},
		{Mode: objects.ModeFile, Name: ".GIT", OID: oid}, {Mode: objects.ModeFile, Name: "a\x00", OID: oid},
		{Mode: 0o100600, Name: "a", OID: oid}, {Mode: objects.ModeFile, Name: "a", OID: "zz"}, {Mode: objects.ModeFile, Name: "a", OID: strings.Repeat("z", 40)},
	} {
		if _, err := w.WriteTree([]objects.TreeEntry{e}); err == nil {
			t.Errorf("%+v was taken", e)
		}
	}
	twice := objects.TreeEntry{Mode: objects.ModeFile, Name: "a", OID: oid}
	if _, err := w.WriteTree([]objects.TreeEntry{twice, {Mode: objects.ModeTree, Name: "a", OID: oid}}); err == nil {
		t.Error("one name was taken twice")
	}
	w.Discard()
}

func BenchmarkFlushOne(b *testing.B)   { benchmarkFlush(b, 1) }
func BenchmarkFlushSmall(b *testing.B) { benchmarkFlush(b, 6) }
func BenchmarkFlushPack(b *testing.B)  { benchmarkFlush(b, 1000) }

func benchmarkFlush(b *testing.B, n int) {
	r := gittest.New(b)
	s := objects.Open(r.Open())
	round := 0
	for b.Loop() {
		round++
		w := s.NewWriter()
		for i := range n {
			if _, err := w.Write(objects.TypeBlob, fmt.Append(nil, strings.Repeat("some text ", 300), round, i)); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Flush(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

// What waits in an unfinished pack is read back whole while others write to it, and
// write it out.
func TestReadBackWhileOthersWrite(t *testing.T) {
	r := gittest.New(t)
	s, ctx := open(t, r), context.Background()
	w := s.NewWriter()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			want := map[string][]byte{}
			for i := range 300 {
				data := append(noise(2000+8*i+g), fmt.Sprint(g)...)
				oid, err := w.Write(objects.TypeBlob, data)
				if err != nil {
					t.Error(err)
					return
				}
				want[oid] = data
				if got, err := s.Blob(ctx, oid); err != nil || !bytes.Equal(got, data) {
					t.Errorf("a blob of %d bytes reads as %d bytes, %v", len(data), len(got), err)
				}
			}
			hold(t, s, want, "before Flush")
		}()
	}
	wg.Wait()
	if err := w.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	r.Git("fsck", "--strict")
}
