//go:build unix

package snapshot_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"overturn/gitops/snapshot"
)

// git's manual does not promise the format in which it prints what it knows of the
// stat of files. With another one, captures read every file, and are right.
func TestIndexWithoutStat(t *testing.T) {
	r := small(t)
	r.Write("gone", "kept for sparse checkout\n")
	r.Commit("gone")
	r.Write("staged", "staged\n")
	r.Git("add", "staged")
	r.Git("update-index", "--skip-worktree", "gone")
	r.Git("update-index", "--assume-unchanged", "two")
	r.Remove("gone")
	want := newBench(t, r, snapshot.Options{}).capture()

	git, err := exec.LookPath("git")
	must(t, err)
	bin := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\ncase \" $* \" in\n*' --debug '*) %q \"$@\" | sed 's/  ctime: /  changed at: /' ;;\n*) exec %q \"$@\" ;;\nesac\n", git, git)
	must(t, os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755))
	other := r.WithEnv("PATH=" + bin + ":" + r.Env.Getenv("PATH"))
	b := newBench(t, other, snapshot.Options{})
	must(t, os.Remove(filepath.Join(b.repo.StateDir(), "table")))
	b.n = 1
	s := b.agree("no stat")
	if s.Tree != want.Tree || s.IndexTree != want.IndexTree || leftOut(s) != leftOut(want) || asJSON(t, s.Inventory) != asJSON(t, want.Inventory) {
		t.Errorf("captured %+v instead of %+v", s, want)
	}
	r.Write("two", "3\n") // the same size
	if s := b.agree("an edit"); s.Tree == want.Tree {
		t.Error("an edit was missed")
	}
	r.Git("rm", "-q", "--cached", "a/one")
	b.agree("the index moved")
}
