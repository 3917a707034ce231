//go:build unix

package snapshot_test

import (
	"context"
	"fmt"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot"
	"overturn/model"
)

// The index vouches for files whose rules are gone: they are seen by the length of
// their blobs, and by filters that are named and not set up.
func TestSeedsOfFormerRules(t *testing.T) {
	r := gittest.New(t)
	r.Git("config", "core.autocrlf", "true")
	r.Git("config", "filter.up.clean", "tr a-z A-Z")
	r.Write(".gitattributes", "*.up filter=up\n")
	r.Write("crlf", "a\r\nb\r\n")
	r.Write("x.up", "same length\n")
	r.Write("plain", "p\n")
	r.Git("-c", "core.safecrlf=false", "add", "-A")
	r.Git("commit", "-q", "-m", "all")
	r.Git("config", "--unset", "core.autocrlf")
	r.Git("config", "--remove-section", "filter.up")
	b := newBench(t, r, snapshot.Options{})
	s := b.agree("former rules")
	if n := b.backToDisk(s); n != 4 || len(s.Raw) != 0 {
		t.Errorf("%d files, beside the tree %v", n, s.Raw)
	}
	if got := r.Git("cat-file", "-p", s.Tree+":x.up"); got != "same length" {
		t.Errorf("x.up is %q", got)
	}
}

// What lies beside the tree costs nothing where it has not changed.
func TestRawBytesAreStoredOnce(t *testing.T) {
	r := gittest.New(t)
	r.Write(".gitattributes", "* text eol=crlf\n")
	for i := range 20 {
		r.Write(fmt.Sprintf("d%d/f", i), fmt.Sprintf("%d\r\n", i))
	}
	r.Write("plain", "p\n")
	r.Git("add", "-A")
	r.Git("commit", "-q", "-m", "all")
	b := newBench(t, r, snapshot.Options{})
	first, commit := b.publish()
	if len(first.Raw) != 20 {
		t.Fatalf("beside the tree: %v", first.Raw)
	}
	edit := func(path, content string) int {
		r.Write(path, content)
		b.reopen(snapshot.Options{})
		ctx := context.Background()
		w := b.objs.NewWriter()
		defer w.Discard()
		snap, err := b.eng.Capture(ctx, w)
		must(t, err)
		_, err = b.eng.WriteCommit(ctx, w, snap, snapshot.Trailers{Boundary: "end"}, nil)
		must(t, err)
		must(t, snap.Discarded())
		return w.Pending()
	}
	// blob, root, lists, what lies beside, two commits
	if n := edit("plain", "q\n"); n != 6 {
		t.Errorf("%d objects where no converted file changed", n)
	}
	// two blobs, two trees of each kind, lists, what lies beside, two commits
	if n := edit("d3/f", "new\r\n"); n > 11 {
		t.Errorf("%d objects where one converted file changed", n)
	}
	s, err := snapshot.Read(context.Background(), b.objs, commit)
	must(t, err)
	for path, id := range first.Raw {
		if s.Raw[path] != id {
			t.Errorf("%s came back as %s of %s", path, s.Raw[path], id)
		}
	}
	if e, err := s.Entry(context.Background(), model.Path("d3/f")); err != nil || e.RawOID != first.Raw["d3/f"] {
		t.Errorf("%+v, %v", e, err)
	}
}
