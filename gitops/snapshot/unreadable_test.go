//go:build unix

package snapshot_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"overturn/gitops/snapshot"
)

const asUser = "OVERTURN_TEST_AS_USER"

// C-03: one path that cannot be read is left out, and nothing else suffers. Root
// can read everything, so the test runs as another user then.
func TestUnreadablePathsAreLeftOut(t *testing.T) {
	if os.Geteuid() != 0 {
		unreadable(t)
		return
	}
	dir, err := os.MkdirTemp("/tmp", "overturn-as-user-")
	must(t, err)
	defer os.RemoveAll(dir)
	must(t, os.Chmod(dir, 0o777))
	self, err := os.Executable()
	must(t, err)
	data, err := os.ReadFile(self)
	must(t, err)
	program := filepath.Join(dir, "test")
	must(t, os.WriteFile(program, data, 0o755))
	cmd := exec.Command(program, "-test.run=^TestUnreadablePathsAreLeftOut$", "-test.v")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, asUser + "=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestUnreadablePathsAreLeftOut")) {
		t.Fatalf("as another user: %v\n%s", err, out)
	}
}

func unreadable(t *testing.T) {
	r := small(t)
	r.Write("shut/in/tracked", "t\n")
	r.Write("shut/other", "o\n")
	r.Write("s", "s\n")
	r.Commit("more")
	b := newBench(t, r, snapshot.Options{})
	b.agree("start")
	r.Write("two", "edited\n")
	r.Write("s", "edited\n")
	r.Write("untracked", "u\n")
	r.Write("shut/new", "n\n")
	r.Chmod("s", 0)
	r.Chmod("untracked", 0)
	r.Chmod("shut", 0)
	t.Cleanup(func() { _ = os.Chmod(r.Path("shut"), 0o755) })
	for range 2 {
		s := b.capture()
		if got := leftOut(s); got != "s: unreadable; shut: unreadable; untracked: unreadable" {
			t.Fatalf("left out %q", got)
		}
		if got := b.files(s.Tree); got != ".gitignore a/one s shut/in/tracked shut/other two" {
			t.Fatalf("captured %q", got)
		}
		if got := r.Git("cat-file", "-p", s.Tree+":s"); got != "s" {
			t.Fatalf("what cannot be read is captured as %q, the index has s", got)
		}
		if got := r.Git("cat-file", "-p", s.Tree+":two"); got != "edited" {
			t.Fatalf("the rest is captured as %q", got)
		}
	}
	for _, path := range []string{"s", "untracked"} {
		r.Chmod(path, 0o644)
	}
	r.Chmod("shut", 0o755)
	b.agree("readable again")
}

func TestCapturesAtTheSameTime(t *testing.T) {
	r := small(t)
	for i := range 60 {
		r.Write("d/"+itoa(i), itoa(i)+"\n")
	}
	b := newBench(t, r, snapshot.Options{})
	want := b.slow().Tree
	var group sync.WaitGroup
	for range 6 {
		group.Add(1)
		go func() {
			defer group.Done()
			w := b.objs.NewWriter()
			snap, err := b.eng.Capture(context.Background(), w)
			if err == nil {
				err = w.Flush(context.Background())
			}
			if err != nil || snap.Tree != want || snap.Discarded() != nil {
				t.Errorf("captured %v, want %s (%v)", snap, want, err)
			}
		}()
	}
	group.Wait()
	b.agree("after all")
}

// The hook's common path spawns no git: nothing new, nothing moved; and an edit
// of known files.
func TestNoGitOnTheCommonPath(t *testing.T) {
	r := small(t)
	r.Write(".gitattributes", "*.txt text=auto\n")
	r.Write("x.txt", "x\n")
	r.Write("out/o", "ignored\n")
	r.Commit("more")
	r.Write("untracked", "u\n")
	log := filepath.Join(t.TempDir(), "argv")
	r.Env.Environ = append(r.Env.Environ, "OVERTURN_ARGV_LOG="+log)
	inner := r.Env.Getenv
	r.Env.Getenv = func(key string) string {
		if key == "OVERTURN_ARGV_LOG" {
			return log
		}
		return inner(key)
	}
	b := newBench(t, r, snapshot.Options{})
	b.capture()
	first, err := os.ReadFile(log)
	if err != nil || len(first) == 0 {
		t.Fatalf("nothing was logged: %v", err)
	}
	for name, do := range map[string]func(){
		"nothing":           func() {},
		"an edit":           func() { r.Write("x.txt", "edited\n"); r.Write("untracked", "edited\n") },
		"a file goes":       func() { r.Remove("two") },
		"ignored comes":     func() {},
		"a known one again": func() { r.Write("two", "back\n") },
	} {
		do()
		must(t, os.Truncate(log, 0))
		b.capture()
		if spawned, err := os.ReadFile(log); err != nil || len(bytes.TrimSpace(spawned)) > 0 {
			t.Errorf("%s: %v %s", name, err, spawned)
		}
	}
	questions := func(want int, what string) {
		t.Helper()
		must(t, os.Truncate(log, 0))
		b.capture()
		if spawned, _ := os.ReadFile(log); strings.Count(string(spawned), "check-ignore") != want {
			t.Errorf("%s: %s", what, spawned)
		}
	}
	r.Write("new.log", "n\n")
	questions(0, "a new name, the rules plain")
	r.Write("a/.gitignore", "[[:alpha:]]ot\n")
	b.capture()
	r.Write("a/new", "n\n")
	questions(1, "a new name below rules that are git's to read")
	bin := filepath.Join(t.TempDir(), "git")
	real, err := exec.LookPath("git")
	must(t, err)
	must(t, os.WriteFile(bin, []byte("#!/bin/sh\nexec "+real+" \"$@\"\n"), 0o755))
	path := filepath.Dir(bin) + string(os.PathListSeparator) + os.Getenv("PATH")
	old := r.Env.Getenv
	r.Env.Getenv = func(key string) string {
		if key == "PATH" {
			return path
		}
		return old(key)
	}
	b.reopen(snapshot.Options{})
	r.Write("newer.log", "n\n")
	questions(1, "a new name, and another git")
	r.Write("newest.log", "n\n")
	questions(0, "a new name, and the git that agreed")
	must(t, os.Truncate(log, 0))
	r.Write("x.txt", "once more\n")
	r.Write("another", "n\n")
	r.Remove("another")
	b.capture()
	if spawned, _ := os.ReadFile(log); len(spawned) > 0 {
		t.Errorf("a known ignored name was asked about again: %s", spawned)
	}
}

func TestOwnFoldersInsideTheWorkTree(t *testing.T) {
	r := small(t)
	must(t, os.Rename(r.Path(".git"), r.Path("store")))
	must(t, os.WriteFile(r.Path(".git"), []byte("gitdir: store\n"), 0o644))
	b := newBench(t, r, snapshot.Options{})
	one, two := b.capture(), b.capture()
	if one.Tree != two.Tree || b.files(one.Tree) != ".gitignore a/one two" {
		t.Fatalf("captured %q", b.files(one.Tree))
	}
}
