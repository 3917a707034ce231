package review_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review"
)

// TestPrunedTurns: of a turn that was pruned nobody knows what the agent made and what
// the user did beside it, whether git still holds its snapshots or not; what others made
// is told as before.
func TestPrunedTurns(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("both", lines(1, 40))
	f.Commit("first")
	work := func(name string) {
		f.start("t", true)
		f.Write("mine-"+name, "user, while the agent thinks\n")
		f.tool("t", nil, func() { f.Write("made-"+name, "shell\n") })
		f.end("t")
	}
	work("1")
	f.replace("both", "line 5\n", "user 5\n")
	f.turn("t", func() { f.replace("both", "line 30\n", "agent 30\n") })
	f.Write("between", "user\n")
	work("3")
	rest := "\nadded mine-3 user"
	equal(t, "before", f.rows(f.compare("working")),
		"added between user\nmodified both mixed\nadded made-1 agent\nadded made-3 agent\nadded mine-1 user"+rest)
	done := &model.Pruned{}
	f.must(f.ledger.Prune(t.Context(), model.PruneRule{OlderThan: time.Nanosecond}, nil, done))
	if len(done.Removed) == 0 {
		t.Fatal("nothing was pruned")
	}
	equal(t, "pruned", f.rows(f.compare("working")),
		"added between user\nmodified both mixed\nadded made-1 unknown\nadded made-3 agent\nadded mine-1 unknown"+rest)
	f.collect()
	equal(t, "collected", f.rows(f.compare("working")),
		"added between unknown\nmodified both unknown\nadded made-1 unknown\nadded made-3 agent\nadded mine-1 unknown"+rest)
}

// collect has git take what no ref holds, as it does two weeks after a prune, and looks
// at the repository afresh.
func (f *fixture) collect() {
	f.t.Helper()
	keeps, err := filepath.Glob(f.Path(".git/objects/pack/*.keep"))
	f.must(err)
	for _, keep := range keeps {
		f.must(os.Remove(keep))
	}
	f.Git("gc", "-q", "--prune=now")
	objs := objects.Open(f.repo)
	f.t.Cleanup(func() { _ = objs.Close() })
	f.review = review.New(review.Deps{Repo: f.repo, Objects: objs, Refs: f.refs, Snapshots: f.snaps, Ledger: f.ledger, Clock: time.Now})
}
