package cli_test

import (
	"testing"
)

// TestCasebookA: a rollback destroys work that the agent does not own.
func TestCasebookA(t *testing.T) {
	runCases(t, []caseOf{
		{"A-01", caseBlanketClean},
	})
}

// caseBlanketClean: what was there before the turn, and what came after it, stay.
func caseBlanketClean(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	b.Write("out/big", "untracked output\n")
	b.start("T")
	b.Write("agent.txt", "agent\n")
	b.end("T")
	b.Write("late/u.csv", "1,2\n")
	before := b.world()
	if r := b.rollback("latest"); r.paths() != "deleted agent.txt" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.gone("agent.txt")
	b.same(before, "agent.txt")
}
