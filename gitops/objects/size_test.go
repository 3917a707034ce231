//go:build unix

package objects_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
)

// sizes lie around every bound: of objects that are stored as they are, of what is
// read ahead of a packed entry, of what is read whole, and of what waits in memory.
func sizes() []int {
	var list []int
	for _, bound := range []int{0, 512, 4 << 10, 64 << 10, 512 << 10, 1 << 20} {
		list = append(list, max(bound-1, 0), bound, bound+1)
	}
	return append(list, 4000, 4090)
}

func noise(n int) []byte {
	data := make([]byte, n)
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

// Objects of any size, that compress well or not at all, are the same for git and
// for us: alone, in a pack of ours, and in a pack that git made with deltas.
func TestObjectsOfAnySize(t *testing.T) {
	ctx := context.Background()
	for _, together := range []bool{false, true} {
		r := gittest.New(t)
		s := open(t, r)
		w := s.NewWriter()
		want := map[string][]byte{}
		var entries []objects.TreeEntry
		for _, n := range sizes() {
			for kind, data := range map[string][]byte{"noise": noise(n), "same": bytes.Repeat([]byte("a"), n)} {
				oid, err := w.Write(objects.TypeBlob, data)
				if err != nil {
					t.Fatal(err)
				}
				want[oid] = data
				entries = append(entries, objects.TreeEntry{Mode: objects.ModeFile, Name: fmt.Sprint(kind, n, len(entries)), OID: oid})
				if together {
					continue
				}
				if err := w.Flush(ctx); err != nil {
					t.Fatal(err)
				}
			}
		}
		tree, err := w.WriteTree(entries)
		if err != nil {
			t.Fatal(err)
		}
		hold(t, s, want, "before Flush")
		if err := w.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		r.Git("fsck", "--strict")
		r.Git("cat-file", "-e", tree)
		hold(t, s, want, "stored")
		r.Git("update-ref", "refs/overturn/x", r.Git("commit-tree", "-m", "x", tree))
		keeps, err := filepath.Glob(filepath.Join(r.Root, ".git/objects/pack/*.keep"))
		if err != nil {
			t.Fatal(err)
		}
		for _, keep := range keeps {
			if err := os.Remove(keep); err != nil {
				t.Fatal(err)
			}
		}
		r.Git("repack", "-a", "-d", "-f", "-q")
		hold(t, open(t, r), want, "packed by git")
	}
}

func hold(t *testing.T, s *objects.Store, want map[string][]byte, when string) {
	t.Helper()
	for oid, data := range want {
		got, err := s.Blob(context.Background(), oid)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: a blob of %d bytes reads as %d bytes, %v", when, len(data), len(got), err)
		}
		if size, err := s.Size(context.Background(), oid); err != nil || size != int64(len(data)) {
			t.Errorf("%s: a blob of %d bytes has size %d, %v", when, len(data), size, err)
		}
		if len(got) > 0 {
			got[0]++ // what was read is the caller's own
		}
	}
}

// Files that Flush is handed are synced even where there is no object, and a file
// that cannot be synced fails it before anything has its name.
func TestFlushSyncsTheFilesOfOthers(t *testing.T) {
	ctx := context.Background()
	r := gittest.New(t)
	s := open(t, r)
	for _, n := range []int{0, 1, 9} {
		w := s.NewWriter()
		commit := ""
		if n > 0 {
			commit = snapshot(t, w, n)
		}
		closed, err := os.Create(filepath.Join(t.TempDir(), "other"))
		if err != nil {
			t.Fatal(err)
		}
		if err := closed.Close(); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(ctx, closed); err == nil {
			t.Errorf("%d objects: a file that is closed was synced", n)
		}
		if n > 0 {
			if has, err := s.Has(ctx, commit); has || err != nil {
				t.Errorf("%d objects: stored all the same: %v, %v", n, has, err)
			}
		}
	}
}
