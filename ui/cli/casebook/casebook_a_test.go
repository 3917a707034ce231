package casebook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestCasebookA: a rollback destroys work that the agent does not own.
func TestCasebookA(t *testing.T) {
	runCases(t, []caseOf{
		{"A-01", caseBlanketClean},
		{"A-02", caseOtherSession},
		{"A-04", caseUserWentOnEditing},
		{"A-06", caseIgnoreQueryFails},
		{"A-10", caseOnlyOneFolder},
		{"A-11", caseExactPaths},
		{"A-13", casePartialCapture},
		{"A-14", caseCleanupOfWorkTree},
		{"A-15", caseNoLibraryWrites},
		{"A-16", caseIdleReview},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// caseBlanketClean: what was there before the turn, and what came after it, stay.
func caseBlanketClean(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	b.Write("out/big", "untracked output\n")
	b.turn("T", func() { b.Write("agent.txt", "agent\n") })
	b.Write("late/u.csv", "1,2\n")
	before := b.world()
	if r := b.rollback("latest"); r.paths() != "deleted agent.txt" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.gone("agent.txt")
	b.same(before, "agent.txt")
}

// caseOtherSession: a session that did nothing takes nothing back, not even what
// another session did inside its turn.
func caseOtherSession(b *book) {
	b.Write("d/a", "base\n")
	b.Write("d/b", "base\n")
	b.Commit("base")
	b.turn("A", func() { b.Write("d/a", "of A\n") })
	b.turn("B", func() {})
	before := b.world()
	b.exits(2, "stage", "latest", "--thread", "B") // nothing to choose from
	b.exits(2, "rollback", "--expect", b.plan().Fingerprint)
	b.same(before)

	b.start("B")
	b.turn("A", func() {
		b.Write("d/a", "of A again\n")
		b.ok("turn", "touch", "--thread", "A", "d/a")
		b.Write("d/b", "of A, and nobody saw it\n")
	})
	b.end("B")
	before = b.world()
	var p plan
	b.json(0, &p, "stage", "latest", "--thread", "B")
	if p.verdicts() != "d/a kept, d/b kept" {
		b.t.Errorf("plan of B: %s", p.verdicts())
	}
	if said := b.ok("stage", "latest", "--thread", "B"); !strings.Contains(said, "kept     d/a (") {
		b.t.Errorf("stage of B does not say what stays: %s", said)
	}
	b.exits(2, "rollback", "--expect", p.Fingerprint)
	s := b.screen("review", "latest", "--thread", "B")
	b.see(s, "M b")
	b.typed(s, "gX") // the folder
	b.see(s, "nothing here is staged: d/a is kept")
	b.leave(s)
	b.same(before)
}

// caseUserWentOnEditing: a file that the agent made and the user went on with is
// not the agent's to delete; it is listed as a conflict, and the rest goes back.
func caseUserWentOnEditing(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	b.turn("T", func() {
		b.Write("n.txt", "agent one\nagent two\n")
		b.Write("m.txt", "agent\n")
	})
	b.Write("n.txt", "agent one\nagent two\nthe user's line\n")
	for _, method := range []string{"take-out", "restore"} {
		p := b.stage("latest", "--method", method)
		if p.verdicts() != "m.txt delete clean, n.txt delete conflict" {
			b.t.Errorf("%s: %s", method, p.verdicts())
		}
		if r := b.refusal(); len(r.Skipped) == 0 || r.Outcome != "refused" {
			b.t.Errorf("%s: %+v", method, r)
		}
	}
	before := b.world()
	b.stage("latest")
	if r := b.carry(3, "--partial"); r.paths() != "deleted m.txt" || len(r.Skipped) != 1 || r.Skipped[0].Path != "n.txt" {
		b.t.Errorf("partial: %s, skipped %v", r.paths(), r.Skipped)
	}
	b.same(before, "m.txt")
	// Parts of a file that was not there before are no hunks (M-09); to lose the
	// user's line must be asked for.
	b.exits(2, "stage", "latest", "--lines", "1-2", "--", "n.txt")
	if p := b.stage("latest", "--method", "restore", "--discard-edits", "--", "n.txt"); p.verdicts() != "n.txt delete drifted" {
		b.t.Errorf("asked for: %s", p.verdicts())
	}
	b.same(before, "m.txt")
}

// caseIgnoreQueryFails: a capture that cannot learn what git ignores fails, says
// so, and leaves no snapshot.
func caseIgnoreQueryFails(b *book) {
	b.Write(".gitignore", "cache/\n")
	b.Write("a", "a\n")
	b.Commit("base")
	b.Write("cache/one", "1\n")
	b.Write("cache/deep/two", "2\n")
	b.Git("config", "core.excludesFile", b.Path("cache")) // a folder: git itself refuses it
	b.failedCapture(b, "it is a folder")
	b.Git("config", "--unset", "core.excludesFile")

	real, err := filepath.EvalSymlinks("/usr/bin/git")
	if err != nil {
		b.t.Fatal(err)
	}
	bin := b.t.TempDir()
	wrapper := "#!/bin/sh\nfor a; do [ \"$a\" = check-ignore ] && exit 128; done\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(wrapper), 0o755); err != nil {
		b.t.Fatal(err)
	}
	b.failedCapture(b.with("PATH="+bin+":"+os.Getenv("PATH")), "cannot ask git which files it ignores")

	b.turn("T", func() { b.Write("a", "agent\n") })
	before := b.world()
	if r := b.rollback("latest"); r.paths() != "restored a" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.same(before, "a")
}

// failedCapture records a turn as seen by broken, which must say why there is no
// snapshot, and holds that nothing can be rolled back to it.
func (b *book) failedCapture(broken *book, why string) {
	b.t.Helper()
	b.Write("new", "a name that git is asked about\n")
	before := b.world()
	s := broken.exits(0, "turn", "start", "--thread", "T", "--json")
	if !strings.Contains(s.stderr, "not protected") || !strings.Contains(s.stderr, why) || !strings.Contains(s.stdout, `"status":"error"`) {
		b.t.Errorf("turn start says %q and %q", s.stderr, s.stdout)
	}
	if s := broken.exits(0, "turn", "end", "--thread", "T"); !strings.Contains(s.stderr, "not protected") {
		b.t.Errorf("turn end says %q", s.stderr)
	}
	if refs := b.Git("for-each-ref", "refs/overturn/threads"); refs != "" {
		b.t.Errorf("there are snapshots: %s", refs)
	}
	b.exits(1, "stage", "latest")
	b.same(before)
	b.Remove("new")
}

// caseOnlyOneFolder: a rollback of a folder leaves the rest of the monorepo alone.
func caseOnlyOneFolder(b *book) {
	for _, p := range []string{"x/f", "x/g", "y/f", "y/g"} {
		b.Write(p, "base\n")
	}
	b.Commit("base")
	b.Write("x/g", "dirty\n")
	b.Write("y/f", "dirty\n")
	b.Write("y/new", "untracked\n")
	b.turn("T", func() { b.Write("x/f", "agent\n"); b.Write("y/g", "agent\n") })
	before := b.world()
	if p := b.in("x").stage("latest", "--", "."); p.verdicts() != "x/f write clean" {
		b.t.Errorf("plan from x: %s", p.verdicts())
	}
	if r := b.rollback("latest", "--", "x/"); r.paths() != "restored x/f" {
		b.t.Errorf("rollback of x/: %s", r.paths())
	}
	b.same(before, "x/f")
	b.reads("x/f", "base\n")
	before = b.world()
	b.undo()
	b.reads("x/f", "agent\n")
	b.same(before, "x/f")
}

// caseExactPaths: two of ten dirty files in one folder go back, eight stay dirty.
func caseExactPaths(b *book) {
	names := strings.Fields("0 1 2 3 4 5 6 7 8 9")
	for _, n := range names {
		b.Write("d/"+n, "base\n")
	}
	b.Commit("base")
	for _, n := range names {
		b.Write("d/"+n, "dirty "+n+"\n")
	}
	b.turn("T", func() { b.Write("d/3", "agent\n"); b.Write("d/7", "agent\n") })
	before := b.world()
	if r := b.rollback("latest"); r.paths() != "restored d/3, restored d/7" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.same(before, "d/3", "d/7")
	b.reads("d/3", "dirty 3\n")
	b.reads("d/7", "dirty 7\n")
}
