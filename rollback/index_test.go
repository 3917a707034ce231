//go:build linux || darwin

package rollback_test

import (
	"testing"

	"overturn/rollback"
)

// TestFlagsOfOtherEntriesStay: git clears the skip-worktree bit of what stands on disk
// as it reads the index, so that writing one entry back would write that too (seed 9 of
// the machine).
func TestFlagsOfOtherEntriesStay(t *testing.T) {
	w := newWorld(t)
	w.Write("a/left out", "a\n")
	w.Write("assumed", "a\n")
	w.Write("text", "one\n")
	w.Git("add", "-A")
	w.Commit("base")
	w.Git("sparse-checkout", "set", "--no-cone", "/*", "!/a/")
	w.Git("update-index", "--assume-unchanged", "assumed")
	w.turn(func() {
		w.Write("text", "two\n")
		w.Git("add", "text")
	})
	w.Write("a/left out", "made by the user, outside of what is checked out\n")
	flags := func() string {
		return w.Git("-c", "sparse.expectFilesOutsideOfPatterns=true", "ls-files", "-s", "-v", "a", "assumed")
	}
	before := flags()
	staged := w.Git("ls-files", "-s", "text")
	if before[0] != 'S' {
		t.Fatalf("nothing is skipped: %s", before)
	}
	w.done(w.stage())
	if now := w.Git("ls-files", "-s", "text"); now == staged {
		t.Fatal("no entry went back")
	}
	if now := flags(); now != before {
		t.Errorf("flags after the rollback:\n%s\nbefore:\n%s", now, before)
	}
	_, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	if now := w.Git("ls-files", "-s", "text"); now != staged || flags() != before {
		t.Errorf("undone:\n%s\n%s", now, flags())
	}
}
