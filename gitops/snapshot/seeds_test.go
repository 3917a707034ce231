//go:build unix

package snapshot_test

import (
	"os"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot"
)

// TestWhatIsStoredDecidesOnLineEnds: text that git finds to be text keeps its CRLF
// where it was stored with it, so that a file which nobody touched is another blob
// when what is stored moves (seed 74 of the trees).
func TestWhatIsStoredDecidesOnLineEnds(t *testing.T) {
	for name, move := range map[string]func(r *gittest.Repo){
		"renormalised":         func(r *gittest.Repo) { r.Git("add", "--renormalize", "f") },
		"taken out of both":    func(r *gittest.Repo) { r.Git("rm", "-q", "--cached", "f"); r.Git("commit", "-q", "-m", "out") },
		"out of HEAD, then in": func(r *gittest.Repo) { r.Git("reset", "-q", "--soft", "HEAD~1") },
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.New(t)
			r.Git("config", "core.autocrlf", "false")
			r.Commit("nothing")
			r.Write("f", "one\r\ntwo\r\n")
			r.Write("d/g", "one\r\ntwo\r\n")
			r.Commit("with CRLF")
			r.Git("config", "core.autocrlf", "true")
			b := newBench(t, r, snapshot.Options{})
			first := b.agree("stored with CRLF")
			if len(first.Raw) != 0 {
				t.Fatalf("converted: %v", first.Raw)
			}
			move(r)
			b.backToDisk(b.agree("moved"))
			b.backToDisk(b.agree("and again"))
			r.Git("commit", "-q", "--allow-empty", "-m", "more")
			b.agree("committed")
		})
	}
}

// TestNothingIsDeletedWhereSparseCheckoutLeftAFileOut: a folder in the place of a
// skip-worktree file is that file's end only if something is captured in it (seed 40).
func TestNothingIsDeletedWhereSparseCheckoutLeftAFileOut(t *testing.T) {
	r := gittest.New(t)
	r.Write(".gitignore", "*.log\n")
	for _, f := range []string{"z/empty", "z/ignored", "z/full", "z/stays"} {
		r.Write(f, f)
	}
	r.Commit("first")
	r.Git("update-index", "--skip-worktree", "z/empty", "z/ignored", "z/full")
	b := newBench(t, r, snapshot.Options{})
	b.agree("all there")
	for _, f := range []string{"z/empty", "z/ignored", "z/full"} {
		r.Remove(f)
		must(t, os.Mkdir(r.Path(f), 0o755))
	}
	r.Write("z/ignored/x.log", "ignored\n")
	r.Write("z/full/x", "captured\n")
	s := b.agree("folders in their place")
	if got := b.files(s.Tree); got != ".gitignore z/empty z/full/x z/ignored z/stays" {
		t.Errorf("captured %q", got)
	}
	if got := paths(s.LeftOut); got != "z/empty z/ignored" {
		t.Errorf("left out %q", got)
	}
	r.Remove("z/full/x")
	if s = b.agree("emptied"); b.files(s.Tree) != ".gitignore z/empty z/full z/ignored z/stays" {
		t.Errorf("captured %q", b.files(s.Tree))
	}
	r.Remove("z")
	if s = b.agree("the folder is gone"); b.files(s.Tree) != ".gitignore z/empty z/full z/ignored" || paths(s.LeftOut) != "z" {
		t.Errorf("captured %q, left out %q", b.files(s.Tree), paths(s.LeftOut))
	}
	r.Write("z", "a file in the place of the folder\n")
	if s = b.agree("a file"); b.files(s.Tree) != ".gitignore z" || paths(s.LeftOut) != "" {
		t.Errorf("captured %q, left out %q", b.files(s.Tree), paths(s.LeftOut))
	}
}
