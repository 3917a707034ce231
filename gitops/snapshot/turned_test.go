//go:build unix

package snapshot_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot"
)

// What turned is known for as long as it stands, also to captures that only look,
// and comes back with the snapshot.
func TestTurnedStaysKnown(t *testing.T) {
	r := small(t)
	r.Write("out/\xff\n", "a name that is not text\n")
	r.Write("x.log", "x\n")
	r.Write("loose", "l\n")
	b := newBench(t, r, snapshot.Options{})
	before := b.agree("before")
	r.Write(".gitignore", "*.log\nloose\n")
	w := b.objs.NewWriter()
	looked, err := b.eng.Capture(context.Background(), w)
	must(t, err)
	w.Discard()
	must(t, looked.Discarded())
	if len(before.Turned) > 0 || fmt.Sprintf("%q", looked.Turned) != `["loose" "out/\xff\n"]` {
		t.Fatalf("turned: %q, then %q", before.Turned, looked.Turned)
	}
	b.reopen(snapshot.Options{})
	_, commit := b.publish()
	stored, err := snapshot.Read(context.Background(), b.objs, commit)
	must(t, err)
	if fmt.Sprint(stored.Turned) != fmt.Sprint(looked.Turned) {
		t.Errorf("read back: %q", stored.Turned)
	}
	unsure := func(base string) int {
		list, err := snapshot.Unsure(context.Background(), b.objs, base, stored.Tree, stored.Turned)
		must(t, err)
		return len(list)
	}
	if a, z := unsure(before.Tree), unsure(stored.Tree); a != 2 || z != 0 {
		t.Errorf("%d unsure from before, %d from itself", a, z)
	}
	r.Remove("out/\xff\n")
	r.Remove("loose")
	b.agree("gone")
	r.Write("out/\xff\n", "made anew\n")
	if s := b.agree("anew"); len(s.Turned) > 0 {
		t.Errorf("a new file counts as turned: %q", s.Turned)
	}
}

// A folder that holds nothing is listed though the index names files in it.
func TestEmptyFolderOfTrackedFiles(t *testing.T) {
	r := gittest.New(t)
	r.Write("a/b/one", "1\n")
	r.Write("c/two", "2\n")
	r.Commit("first")
	r.Remove("c/two")
	r.Remove("a/b")
	must(t, os.MkdirAll(r.Path("c"), 0o755))
	must(t, os.MkdirAll(r.Path("a"), 0o755))
	b := newBench(t, r, snapshot.Options{})
	for range 2 {
		if s := b.agree("empty"); fmt.Sprint(s.Empty) != "[a c]" {
			t.Errorf("empty folders: %v", s.Empty)
		}
	}
	r.Write("c/two", "2\n")
	if s := b.agree("back"); fmt.Sprint(s.Empty) != "[a]" {
		t.Errorf("empty folders: %v", s.Empty)
	}
}
