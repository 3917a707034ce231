//go:build unix

package snapshot_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot"
	"overturn/model"
)

// backToDisk holds what a snapshot keeps of every captured file, which is what a
// rollback would write, against the bytes on disk: those beside the tree of exactly
// the files that the tree has others of.
func (b *bench) backToDisk(s *snapshot.Snapshot) int {
	b.t.Helper()
	n := 0
	ctx := context.Background()
	for _, row := range strings.Split(b.Git("ls-tree", "-r", "-z", s.Tree), "\x00") {
		meta, path, ok := strings.Cut(row, "\t")
		field := strings.Fields(meta)
		if !ok || !strings.HasPrefix(field[0], "100") {
			continue
		}
		disk, err := os.ReadFile(b.Path(path))
		if err != nil {
			continue // kept for sparse checkout's sake, or left out
		}
		id := field[2]
		if raw, kept := s.Raw[model.Path(path)]; kept {
			if raw == id {
				b.t.Errorf("%q: the bytes beside the tree are those in it", path)
			}
			id = raw
		}
		back, err := b.objs.Blob(ctx, id)
		if err != nil || string(back) != string(disk) {
			b.t.Errorf("%q: %q would come back as %q (%v)", path, disk, back, err)
		}
		n++
	}
	return n
}

func TestConversions(t *testing.T) {
	r := gittest.New(t)
	r.Git("config", "filter.upper.clean", "tr a-z A-Z")
	r.Git("config", "filter.upper.smudge", "cat")
	r.Git("config", "filter.round.clean", "sed s/a/b/")
	r.Git("config", "filter.round.smudge", "sed s/b/a/")
	r.Write(".gitattributes", "*.txt text=auto\n*.lf text eol=lf\n*.crlf text eol=crlf\n*.id ident\n*.up filter=upper\n*.round filter=round\n*.u16 text working-tree-encoding=UTF-16LE\n*.both text=auto filter=round\n*.none filter=missing\n")
	contents := []string{"", "a\nb\n", "a\r\nb\r\n", "a\r\nb\n", "lone\rcr\r\n", "\x00bin\r\n", "$Id$\n", "$Id: x $\r\n", "no end", "ctrl\x1a", "\r\n\r\n\x01\x02\x03"}
	for i, c := range contents {
		for _, ext := range []string{"txt", "lf", "crlf", "id", "up", "round", "none", "both", "plain"} {
			r.Write("d/"+string(rune('a'+i))+"."+ext, c)
		}
		wide := ""
		for _, ch := range c {
			wide += string(ch) + "\x00"
		}
		r.Write("d/"+string(rune('a'+i))+".u16", wide)
	}
	b := newBench(t, r, snapshot.Options{})
	for _, autocrlf := range []string{"false", "input", "true"} {
		r.Git("config", "core.autocrlf", autocrlf)
		b.reopen(snapshot.Options{})
		s := b.agree("autocrlf " + autocrlf)
		if n := b.backToDisk(s); n < 100 {
			t.Fatalf("only %d files", n)
		}
		if len(s.Raw) == 0 || len(s.Notes) != 0 {
			t.Errorf("raw %d, notes %v", len(s.Raw), s.Notes)
		}
	}
	r.Git("config", "core.autocrlf", "false")
	r.Git("-c", "core.safecrlf=false", "add", "-A")
	r.Git("commit", "-q", "-m", "all")
	r.Write("d/d.txt", "a\r\nb\nmore\n")
	b.reopen(snapshot.Options{})
	b.backToDisk(b.agree("committed"))
	r.Write(".gitattributes", "* text eol=crlf\n")
	b.reopen(snapshot.Options{})
	s := b.capture() // git add would not look at files whose attributes alone changed
	b.backToDisk(s)
	conv, err := b.eng.Converts(context.Background(), []model.Path{"d/a.txt", "none\n", "x"})
	must(t, err)
	if !conv["d/a.txt"] || !conv["none\n"] || len(conv) != 3 {
		t.Errorf("converts: %v", conv)
	}
}

func TestFailingFilterKeepsRawBytes(t *testing.T) {
	r := small(t)
	r.Git("config", "filter.bad.clean", "no-such-program")
	r.Git("config", "filter.bad.required", "true")
	r.Git("config", "filter.good.clean", "tr a b")
	r.Git("config", "filter.good.smudge", "cat")
	r.Write(".gitattributes", "*.bad filter=bad\n*.good filter=good\n")
	r.Write("x.bad", "kept\n")
	r.Write("y.bad", "kept too\n")
	r.Write("a.good", "a\n")
	r.Write("z.good", "a\n")
	b := newBench(t, r, snapshot.Options{})
	s := b.capture()
	if got := b.files(s.Tree); got != ".gitattributes .gitignore a.good a/one two x.bad y.bad z.good" {
		t.Fatalf("captured %q", got)
	}
	if paths(s.Notes) != "x.bad y.bad" || r.Git("cat-file", "-p", s.Tree+":z.good") != "b" || r.Git("cat-file", "-p", s.Tree+":y.bad") != "kept too" {
		t.Fatalf("notes %v", s.Notes)
	}
	if raw, err := b.objs.Blob(context.Background(), s.Raw["z.good"]); err != nil || string(raw) != "a\n" {
		t.Fatalf("raw %q, %v", raw, err)
	}
	r.Git("config", "filter.bad.clean", "cat")
	b.reopen(snapshot.Options{})
	if s := b.agree("repaired"); len(s.Notes) != 0 {
		t.Fatalf("notes %v", s.Notes)
	}
}

// J-01: a link is its text; what it points at is never read.
func TestLinksAreNotFollowed(t *testing.T) {
	r := small(t)
	secret := r.Home + "/secret"
	must(t, os.WriteFile(secret, []byte("the secret\n"), 0o600))
	r.Symlink(secret, "leak")
	r.Symlink(r.Home, "folder")
	b := newBench(t, r, snapshot.Options{})
	s := b.agree("links")
	if got := r.Git("cat-file", "-p", s.Tree+":leak"); got != secret {
		t.Fatalf("the link is stored as %q", got)
	}
	for _, id := range strings.Fields(r.Git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")) {
		if strings.Contains(r.Git("cat-file", "-p", id), "the secret") {
			t.Fatalf("object %s holds the secret", id)
		}
	}
	// J-04: a tracked folder becomes a link
	r.Git("mv", "a", "e")
	r.Symlink("e", "a")
	b.agree("folder to link")
	r.Remove("a")
	r.Write("a", "file\n")
	b.agree("link to file")
}

func TestSubmodules(t *testing.T) {
	r := small(t)
	source := r.At(t.TempDir())
	source.Git("init", "-q", "-b", "main")
	source.Write("s", "1\n")
	one := source.Commit("one")
	r.Git("-c", "protocol.file.allow=always", "submodule", "add", "-q", source.Root, "sub")
	r.Git("commit", "-q", "-m", "sub")
	b := newBench(t, r, snapshot.Options{})
	s := b.agree("submodule")
	if len(s.Inventory.Submodules) != 1 || s.Inventory.Submodules[0] != (model.Submodule{Path: "sub", Head: one}) {
		t.Fatalf("submodules %v", s.Inventory.Submodules)
	}
	sub := r.At(r.Path("sub"))
	sub.Write("s", "2\n")
	b.agree("changed inside")
	two := sub.Commit("two")
	s = b.agree("moved")
	if got := r.Git("rev-parse", s.Tree+":sub"); got != two {
		t.Fatalf("captured %s, checked out is %s", got, two)
	}
	sub.Git("pack-refs", "--all")
	b.agree("packed refs")
	sub.Git("checkout", "-q", "--detach", one)
	b.agree("detached")
	r.Git("submodule", "deinit", "-q", "-f", "sub")
	s = b.agree("not checked out")
	if got := r.Git("rev-parse", s.Tree+":sub"); got != one {
		t.Fatalf("captured %s, the index has %s", got, one)
	}
}
