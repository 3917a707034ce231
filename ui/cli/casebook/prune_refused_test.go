package casebook_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestPruneRefused: where git keeps the refs from being moved, no turn says that it was
// pruned, and all keep what they show; nor where a prune was killed before they moved.
func TestPruneRefused(t *testing.T) {
	t.Parallel()
	b := openBook(t).with(forOld)
	eightTurns(b)
	b.Git("pack-refs", "--all")
	want := b.ok("--json", "turns", "--thread", "T")
	said := b.ok("diff", "0..8")
	args := []string{"checkpoint", "prune", "--older-than", "1ns", "--keep", "2"}
	b.Write(".git/packed-refs.lock", "")
	s := b.exits(11, args...)
	if !strings.Contains(s.stderr, "cannot let go of the snapshots") {
		t.Errorf("said: %s", s.stderr)
	}
	b.gone(".git/overturn/ledger/VA/pruning.json")
	b.sh("rm .git/packed-refs.lock")
	same := func(when string) {
		t.Helper()
		if got := b.ok("--json", "turns", "--thread", "T"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", when, got, want)
		}
		if got := b.ok("diff", "0..8"); got != said {
			t.Errorf("%s: diff shows\n%s\nwant\n%s", when, got, said)
		}
		if exec.Command("grep", "-rq", `"pruned"`, b.Path(".git/overturn/ledger/VA")).Run() == nil {
			t.Errorf("%s: a turn is marked as pruned", when)
		}
	}
	same("refused")
	if s := b.with("OVERTURN_FAIL_POINT=prune.turns.noted").overturn(args...); s.code == 0 {
		t.Fatal("it was not killed")
	}
	same("killed before the refs")
	b.ok("checkpoint", "prune", "--older-than", "1ns", "--keep", "100") // another rule: nothing goes
	same("settled")
	b.gone(".git/overturn/ledger/VA/pruning.json")
	if s := b.with("OVERTURN_FAIL_POINT=prune.turns.refs").overturn(args...); s.code == 0 {
		t.Fatal("it was not killed")
	}
	gone := func(when string) {
		t.Helper()
		for _, turn := range b.turnList("T") {
			if turn.Number < 6 != strings.HasPrefix(turn.StatusReason, "pruned on ") && turn.Number != 6 {
				t.Errorf("%s: turn %d is %s: %s", when, turn.Number, turn.Status, turn.StatusReason)
			}
		}
		if s := b.exits(1, "diff", "0..8"); !strings.Contains(s.stderr, "was pruned on") {
			t.Errorf("%s: %s", when, s.stderr)
		}
	}
	gone("killed after the refs")
	b.ok("checkpoint", "prune", "--older-than", "1ns", "--keep", "100")
	gone("settled")
	b.gone(".git/overturn/ledger/VA/pruning.json", ".git/overturn/ledger/VA/2.evidence.jsonl")
	b.Check()
}

// TestPruneBetween: a turn of which others keep both snapshots stays ready, and stays
// whole: its record and its evidence too.
func TestPruneBetween(t *testing.T) {
	t.Parallel()
	b := openBook(t).with(forOld)
	eightTurns(b)
	b.ok("stage", "3", "--", "a")
	b.ok("stage", "5", "--", "b")
	want := b.ok("--json", "show", "4")
	var p pruned
	b.json(0, &p, "checkpoint", "prune", "--older-than", "1ns")
	for _, ref := range p.Removed {
		if strings.HasSuffix(ref, "/turn/4") {
			t.Errorf("%s was removed", ref)
		}
	}
	if got := b.ok("--json", "show", "4"); got != want {
		t.Errorf("turn 4 was\n%s\nis\n%s", want, got)
	}
	b.Git("gc", "-q", "--prune=now")
	b.ok("checkpoint", "show", string(b.turnList("T")[3].Checkpoint))
	b.ok("diff", "4")
	b.ok("doctor")
	// Nothing is staged any more: it goes with its neighbours.
	b.ok("unstage")
	b.ok("checkpoint", "prune", "--older-than", "1ns")
	for _, turn := range b.turnList("T")[:7] {
		if !strings.HasPrefix(turn.StatusReason, "pruned on ") {
			t.Errorf("turn %d is %s: %s", turn.Number, turn.Status, turn.StatusReason)
		}
	}
	b.ok("doctor")
}
