package casebook_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestCasebookD: edits of the user, the way back from a rollback, human factors.
func TestCasebookD(t *testing.T) {
	runCases(t, []caseOf{
		{"D-01", caseWayBack},
		{"D-02", caseStaleUndo},
		{"D-04", caseEditorWritesBack},
		{"D-05", caseKeysByAccident},
		{"D-08", caseUndoOfTouchedPaths},
		{"D-09", caseCommittedAndDirty},
		{"D-10", caseTrimmedByHand},
		{"D-11", caseSeenFromAnywhere},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// caseWayBack: undo gives back, byte for byte, what the rollback took, and redo
// takes it again; each is another process.
func caseWayBack(b *book) {
	b.Write("a", "base\n")
	b.Write("run.sh", "#!/bin/sh\n")
	b.Write("gone", "base\n")
	b.Symlink("a", "link")
	b.Commit("base")
	b.Write("a", "dirty\n")
	b.Write("u", "untracked\n")
	b.turn("T", func() {
		b.sh(`echo agent >> a; chmod 755 run.sh; rm gone; ln -sfn u link; echo agent > u; chmod 600 u; mkdir -p new/er; printf 'a\0b' > new/er/bin; ln -s ../er new/er/loop`)
	})
	b.Write("late", "of the user\n")
	before := b.world()
	r := b.rollback("latest")
	if r.Safety == "" || !strings.HasPrefix(r.Undo, "overturn undo") || b.Git("cat-file", "-t", r.Safety) != "commit" {
		b.t.Errorf("safety %q, undo %q", r.Safety, r.Undo)
	}
	back := b.world()
	b.reads("a", "dirty\n")
	b.Git("gc", "-q", "--prune=now") // what undo needs is held by refs
	before.git = b.world().git
	for range 2 {
		if r := b.undo(); r.Outcome != "undone" || !r.Verified {
			b.t.Errorf("undo: %+v", r)
		}
		b.restored(before)
		b.ok("redo")
		b.restored(back)
	}
	b.undo()
	b.restored(before)
	if d := before.git.Diff(b.world().git); d != "" {
		b.t.Errorf("git's own state: %s", d)
	}
}

// caseStaleUndo: neither a rollback nor an undo writes over what a person changed
// since; the rest goes back when that is asked for.
func caseStaleUndo(b *book) {
	lines := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
	for _, f := range []string{"f", "g", "h"} {
		b.Write(f, lines)
	}
	b.Commit("base")
	agent := strings.Replace(lines, "2\n", "two\n", 1)
	b.turn("T", func() { b.Write("f", agent); b.Write("g", agent); b.Write("h", agent) })
	b.Write("f", strings.Replace(agent, "two\n", "two, by hand\n", 1))
	b.Write("h", strings.Replace(agent, "11\n", "eleven\n", 1)) // far from what the agent did
	if p := b.stage("latest"); p.verdicts() != "f write conflict, g write clean, h write merged" {
		b.t.Errorf("take-out: %s", p.verdicts())
	}
	b.refusal()
	if p := b.stage("latest", "--method", "restore"); p.verdicts() != "f write conflict, g write clean, h write conflict" {
		b.t.Errorf("restore: %s", p.verdicts())
	}
	b.refusal()
	before := b.world()
	b.stage("latest")
	r := b.carry(3, "--partial")
	if r.paths() != "restored g, merged h" || len(r.Skipped) != 1 || r.Skipped[0].Path != "f" || r.Skipped[0].Reason == "" {
		b.t.Errorf("partial: %s, skipped %v", r.paths(), r.Skipped)
	}
	b.same(before, "g", "h")
	b.reads("h", strings.Replace(lines, "11\n", "eleven\n", 1))

	b.Write("g", "of the user, after the rollback\n")
	before = b.world()
	if s := b.exits(5, "undo"); !strings.Contains(s.stdout+s.stderr, "g") {
		b.t.Errorf("undo: %q, %q", s.stdout, s.stderr)
	}
	b.same(before)

	p := b.stage("latest", "--", "h") // back already, so to be undone only
	b.Write("h", "changed between the plan and the rollback\n")
	before = b.world()
	var stale result
	b.json(4, &stale, "rollback", "--expect", p.Fingerprint)
	if stale.Outcome != "stale" {
		b.t.Errorf("outcome %q", stale.Outcome)
	}
	b.same(before)
}

// caseEditorWritesBack: an editor that saves its buffer over what was rolled back
// is told of, what it wrote stays, and the entry can still be undone.
func caseEditorWritesBack(b *book) {
	const buffer = "the editor's buffer\n"
	b.Write("a", "base\n")
	for i := range 40 {
		b.Write(fmt.Sprintf("b/%02d", i), "base\n")
	}
	b.Commit("base")
	b.turn("T", func() {
		b.Write("a", "agent\n")
		for i := range 40 {
			b.Write(fmt.Sprintf("b/%02d", i), "agent\n")
		}
	})
	p := b.stage("latest")
	saved := make(chan error, 1)
	go func() { saved <- writeBack(b.Path("a"), "base\n", buffer) }()
	s := b.exits(3, "--json", "rollback", "--expect", p.Fingerprint)
	if err := <-saved; err != nil {
		b.t.Fatal(err)
	}
	var r result
	var failed struct{ Code, Hint string }
	if err := errors.Join(json.Unmarshal([]byte(s.stdout), &r), json.Unmarshal([]byte(s.stderr), &failed)); err != nil {
		b.t.Fatal(err)
	}
	if failed.Code != "partial" || !strings.Contains(failed.Hint, "stage these paths again") {
		b.t.Errorf("no next step: %+v", failed)
	}
	if r.Verified || r.Outcome != "partial" || len(r.Skipped) != 1 || r.Skipped[0] != (noted{"a", "changed again by another process"}) {
		b.t.Errorf("outcome %s, verified %v, skipped %v", r.Outcome, r.Verified, r.Skipped)
	}
	b.reads("a", buffer)
	before := b.world()
	b.exits(5, "undo", r.ID)
	b.same(before)

	b.Write("a", "base\n") // the editor is made to read the file again
	if r := b.undo(); r.Outcome != "undone" || !r.Verified {
		b.t.Errorf("undo: %+v", r)
	}
	b.reads("a", "agent\n")
	b.reads("b/39", "agent\n")
}

// writeBack saves text over name as soon as it holds what is waited for.
func writeBack(name, wanted, text string) error {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		data, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if string(data) == wanted {
			return os.WriteFile(name, []byte(text), 0o644)
		}
	}
	return errors.New("the rollback never wrote " + name)
}
