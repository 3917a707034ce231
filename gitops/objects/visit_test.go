package objects

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops"
	"overturn/gitops/gittest"
)

// TestVisitFollowsAPackThatMovesAgain: between the list of the packs and the look into
// them another process joins them, twice: the object is in another pack by then, and
// was there all the time.
func TestVisitFollowsAPackThatMovesAgain(t *testing.T) {
	for _, moves := range []int{0, 1, 2, 5} {
		r := gittest.New(t)
		r.Write("a", "a\n")
		r.Commit("base")
		r.Git("repack", "-adq")
		id := r.Git("rev-parse", "HEAD:a")
		raw, err := hex.DecodeString(id)
		if err != nil {
			t.Fatal(err)
		}
		repo, err := gitops.Find(t.Context(), r.Root, r.Env)
		if err != nil {
			t.Fatal(err)
		}
		s := Open(repo)
		asks := 0
		var bad error
		typ, data, err := visit(s, raw, func(d *objectDir) (typed, error) {
			if asks < moves {
				rename(t, filepath.Join(d.path, "pack"), asks)
			}
			asks++
			typ, data, err := d.read(s, id, raw)
			return typed{typ, data}, err
		}, &bad)
		if err != nil || typ != TypeBlob || string(data) != "a\n" {
			t.Errorf("%d moves: %q %q, %v, %v", moves, typ, data, err, bad)
		}
		if want := moves + 1; asks != want {
			t.Errorf("%d moves: asked %d times, want %d", moves, asks, want)
		}
		// What is nowhere is not looked for again where nothing moves.
		asks = 0
		if _, _, err := visit(s, make([]byte, len(raw)), func(*objectDir) (typed, error) { asks++; return typed{}, ErrNotFound }, &bad); err == nil || asks != 1 {
			t.Errorf("%d moves: what is nowhere: %v, asked %d times", moves, err, asks)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// rename gives the files of the one pack in folder names that no pack had before.
func rename(t *testing.T, folder string, n int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "pack-*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		next := "pack-" + strings.Repeat(string(rune('a'+n)), 40) + name[strings.LastIndex(name, "."):]
		if err := os.Rename(file, filepath.Join(folder, next)); err != nil {
			t.Fatal(err)
		}
	}
}
