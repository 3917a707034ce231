//go:build unix

package snapshot_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot"
	"overturn/model"
)

func TestStoredSnapshotComesBack(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := small(t, gittest.InitArgs("--object-format="+format))
			r.Write(".gitattributes", "*.txt text=auto\n")
			r.Write("mixed.txt", "a\r\nb\n")
			r.Write("h\xe9\n", "odd\n")
			r.Write("secret", "s\n")
			r.Chmod("secret", 0o600)
			r.Symlink("../outside", "link")
			r.Git("add", "two", "secret")
			must(t, os.MkdirAll(r.Path("empty/below"), 0o755))
			fifo(t, r.Path("pipe"))
			b := newBench(t, r, snapshot.Options{})
			ctx := context.Background()
			w := b.objs.NewWriter()
			snap, err := b.eng.Capture(ctx, w)
			must(t, err)
			note, err := w.Write("blob", []byte("attached"))
			must(t, err)
			tr := snapshot.Trailers{Thread: "a thread", Turn: 3, Boundary: "start", Extra: map[string]string{"Overturn-Note": "x"}}
			commit, err := b.eng.WriteCommit(ctx, w, snap, tr, map[string]string{"note": note, "tree/": snap.Tree})
			must(t, err)
			must(t, w.Flush(ctx))
			r.Git("update-ref", "refs/overturn/x", commit)
			must(t, snap.Published(commit))

			s, err := snapshot.Read(ctx, b.objs, commit)
			must(t, err)
			if s.Tree != snap.Tree || s.IndexTree != snap.IndexTree || s.Head != snap.Head || !s.CapturedAt.Equal(snap.CapturedAt) || !reflect.DeepEqual(s.Trailers, tr) {
				t.Fatalf("came back as %+v of %+v", s, snap)
			}
			for name, pair := range map[string][2]any{"inventory": {s.Inventory, snap.Inventory}, "left out": {s.LeftOut, snap.LeftOut}, "raw": {s.Raw, snap.Raw}, "perm": {s.Perm, snap.Perm}, "empty": {s.Empty, snap.Empty}} {
				if asJSON(t, pair[0]) != asJSON(t, pair[1]) {
					t.Errorf("%s: %v came back as %v", name, pair[1], pair[0])
				}
			}
			if s.Attachments["note"] != note || s.Attachments["tree/"] != snap.Tree {
				t.Errorf("attachments %v", s.Attachments)
			}
			if got := r.Git("rev-list", "--parents", "-1", commit); strings.Count(got, " ") != 1 || strings.Contains(got, r.Git("rev-parse", "HEAD")) {
				t.Errorf("parents: %s", got)
			}
			want := map[model.Path][2]string{"secret": {"file", "100600"}, "link": {"link", "120000"}, "h\xe9\n": {"file", "100644"}, "nothing": {"absent", "000000"}, "a": {"absent", "000000"}, "mixed.txt": {"file", "100644"}}
			for path, kind := range want {
				e, err := s.Entry(ctx, path)
				must(t, err)
				if string(e.Kind) != kind[0] || e.Mode != kind[1] {
					t.Errorf("%q is %+v", path, e)
				}
			}
			e, err := s.Entry(ctx, "mixed.txt")
			must(t, err)
			if raw, err := b.objs.Blob(ctx, e.RawOID); err != nil || string(raw) != "a\r\nb\n" || e.OID == e.RawOID {
				t.Errorf("raw bytes %q, %v", raw, err)
			}
			if len(snap.Empty) != 1 || snap.Empty[0] != "empty/below" {
				t.Errorf("empty folders %v", snap.Empty)
			}
			w2 := b.objs.NewWriter()
			defer w2.Discard()
			if again, err := b.eng.WriteCommit(ctx, w2, snap, tr, map[string]string{"note": note, "tree/": snap.Tree}); err != nil || again != commit {
				t.Errorf("the same snapshot became %s, %v", again, err)
			}
		})
	}
}

func TestTrailersAreOneLineEach(t *testing.T) {
	r := small(t)
	b := newBench(t, r, snapshot.Options{})
	w := b.objs.NewWriter()
	defer w.Discard()
	for _, extra := range []map[string]string{{"a": "1\n2"}, {"a b": "1"}, {"Overturn-Turn": "9"}, {"": "x"}} {
		if _, err := b.eng.WriteCommit(context.Background(), w, &snapshot.Snapshot{Tree: b.objs.EmptyTree()}, snapshot.Trailers{Boundary: "end", Extra: extra}, nil); err == nil {
			t.Errorf("the trailer %v was taken", extra)
		}
	}
}

// P-05: whatever became of the table, the next capture is right.
func TestDamagedTableIsRebuilt(t *testing.T) {
	damage := map[string]func(path string, data []byte) error{
		"zeros":    func(path string, data []byte) error { return os.WriteFile(path, make([]byte, len(data)), 0o600) },
		"cut":      func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)/2], 0o600) },
		"empty":    func(path string, data []byte) error { return os.WriteFile(path, nil, 0o600) },
		"one bit":  func(path string, data []byte) error { data[len(data)/2] ^= 4; return os.WriteFile(path, data, 0o600) },
		"too long": func(path string, data []byte) error { return os.WriteFile(path, append(data, 0), 0o600) },
		"garbage": func(path string, data []byte) error {
			return os.WriteFile(path, []byte(strings.Repeat("x", 500)), 0o600)
		},
		"absent": func(path string, data []byte) error { return os.Remove(path) },
		"folder": func(path string, data []byte) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Mkdir(path, 0o700)
		},
	}
	for name, do := range damage {
		t.Run(name, func(t *testing.T) {
			r := small(t)
			b := newBench(t, r, snapshot.Options{})
			b.agree("first")
			path := filepath.Join(b.repo.StateDir(), "table")
			data, err := os.ReadFile(path)
			must(t, err)
			must(t, do(path, data))
			r.Write("two", "edited\n")
			b.reopen(snapshot.Options{})
			if name != "folder" {
				b.agree("after damage")
				return
			}
			w := b.objs.NewWriter()
			snap, err := b.eng.Capture(context.Background(), w)
			must(t, err)
			must(t, w.Flush(context.Background()))
			if snap.Tree != b.slow().Tree {
				t.Error("wrong tree")
			}
			_ = snap.Discarded() // it may say that the table cannot be kept
		})
	}
}

// What was captured and never held by a ref may be pruned; the next capture
// stores it again.
func TestPrunedObjectsAreStoredAgain(t *testing.T) {
	for _, publish := range []bool{true, false} {
		r := small(t)
		b := newBench(t, r, snapshot.Options{})
		ctx := context.Background()
		r.Write("new", "only captured\n")
		r.Write("deep/er", "only captured too\n")
		w := b.objs.NewWriter()
		snap, err := b.eng.Capture(ctx, w)
		must(t, err)
		commit, err := b.eng.WriteCommit(ctx, w, snap, snapshot.Trailers{Boundary: "end"}, nil)
		must(t, err)
		must(t, w.Flush(ctx))
		if publish {
			must(t, snap.Published(commit))
		} else {
			must(t, snap.Discarded())
		}
		r.Git("prune", "--expire=now")
		r.Git("repack", "-q", "-a", "-d")
		for _, pack := range glob(t, filepath.Join(r.GitDir(), "objects/pack/*.keep")) {
			base := strings.TrimSuffix(pack, ".keep")
			for _, ext := range []string{".keep", ".pack", ".idx"} {
				must(t, os.Remove(base+ext))
			}
		}
		b.reopen(snapshot.Options{})
		again := b.capture()
		if again.Tree != snap.Tree {
			t.Fatal("another tree")
		}
		if got := r.Git("cat-file", "-p", again.Tree+":deep/er"); got != "only captured too" {
			t.Fatalf("stored %q", got)
		}
		r.Git("fsck", "--connectivity-only")
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	must(t, err)
	return string(data)
}

func glob(t *testing.T, pattern string) []string {
	list, err := filepath.Glob(pattern)
	must(t, err)
	return list
}
