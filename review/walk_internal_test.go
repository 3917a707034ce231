package review

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
)

// randomTree writes a tree of a few levels; few names and contents, so that two of
// them share folders, and a name is a file here and a folder there.
func randomTree(t *testing.T, w *objects.Writer, rng *rand.Rand, depth int) string {
	t.Helper()
	var entries []objects.TreeEntry
	for _, name := range []string{"a", "a.b", "a-b", "a0", "b", "c", "lib"} {
		switch n := rng.IntN(6); {
		case n == 0:
		case n <= 2 && depth > 0:
			entries = append(entries, objects.TreeEntry{Mode: objects.ModeTree, Name: name, OID: randomTree(t, w, rng, depth-1)})
		default:
			oid, err := w.Write(objects.TypeBlob, []byte(fmt.Sprint(rng.IntN(3))))
			if err != nil {
				t.Fatal(err)
			}
			mode := objects.ModeFile
			if n == 3 {
				mode = objects.ModeExec
			}
			entries = append(entries, objects.TreeEntry{Mode: mode, Name: name, OID: oid})
		}
	}
	oid, err := w.WriteTree(entries)
	if err != nil {
		t.Fatal(err)
	}
	return oid
}

// TestWalkIsDiff holds the walk of several goroutines against the plain one.
func TestWalkIsDiff(t *testing.T) {
	repo := gittest.New(t).Open()
	objs := objects.Open(repo)
	t.Cleanup(func() { _ = objs.Close() })
	w := objs.NewWriter()
	rng := rand.New(rand.NewPCG(3, 4))
	trees := []string{"", objs.EmptyTree()}
	for range 40 {
		trees = append(trees, randomTree(t, w, rng, 3))
	}
	// One folder around everything: the walk has to look inside.
	for _, inner := range trees[2:6] {
		oid, err := w.WriteTree([]objects.TreeEntry{{Mode: objects.ModeTree, Name: "only", OID: inner}})
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, oid)
	}
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	changes := 0
	for range 400 {
		a, b := trees[rng.IntN(len(trees))], trees[rng.IntN(len(trees))]
		want, err := objs.Diff(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		var got []objects.TreeChange
		if err := walk(t.Context(), objs, a, b, func(c objects.TreeChange) error { got = append(got, c); return nil }); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s..%s:\n%v\nwant\n%v", a, b, got, want)
		}
		changes += len(got)
	}
	if changes < 1000 {
		t.Errorf("only %d changes were compared", changes)
	}
	a, b := trees[2], trees[3]
	if err := walk(t.Context(), objs, a, b, func(objects.TreeChange) error { return errStop }); !errors.Is(err, errStop) {
		t.Errorf("a stop is %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := walk(cancelled, objs, a, b, func(objects.TreeChange) error { return cancelled.Err() }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := walk(t.Context(), objs, a, "0123456789012345678901234567890123456789", func(objects.TreeChange) error { return nil }); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("a tree that is not there: %v", err)
	}
}
