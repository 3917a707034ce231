package casebook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
)

// pruned is overturn.prune/1.
type pruned struct {
	Schema  string
	Removed []string
	Kept    []model.RefNote
	Files   []string
}

func (p pruned) why(ref string) string {
	for _, k := range p.Kept {
		if strings.HasSuffix(k.Ref, ref) {
			return k.Reason
		}
	}
	return ""
}

// forOld makes all turns old enough: ages are of nanoseconds.
const forOld = "OVERTURN_RETENTION_UNREVIEWED=0"

// eightTurns is a thread of turns that edit two files.
func eightTurns(b *book) {
	b.Write("a", strings.Repeat("line\n", 50))
	b.Write("b", "0\n")
	b.Commit("base")
	for n := range 8 {
		b.turn("T", func() {
			b.Write("a", strings.Repeat("line\n", 50)+fmt.Sprint(n, "\n"))
			b.Write("b", fmt.Sprint(n, "\n"))
		})
	}
}

func refsOf(b *book) []string {
	return strings.Fields(b.Git("for-each-ref", "--format=%(refname)", "refs/overturn"))
}

func TestPruneKeepsWhatItMust(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	eightTurns(b)
	var p pruned
	b.json(0, &p, "checkpoint", "prune", "--keep", "2")
	if len(p.Removed) != 0 || !strings.Contains(p.why("/turn/3"), "nobody has looked at it") && !strings.Contains(p.why("/turn/3"), "starts from it") {
		t.Errorf("turns that nobody has looked at: %+v", p)
	}
	b.ok("diff", "thread") // now somebody has
	b.ok("stage", "3", "--", "b")
	before := refsOf(b)
	b.json(0, &p, "checkpoint", "prune", "--keep", "2", "--dry-run")
	if !slices.Equal(refsOf(b), before) || len(p.Removed) == 0 {
		t.Errorf("a dry run removed refs, or would remove none: %+v", p)
	}
	dry := p.Removed
	b.json(0, &p, "checkpoint", "prune", "--keep", "2")
	if p.Schema != "overturn.prune/1" || !slices.Equal(p.Removed, dry) {
		t.Errorf("%+v, dry: %v", p, dry)
	}
	for _, ref := range p.Removed {
		if slices.Contains(refsOf(b), ref) {
			t.Errorf("%s is there", ref)
		}
	}
	for _, k := range p.Kept {
		if !slices.Contains(refsOf(b), k.Ref) {
			t.Errorf("%s is said to be kept", k.Ref)
		}
	}
	if p.why("/turn/3") != "something of it is staged" || !strings.HasPrefix(p.why("/turn/2"), "turn 3 starts from it") ||
		!strings.HasPrefix(p.why("/turn/6"), "turn 7 starts from it") || p.why("/turn/8") != "it is the newest turn of its work tree" {
		t.Errorf("kept: %+v", p.Kept)
	}
	statuses := map[int]string{}
	for _, turn := range b.turnList("T") {
		statuses[turn.Number] = string(turn.Status)
		if turn.Status == model.StatusMissing && !strings.HasPrefix(turn.StatusReason, "pruned on ") {
			t.Errorf("turn %d: %s", turn.Number, turn.StatusReason)
		}
	}
	if want := "map[1:missing 2:missing 3:ready 4:missing 5:missing 6:missing 7:ready 8:ready]"; fmt.Sprint(statuses) != want {
		t.Errorf("statuses are %v", statuses)
	}
	if s := b.exits(1, "diff", "5"); !strings.Contains(s.stderr, "pruned on ") {
		t.Errorf("diff of a pruned turn says %q", s.stderr)
	}
	if out := b.ok("show", "5"); !strings.Contains(out, "missing: pruned on ") || !strings.Contains(out, "modified agent   +1 −1 b") {
		t.Errorf("show says %q", out)
	}
	b.ok("diff", "6..8")
	b.ok("diff", "3")
	// The next turn goes on, and everything that is left is whole.
	b.turn("T", func() { b.Write("b", "next\n") })
	b.Check()
	b.Git("gc", "-q", "--prune=now")
	b.Check()
	b.ok("diff", "6..9")
	b.json(0, &p, "checkpoint", "prune", "--keep", "2")
	b.ok("diff", "8..9")
}

func TestPruneByAge(t *testing.T) {
	t.Parallel()
	b := openBook(t).with(forOld)
	eightTurns(b)
	var p pruned
	b.json(0, &p, "checkpoint", "prune")
	if len(p.Removed) != 0 || p.why("/turn/8") == "" || !strings.Contains(p.why("/turn/0")+p.why("/turn/1"), "younger than 90 days") {
		t.Errorf("by the settings alone: %+v", p)
	}
	if text := b.ok("checkpoint", "prune", "--older-than", "36h"); !strings.Contains(text, "refs, each because it is younger than 36 hours\n") || strings.Contains(text, "0s") {
		t.Errorf("kept by age: %s", text)
	}
	b.json(0, &p, "checkpoint", "prune", "--older-than", "1ms", "--keep", "7")
	if len(p.Removed) == 0 || p.why("/turn/2") == "" {
		t.Errorf("by both: %+v", p)
	}
	// A conversation that is over goes whole by its age; what stays is where one is.
	b.turn("U", func() { b.Write("b", "u\n") })
	b.json(0, &p, "checkpoint", "prune", "--older-than", "1ns")
	if left := strings.Join(refsOf(b), " "); strings.Contains(left, "/VA/") || !strings.Contains(left, "/VQ/turn/1") {
		t.Errorf("left are %s", left)
	}
	b.turn("T", func() { b.Write("b", "t again\n") })
	if turns := b.turnList("T"); len(turns) != 9 || turns[8].Status != model.StatusReady {
		t.Errorf("the next turn is %+v", turns[len(turns)-1])
	}
	for _, bad := range [][]string{{"--older-than", "soon"}, {"--older-than", "0"}, {"--older-than", "0d"}, {"--older-than", "0s"}, {"--keep", "0"}, {"--keep", "-3"}, {"--keep", "x"}, {"T"}} {
		b.exits(2, append([]string{"checkpoint", "prune"}, bad...)...)
	}
	b.with("OVERTURN_RETENTION_OLDER_THAN=0").exits(2, "checkpoint", "prune")
}

// TestPruneHistory: what undo and redo would take stays, and what is older goes as a
// whole, its copies too.
func TestPruneHistory(t *testing.T) {
	t.Parallel()
	b := openBook(t).with(forOld)
	eightTurns(b)
	back := func(n, path string) string { return b.rollback(n, "--", path).ID }
	first, second := back("8", "a"), back("8", "b")
	b.ok("undo")
	kept := filepath.Join(b.GitDir(), "overturn", "kept")
	var p pruned
	b.json(0, &p, "checkpoint", "prune", "--older-than", "1h")
	if len(p.Removed) > 0 || !strings.Contains(p.why(first), "undo would take it back") {
		t.Errorf("%+v", p)
	}
	// A copy that was written to after it was taken out is nowhere else.
	third := back("8", "b")
	b.Write("c", "c\n")
	copies, err := filepath.Glob(filepath.Join(kept, second, "*"))
	if err != nil || len(copies) != 1 {
		t.Fatalf("%v, %v", copies, err)
	}
	b.sh("sleep 0.02")
	if err := os.WriteFile(copies[0], []byte("written through an open handle\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.json(0, &p, "checkpoint", "prune", "--older-than", "10ms")
	if !strings.Contains(p.why(second), "nowhere else") || p.why(third) == "" || slices.Contains(refsOf(b), "refs/overturn/safety/"+first) {
		t.Errorf("kept: %+v, removed %v", p.Kept, p.Removed)
	}
	if data, err := os.ReadFile(copies[0]); err != nil || string(data) != "written through an open handle\n" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := os.Stat(filepath.Join(kept, first)); !os.IsNotExist(err) {
		t.Errorf("copies of what went: %v", err)
	}
	if out := b.ok("history"); strings.Contains(out, first) || !strings.Contains(out, third) {
		t.Errorf("history: %s", out)
	}
	b.exits(2, "undo", first)
	b.ok("undo")
	if got := b.Read("b"); got != "7\n" {
		t.Errorf("after undo b is %q", got)
	}
	b.Check()
}

// TestPruneKilled: at every step of a prune what stays is whole, and pruning again ends
// where one that was not killed does.
func TestPruneKilled(t *testing.T) {
	t.Parallel()
	points := []string{
		"prune.turns.noted", "prune.turns.refs", "prune.turns.said", "prune.turns.said:2", "prune.turns.remove", "prune.turns.remove:3", "prune.turns.done", "prune.history.copies", "prune.history.journal",
		"prune.history.ref", "prune.safety.refs", "prune.space", "objects.packobjects.mkdir", "objects.install.keep:2", "objects.movesynced.rename:2",
		"objects.rollup.stored", "objects.removepacks.remove:2",
	}
	first := openBook(t).with(forOld)
	eightTurns(first)
	first.rollback("8", "--", "a")
	first.rollback("8", "--", "b")
	first.Git("update-ref", "refs/overturn/safety/00000000000000000000000000", "refs/overturn/threads/VA/turn/1")
	sample := t.TempDir()
	first.sh("cp -a . " + sample)
	var want pruned
	first.json(0, &want, "checkpoint", "prune", "--older-than", "1ns", "--keep", "2")
	left := refsOf(first)
	for _, point := range points {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			b := bookOf(t, gittest.New(t)).with(forOld)
			b.sh("rm -rf .git && cp -a " + sample + "/. .")
			args := []string{"checkpoint", "prune", "--older-than", "1ns", "--keep", "2"}
			for range 2 {
				if s := b.with("OVERTURN_FAIL_POINT=" + point).overturn(args...); s.code == 0 && point != "prune.safety.refs" && !strings.Contains(point, ":") {
					break // nothing of it was left to be done
				}
				b.Check()
				b.ok("diff", "6..8")
				b.ok("turns")
				b.ok("history")
			}
			b.ok(args...)
			if now := refsOf(b); !slices.Equal(now, left) {
				t.Errorf("left are\n%v\nwant\n%v", now, left)
			}
			for _, turn := range b.turnList("T") {
				if turn.Number < 6 && !strings.HasPrefix(turn.StatusReason, "pruned on ") || turn.Number > 6 && turn.Status != model.StatusReady {
					t.Errorf("turn %d is %s: %s", turn.Number, turn.Status, turn.StatusReason)
				}
			}
			b.Check()
		})
	}
}

// turnList is `turns` of a thread.
func (b *book) turnList(thread string) []model.Turn {
	b.t.Helper()
	var list struct{ Turns []model.Turn }
	b.json(0, &list, "turns", "--thread", thread)
	return list.Turns
}
