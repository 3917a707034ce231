//go:build linux || darwin

package rollback_test

import (
	"slices"
	"strings"
	"testing"

	"overturn/model"
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

// TestMarkedEntriesStay: git keeps no mark of an entry that is moved, so that one which is
// marked stays, though the turn staged it (seed 573 of the machine).
func TestMarkedEntriesStay(t *testing.T) {
	for _, mark := range []string{"assume-unchanged", "skip-worktree"} {
		t.Run(mark, func(t *testing.T) {
			w := newWorld(t)
			w.Write("marked", "one\n")
			w.Write("plain", "one\n")
			w.Git("add", "-A")
			w.Commit("base")
			w.turn(func() {
				w.Write("marked", "two\n")
				w.Write("plain", "two\n")
				w.Git("add", "-A")
			})
			entries := func() string { return w.Git("-c", "sparse.expectFilesOutsideOfPatterns=true", "ls-files", "-s", "-v") }
			w.Git("update-index", "--"+mark, "marked")
			before := entries()
			plain := w.Git("ls-files", "-s", "plain")
			w.done(w.stage())
			w.reads("marked", "one\n")
			now := entries()
			if strings.Contains(now, plain) {
				t.Error("the entry without a mark did not go back")
			}
			for line := range strings.Lines(before) {
				if strings.HasSuffix(line, "\tmarked\n") && !strings.Contains(now, line) {
					t.Errorf("the marked entry was %q, and the index is\n%s", line, now)
				}
			}
			w.Git("-c", "sparse.expectFilesOutsideOfPatterns=true", "update-index", "--"+mark, "plain") // since the rollback
			marked := entries()
			u, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
			w.must(err)
			w.reads("marked", "two\n")
			if now := entries(); now != marked {
				t.Errorf("after the undo the index is\n%s\nand was\n%s", now, marked)
			}
			if !slices.ContainsFunc(u.Kept, func(n model.Noted) bool { return n.Path == "plain" && strings.Contains(n.Reason, "marked") }) {
				t.Errorf("the entry that was marked since is not named: %+v", u.Kept)
			}
		})
	}
}
