package casebook_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestCasebookB: a rollback or a comparison gives a wrong state.
func TestCasebookB(t *testing.T) {
	runCases(t, []caseOf{
		{"B-01", caseFilesMadeLater},
		{"B-02", caseDeletedBefore},
		{"B-04", caseShellChanges},
		{"B-05", caseUntrackedBefore},
		{"B-07", caseBaselineOfTheTurn},
		{"B-08", caseRolledBackAgain},
		{"B-10", caseLateWriter},
		{"B-11", caseMissingBase},
		{"B-15", caseFoldersOfTheTurn},
		{"B-16", caseChildrenOfTheTurn},
		{"B-17", caseBrowsing},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// caseFilesMadeLater: what the turn made goes, what came after it stays.
func caseFilesMadeLater(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	b.turn("T", func() {
		b.Write("one", "1\n")
		b.Write("sub/two", "2\n")
		b.Write("sub/deep/three", "3\n")
	})
	b.Write("late", "the user's, untracked\n")
	b.Write("sub2/late", "the user's, in a folder of its own\n")
	before := b.world()
	if r := b.rollback("latest"); r.paths() != "deleted one, deleted sub/deep/three, deleted sub/two" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.gone("one", "sub")
	b.same(before, "one", "sub")
}

// caseDeletedBefore: a file that was deleted when the turn began is absent again,
// and git's index still has it.
func caseDeletedBefore(b *book) {
	b.Write("d", "base\n")
	b.Write("e", "base\n")
	b.Commit("base")
	b.Remove("d")
	b.Git("rm", "-q", "e")
	b.turn("T", func() { b.Write("d", "base\n"); b.Write("e", "of the agent\n") })
	before := b.world()
	if r := b.rollback("latest"); r.paths() != "deleted d, deleted e" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.gone("d", "e")
	b.same(before, "d", "e")
	if s := b.Git("status", "--porcelain"); s != "D d\nD  e" && s != " D d\nD  e" {
		b.t.Errorf("status: %q", s)
	}
}

// caseShellChanges: what a shell did is in the turn, whoever told of it.
func caseShellChanges(b *book) {
	for i := range 9 {
		b.Write(fmt.Sprintf("src/%d.txt", i), fmt.Sprintf("line one\nline %d\n", i))
	}
	b.Write("tool.sh", "#!/bin/sh\n")
	b.Symlink("src/1.txt", "link")
	b.Commit("base")
	b.Write("src/5.txt", "line, dirty\n")
	b.Write("notes", "untracked\n")
	before := b.world()
	b.start("T")
	b.sh(`rm src/0.txt
mv src/1.txt src/moved.txt
mv notes notes.old
sed -i 's/line/LINE/' src/2.txt src/3.txt src/5.txt
cat > src/4.txt <<'END'
from a heredoc
END
for i in 1 2 3 4 5 6 7 8 9; do mkdir -p gen/$i; echo $i > gen/$i/out.txt; done
chmod 755 src/6.txt; chmod 755 tool.sh
ln -sfn src/8.txt link
rm src/7.txt; mkdir src/7.txt; echo in > src/7.txt/a
rm -r src/8.txt; ln -s 2.txt src/8.txt`)
	b.end("T")
	if turn := b.show("T", "1"); len(turn.Files) != 22 {
		b.t.Errorf("%d files: %s", len(turn.Files), turn.names())
	}
	b.rollback("latest")
	b.restored(before)
	after := b.world()
	b.undo()
	b.reads("src/moved.txt", "line one\nline 1\n")
	b.reads("src/7.txt/a", "in\n")
	b.ok("redo")
	b.restored(after)
}

// caseUntrackedBefore: untracked files are in a snapshot as tracked ones are.
func caseUntrackedBefore(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	b.Write("u", "untracked, old\n")
	b.Write("v/w", "untracked, to be deleted\n")
	b.Write("x", "untracked \x00 binary\n")
	before := b.world()
	b.turn("T", func() {
		b.Write("u", "of the agent\n")
		b.Remove("v")
		b.Remove("x")
	})
	if r := b.rollback("latest"); r.paths() != "restored u, created v/w, created x" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.restored(before)
}

// caseBaselineOfTheTurn: a turn goes back to what stood right before it, with the
// user's edits between the turns.
func caseBaselineOfTheTurn(b *book) {
	b.Write("f", "base\n")
	b.Commit("base")
	b.Write("f", "base\nuser, before\n")
	b.turn("T", func() { b.Write("f", "base\nuser, before\nturn 1\n"); b.Write("g", "turn 1\n") })
	b.Write("f", "base\nuser, before\nturn 1, touched by the user\n")
	before := b.world()
	b.turn("T", func() { b.Write("f", "turn 2\n"); b.Remove("g") })
	b.rollback("2")
	b.restored(before)
	if turn := b.show("T", "2"); turn.names() != "f modified, g deleted" || turn.Start.Tree == b.show("T", "1").End.Tree {
		b.t.Errorf("turn 2: %s", turn.names())
	}
}

// caseRolledBackAgain: the same rollback again, by other processes, does nothing.
func caseRolledBackAgain(b *book) {
	b.Write("a", "base\n")
	b.Write("gone", "base\n")
	b.Commit("base")
	b.turn("T", func() { b.Write("a", "agent\n"); b.Write("new", "agent\n"); b.Remove("gone") })
	b.rollback("latest")
	before := b.world()
	for range 2 {
		p := b.stage("latest")
		if p.verdicts() != "a write already, gone create already, new delete already" {
			b.t.Errorf("plan: %s", p.verdicts())
		}
		if r := b.carry(0); r.paths() != "" || r.ID != "" {
			b.t.Errorf("again: %s, id %q", r.paths(), r.ID)
		}
		b.same(before)
	}
	b.reads("a", "base\n")
	b.gone("new")
	if h := b.ok("history"); strings.Count(h, "\n") != 1 {
		b.t.Errorf("history: %s", h)
	}
	// The user makes a file of the name that went: it is the user's.
	b.Write("new", "of the user\n")
	if p := b.stage("latest"); !strings.Contains(p.verdicts(), "new delete conflict") {
		b.t.Errorf("plan: %s", p.verdicts())
	}
	b.refusal()
}

// caseLateWriter: a later end of the same turn takes the place of one that came
// too early; the next turn does not get the late writes. By hand the first end
// stands, and what comes after it is the user's (CONTRACT, section 2).
func caseLateWriter(b *book) {
	b.Write("a", "base\n")
	b.Commit("base")
	b.hook(`{"event":"turn-start","thread":"T","turn_id":"1","prompt":"x"}`)
	b.Write("a", "agent\n")
	late := exec.Command("sh", "-ec", `sleep 0.1; echo late > late; sleep 0.2; echo later >> a`)
	late.Dir, late.Env = b.Root, b.Env.Environ
	if err := late.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.hook(`{"event":"turn-end","thread":"T","turn_id":"1"}`)
	early := b.show("T", "1").End.Tree
	if err := late.Wait(); err != nil {
		b.t.Fatal(err)
	}
	b.hook(`{"event":"turn-end","thread":"T","turn_id":"1"}`)
	turn := b.show("T", "1")
	if turn.names() != "a modified, late added" || turn.End.Tree == early || turn.Status != "ready" {
		b.t.Errorf("turn 1: %s, status %s", turn.names(), turn.Status)
	}
	if held := b.Git("rev-parse", turn.Ref+"^{tree}"); held != turn.End.Tree {
		b.t.Errorf("%s holds %s", turn.Ref, held)
	}
	b.hook(`{"event":"turn-start","thread":"T","turn_id":"2","prompt":"y"}`)
	b.hook(`{"event":"turn-end","thread":"T","turn_id":"1"}`) // too late: the next one has begun
	b.Write("next", "of turn 2\n")
	b.hook(`{"event":"turn-end","thread":"T","turn_id":"2"}`)
	if turn := b.show("T", "2"); turn.names() != "next added" {
		b.t.Errorf("turn 2: %s", turn.names())
	}
	if turn := b.show("T", "1"); turn.names() != "a modified, late added" {
		b.t.Errorf("turn 1 after the next began: %s", turn.names())
	}
	b.turn("hand", func() { b.Write("a", "by hand\n") })
	b.Write("later", "of the user\n")
	b.end("hand")
	if turn := b.show("hand", "1"); turn.names() != "a modified" {
		b.t.Errorf("by hand: %s", turn.names())
	}
}

// hook gives an event to overturn hook generic, which must keep a guest's manners.
func (b *book) hook(event string, args ...string) {
	b.t.Helper()
	if len(args) == 0 {
		args = []string{"generic"}
	}
	cmd := exec.Command(clitest.Bin(), append([]string{"hook"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = b.dir, b.env, strings.NewReader(event)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		b.t.Fatalf("hook %s: %v\n%s", event, err, out)
	}
}
