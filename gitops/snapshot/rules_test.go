//go:build unix

package snapshot_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot"
	"overturn/model"
)

func (b *bench) captureErr() error {
	b.t.Helper()
	w := b.objs.NewWriter()
	defer w.Discard()
	_, err := b.eng.Capture(context.Background(), w)
	return err
}

func leftOut(s *snapshot.Snapshot) string {
	var list []string
	for _, n := range s.LeftOut {
		list = append(list, string(n.Path)+": "+n.Reason)
	}
	return strings.Join(list, "; ")
}

func small(t *testing.T, opts ...gittest.Option) *gittest.Repo {
	r := gittest.New(t, opts...)
	r.Write("a/one", "1\n")
	r.Write("two", "2\n")
	r.Write(".gitignore", "*.log\nout/\n")
	r.Commit("first")
	return r
}

// where git cannot be asked what it ignores, nothing is captured.
func TestIgnoreFailureFailsTheCapture(t *testing.T) {
	broken := map[string]func(r *gittest.Repo){
		"excludes file is a folder": func(r *gittest.Repo) { r.Git("config", "core.excludesFile", r.Home) },
		"info/exclude is a folder": func(r *gittest.Repo) {
			path := filepath.Join(r.GitDir(), "info", "exclude")
			_ = os.Remove(path)
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, breakIt := range broken {
		t.Run(name, func(t *testing.T) {
			r := small(t)
			r.Write("out/much", "ignored\n")
			r.Write("new", "n\n")
			breakIt(r)
			b := newBench(t, r, snapshot.Options{})
			if err := b.captureErr(); err == nil || model.HintOf(err) == "" {
				t.Fatalf("the capture went on, or gave no hint: %v", err)
			}
		})
	}
}

func TestIgnoreRulesFollowTheirFiles(t *testing.T) {
	r := small(t)
	r.Write("out/o", "o\n")
	r.Write("x.log", "x\n")
	r.Write("sub/y.tmp", "y\n")
	b := newBench(t, r, snapshot.Options{})
	b.agree("start")
	steps := map[string]func(){
		"rule gone":       func() { r.Write(".gitignore", "*.log\n") },
		"rule below":      func() { r.Write("sub/.gitignore", "*.tmp\n") },
		"rule below gone": func() { r.Remove("sub/.gitignore") },
		"exclude file":    func() { r.Git("config", "core.excludesFile", filepath.Join(r.Home, "ex")) },
		"its content": func() {
			if err := os.WriteFile(filepath.Join(r.Home, "ex"), []byte("y.*\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"back": func() { r.Write(".gitignore", "!x.log\nout/\n") },
	}
	for _, name := range []string{"rule gone", "rule below", "rule below gone", "exclude file", "its content", "back"} {
		steps[name]()
		b.reopen(snapshot.Options{})
		b.agree(name)
		b.agree(name + ", again")
	}
}

func TestTrackedAndIgnoredIsCaptured(t *testing.T) {
	r := small(t)
	b := newBench(t, r, snapshot.Options{})
	b.agree("start")
	r.Write("out/forced", "f\n")
	r.Write("out/other", "o\n")
	r.Git("add", "-f", "out/forced")
	if s := b.agree("forced"); b.files(s.Tree) != ".gitignore a/one out/forced two" {
		t.Fatalf("captured %q", b.files(s.Tree))
	}
	r.Git("commit", "-q", "-m", "forced")
	r.Git("rm", "-q", "--cached", "out/forced")
	b.agree("out of the index, in HEAD")
	r.Git("commit", "-q", "-m", "dropped")
	if s := b.agree("dropped"); b.files(s.Tree) != ".gitignore a/one two" {
		t.Fatalf("captured %q", b.files(s.Tree))
	}
}

func TestEditsWithTheirTimePutBackAreSeen(t *testing.T) {
	r := small(t)
	old := time.Unix(1_500_000_000, 0)
	touch := func() {
		if err := os.Chtimes(r.Path("two"), old, old); err != nil {
			t.Fatal(err)
		}
	}
	touch()
	b := newBench(t, r, snapshot.Options{})
	seen := map[string]bool{}
	for i, content := range []string{"A\n", "B\n", "C\n", "D\n"} {
		r.Write("two", content)
		touch()
		if i == 2 {
			time.Sleep(50 * time.Millisecond)
		}
		s := b.agree(content)
		if seen[s.Tree] {
			t.Fatalf("the edit %q was missed", content)
		}
		seen[s.Tree] = true
	}
}

func TestSparseCheckoutIsNotCapturedAndNotDeleted(t *testing.T) {
	r := small(t)
	for _, dir := range []string{"in", "out1", "out2/deep"} {
		r.Write(dir+"/f", dir+"\n")
	}
	r.Write(".gitignore", "")
	r.Commit("more")
	r.Git("sparse-checkout", "set", "in")
	b := newBench(t, r, snapshot.Options{})
	s := b.agree("sparse")
	if s.Tree != r.Git("rev-parse", "HEAD^{tree}") {
		t.Fatalf("what sparse checkout left out reads as deleted: %s", b.files(s.Tree))
	}
	if len(s.Inventory.Unstaged) != 0 || !strings.Contains(leftOut(s), "out1: outside the sparse checkout") || strings.Contains(leftOut(s), "deep") {
		t.Fatalf("unstaged %v, left out %s", s.Inventory.Unstaged, leftOut(s))
	}
	r.Write("out1/new", "n\n")
	r.Write("in/f", "changed\n")
	s = b.agree("file outside")
	if got := b.files(s.Tree); !strings.Contains(got, "out1/f out1/new out2/deep/f") {
		t.Fatalf("captured %q", got)
	}
	r.Git("sparse-checkout", "disable")
	b.agree("disabled")
	r.Git("sparse-checkout", "set", "--sparse-index", "in")
	b.agree("sparse index")
}

func TestFlagsInTheIndexHideNothing(t *testing.T) {
	r := small(t)
	r.Git("update-index", "--assume-unchanged", "two")
	r.Git("update-index", "--skip-worktree", "a/one")
	b := newBench(t, r, snapshot.Options{})
	r.Write("two", "edited\n")
	r.Write("a/one", "edited too\n")
	before := r.Protected(t)
	s := b.agree("flags")
	if got := paths(s.Inventory.Unstaged); got != "a/one two" {
		t.Fatalf("unstaged %q", got)
	}
	if d := before.Diff(r.Protected(t)); d != "" {
		t.Fatal(d)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
