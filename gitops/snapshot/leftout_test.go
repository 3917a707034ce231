//go:build unix

package snapshot_test

import (
	"os"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot"
)

func TestNestedRepositoriesAreLeftOut(t *testing.T) {
	r := small(t)
	must(t, os.MkdirAll(r.Path("vendored"), 0o755))
	in := r.At(r.Path("vendored"))
	in.Git("init", "-q")
	in.Write("f", "f\n")
	r.Write("dirty", "d\n")
	r.Git("worktree", "add", "-q", "--detach", r.Path("wt"))
	must(t, os.MkdirAll(r.Path("notrepo/.git"), 0o755))
	r.Write("notrepo/f", "f\n")
	b := newBench(t, r, snapshot.Options{})
	s := b.agree("nested")
	if got := leftOut(s); got != "vendored: nested repository; wt: linked work tree of this repository" {
		t.Fatalf("left out %q", got)
	}
	if got := b.files(s.Tree); got != ".gitignore a/one dirty notrepo/f two" {
		t.Fatalf("captured %q", got)
	}
	r.Remove("vendored/.git")
	s = b.agree("a repository no more")
	if !strings.Contains(b.files(s.Tree), "vendored/f") {
		t.Fatalf("captured %q", b.files(s.Tree))
	}
	wt := newBench(t, r.At(r.Path("wt")), snapshot.Options{})
	wt.n = 100
	if s := wt.agree("linked work tree"); wt.files(s.Tree) != ".gitignore a/one two" {
		t.Fatalf("captured %q", wt.files(s.Tree))
	}
}

func TestSpecialAndLargeFilesAreLeftOut(t *testing.T) {
	r := small(t)
	fifo(t, r.Path("pipe"))
	r.Write("big", strings.Repeat("b", 2000))
	r.Write(".git.", "n\n")
	b := newBench(t, r, snapshot.Options{MaxFileSize: 1000})
	s := b.agree("left out")
	if got := leftOut(s); got != ".git.: a name that git refuses; big: larger than the size limit of 1000 bytes; pipe: special file (socket, FIFO or device)" {
		t.Fatalf("left out %q", got)
	}
	r.Remove("two")
	fifo(t, r.Path("two"))
	s = b.capture()
	if got := b.files(s.Tree); got != ".gitignore a/one two" {
		t.Fatalf("a tracked file that cannot be captured reads as %q", got)
	}
	r.Write("big", "small now")
	r.Remove("two")
	s = b.agree("small now")
	if got := b.files(s.Tree); got != ".gitignore a/one big" {
		t.Fatalf("captured %q", got)
	}
}

// A file stands where the index has a folder, in a folder that is ignored for a while.
func TestFileOverFolderInAFolderIgnoredForAWhile(t *testing.T) {
	for name, rule := range map[string]string{"in the root": ".gitignore", "beside it": "a/.gitignore"} {
		t.Run(name, func(t *testing.T) {
			r := small(t)
			r.Write("a/b/c/f", "f\n")
			r.Git("add", "-A")
			b := newBench(t, r, snapshot.Options{})
			b.agree("folder")
			r.Remove("a/b/c")
			r.Write("a/b/c", "a file\n")
			r.Write(rule, "b/\n")
			b.agree("ignored")
			r.Write(rule, "# nothing\n")
			if s := b.agree("not ignored"); r.Git("cat-file", "-t", s.Tree+":a/b/c") != "blob" {
				t.Error("the file was not captured")
			}
			b.agree("again")
		})
	}
}

// A name that the table knows otherwise, and that HEAD alone has from now on.
func TestNamesThatOnlyHEADHas(t *testing.T) {
	steps := map[string][2]func(r *gittest.Repo){
		"was kept for sparse checkout": {
			func(r *gittest.Repo) { r.Git("update-index", "--skip-worktree", "a/one"); r.Remove("a/one") },
			func(r *gittest.Repo) { r.Git("rm", "-q", "--cached", "--sparse", "a/one") },
		},
		"was kept with its folder": {
			func(r *gittest.Repo) { r.Git("update-index", "--skip-worktree", "a/one"); r.Remove("a") },
			func(r *gittest.Repo) { r.Git("rm", "-q", "--cached", "--sparse", "a/one") },
		},
		"was ignored": {
			func(r *gittest.Repo) { r.Write("x.log", "x\n") },
			func(r *gittest.Repo) {
				r.Git("add", "-f", "x.log")
				r.Git("commit", "-q", "-m", "log")
				r.Git("rm", "-q", "--cached", "x.log")
			},
		},
		"was ignored with its folder": {
			func(r *gittest.Repo) { r.Write("out/x", "x\n") },
			func(r *gittest.Repo) {
				r.Git("add", "-f", "out/x")
				r.Git("commit", "-q", "-m", "out")
				r.Git("rm", "-q", "--cached", "out/x")
			},
		},
		"was in a folder that went": {
			func(r *gittest.Repo) {
				r.Write("b/c/d", "d\n")
				r.Commit("d")
				r.Write("b/e", "e\n")
				r.Git("add", "b/e")
				r.Remove("b")
			},
			func(r *gittest.Repo) { r.Git("rm", "-q", "--cached", "b/c/d") },
		},
		"was never there": {
			func(r *gittest.Repo) { r.Write("b/e", "e\n"); r.Git("add", "b/e"); r.Remove("b") },
			func(r *gittest.Repo) {
				r.Write("b/c/d", "d\n")
				r.Git("add", "b/c/d")
				r.Git("commit", "-q", "-m", "d")
				r.Git("rm", "-q", "--cached", "b/c/d")
				r.Remove("b")
			},
		},
	}
	for name, do := range steps {
		t.Run(name, func(t *testing.T) {
			r := small(t)
			do[0](r)
			b := newBench(t, r, snapshot.Options{})
			b.agree("before")
			do[1](r)
			b.agree("after")
			b.agree("again")
		})
	}
}
