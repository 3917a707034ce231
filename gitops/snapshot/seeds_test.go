//go:build unix

package snapshot_test

import (
	"os"
	"testing"
	"time"

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

// TestAFileForALinkIsConverted: what stood there before had no conversion to ask for.
func TestAFileForALinkIsConverted(t *testing.T) {
	r := gittest.New(t)
	r.Write(".gitattributes", "*.crlf text eol=crlf\n*.up filter=upper\n")
	r.Git("config", "filter.upper.clean", "tr a-z A-Z")
	r.Symlink("nowhere", "l.crlf")
	r.Symlink("nowhere", "l.up")
	r.Commit("first")
	b := newBench(t, r, snapshot.Options{})
	b.agree("links")
	for path, text := range map[string]string{"l.crlf": "a\r\nb\r\n", "l.up": "secret\n"} {
		r.Remove(path)
		r.Write(path, text)
	}
	s := b.agree("files")
	b.backToDisk(s)
	if got := r.Git("cat-file", "-p", s.Tree+":l.up"); got != "SECRET" || len(s.Raw) != 2 {
		t.Errorf("captured %q, raw %v", got, s.Raw)
	}
	r.Remove("l.up")
	r.Symlink("nowhere", "l.up")
	b.agree("a link again")
	r.Write(".gitattributes", "*.crlf text eol=crlf\n")
	b.agree("no filter")
	r.Remove("l.up")
	r.Write("l.up", "open\n")
	if s = b.agree("a file again"); r.Git("cat-file", "-p", s.Tree+":l.up") != "open" || len(s.Raw) != 1 {
		t.Errorf("raw %v", s.Raw)
	}
}

// TestAFilterThatKeptTheLength: the index vouches for a file whose blob has other bytes
// of the same number, and the attributes name no filter any more. A rollback would
// write the blob.
func TestAFilterThatKeptTheLength(t *testing.T) {
	r := gittest.New(t)
	r.Write(".gitattributes", "*.up filter=upper\n")
	r.Git("config", "filter.upper.clean", "tr a-z A-Z")
	r.Git("config", "filter.upper.smudge", "tr A-Z a-z")
	r.Write("f.up", "lower\n")
	must(t, os.Chtimes(r.Path("f.up"), time.Time{}, time.Now().Add(-time.Hour)))
	r.Commit("filtered")
	time.Sleep(50 * time.Millisecond) // the index is younger than the file by more than the clock's grain
	r.Write(".gitattributes", "")
	r.Git("add", ".gitattributes")
	r.Git("commit", "-q", "-m", "no filter")
	if r.Git("status", "--porcelain") != "" || r.Git("cat-file", "-p", ":f.up") != "LOWER" {
		t.Fatal("the index does not vouch for the file: nothing is shown")
	}
	b := newBench(t, r, snapshot.Options{})
	b.backToDisk(b.agree("first"))
}

// TestWhatCannotBeReadIsAsTheIndexHasIt: what is only meant to be added has no content
// there, and of an open merge our side stands, not the first stage (seed 135).
func TestWhatCannotBeReadIsAsTheIndexHasIt(t *testing.T) {
	gittest.Unprivileged(t)
	r := gittest.New(t)
	for _, f := range []string{"d/staged", "d/deeper/staged", "open"} {
		r.Write(f, "staged\n")
	}
	r.Commit("first")
	r.Write("d/meant", "m\n")
	r.Git("add", "-N", "d/meant")
	var info string
	for stage, text := range map[string]string{"1": "base", "2": "ours", "3": "theirs"} {
		info += "100644 " + r.GitInput(text, "hash-object", "-w", "--stdin") + " " + stage + "\td/open\x00"
	}
	r.Write("d/open", "both\n")
	r.GitInput(info, "update-index", "-z", "--index-info")
	r.Write("d/staged", "edited\n")
	r.Chmod("d", 0)
	t.Cleanup(func() { r.Chmod("d", 0o755) })
	b := newBench(t, r, snapshot.Options{})
	s := b.agree("unreadable")
	if got := b.files(s.Tree); got != "d/deeper/staged d/open d/staged open" || paths(s.LeftOut) != "d" {
		t.Errorf("captured %q, left out %q", got, paths(s.LeftOut))
	}
	if got := r.Git("cat-file", "-p", s.Tree+":d/open"); got != "ours" {
		t.Errorf("of the open merge %q is captured", got)
	}
	r.Chmod("d", 0o755)
	b.backToDisk(b.agree("readable"))
}
