package review_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review/ledger"
)

// threeTurns is a thread with a user's edit before, between and after its turns.
func threeTurns(t *testing.T) *fixture {
	f := newFixture(t, gittest.New(t))
	f.Write("agent.txt", "0\n")
	f.Write("user.txt", "0\n")
	f.Commit("first")
	f.Write("before.txt", "user\n")
	f.turn("thread-one", func() { f.Write("agent.txt", "1\n") })
	f.Write("user.txt", "between\n")
	f.turn("thread-one", func() { f.Write("agent.txt", "2\n"); f.Write("new.txt", "2\n") })
	f.turn("thread-one", func() { f.Remove("new.txt") })
	f.Write("after.txt", "user\n")
	return f
}

func TestScopes(t *testing.T) {
	f := threeTurns(t)
	before := f.Protected(t)
	tests := []struct{ scope, want, resolved string }{
		{"working", "added after.txt user\nmodified agent.txt agent\nadded before.txt user\nmodified user.txt user", "working"},
		{"latest", "deleted new.txt agent", "3"},
		{"1", "modified agent.txt agent", "1"},
		{"2", "modified agent.txt agent\nadded new.txt agent", "2"},
		{"3", "deleted new.txt agent", "3"},
		{"0..1", "modified agent.txt agent", "0..1"},
		{"1..2", "modified agent.txt agent\nadded new.txt agent\nmodified user.txt user", "1..2"},
		{"1..3", "modified agent.txt agent\nmodified user.txt user", "1..3"},
		{"thread", "modified agent.txt agent\nmodified user.txt user", "0..3"},
		{"thread@thread-one", "modified agent.txt agent\nmodified user.txt user", "0..3"},
		{"latest@thread-o", "deleted new.txt agent", "3"},
	}
	for _, tc := range tests {
		cs := f.compare(tc.scope)
		equal(t, tc.scope, f.rows(cs), tc.want)
		equal(t, "resolved "+tc.scope, cs.Scope.String(), tc.resolved)
		equal(t, "thread of "+tc.scope, string(cs.Thread), "thread-one")
	}
	if diff := before.Diff(f.Protected(t)); diff != "" {
		t.Errorf("comparing changed what is the user's: %s", diff)
	}
}

func TestWrongScopes(t *testing.T) {
	f := threeTurns(t)
	f.turn("thread-two", func() {})
	tests := []struct {
		scope string
		code  model.Code
		says  string
	}{
		{"4@thread-one", model.CodeUsage, "ahead of the latest"},
		{"1..4@thread-one", model.CodeUsage, "ahead of the latest"},
		{"thread@thread-", model.CodeUsage, "thread-"},
		{"thread@nobody", model.CodeUsage, "nobody"},
		{"branch=nowhere", model.CodeUsage, "nowhere"},
		{"branch=--all", model.CodeUsage, "--all"},
		{"branch", model.CodeFailed, "no base found"},
	}
	for _, tc := range tests {
		_, err := f.review.Compare(t.Context(), f.scope(tc.scope))
		if err == nil || model.CodeOf(err) != tc.code || !strings.Contains(err.Error(), tc.says) || model.HintOf(err) == "" {
			t.Errorf("%s: %v, code %s, hint %q", tc.scope, err, model.CodeOf(err), model.HintOf(err))
		}
	}
}

func TestNothingRecorded(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("a", "1\n")
	if _, err := f.review.Compare(t.Context(), f.scope("latest")); model.CodeOf(err) != model.CodeNoRepository {
		t.Errorf("latest: %v", err)
	}
	cs := f.compare("working")
	equal(t, "unborn", f.rows(cs), "added a user")
	if !cs.Files[0].Uncommitted || cs.Files[0].Committed || cs.Thread != "" {
		t.Errorf("%+v of thread %q", cs.Files[0], cs.Thread)
	}
	if _, err := f.review.Compare(t.Context(), f.scope("branch")); err == nil || model.HintOf(err) == "" {
		t.Errorf("branch on an unborn branch: %v", err)
	}
}

// TestOpenTurn: while a turn is open, the latest is the one before it.
func TestOpenTurn(t *testing.T) {
	f := threeTurns(t)
	f.start("thread-one", false)
	f.Write("agent.txt", "open\n")
	equal(t, "latest", f.compare("latest").Scope.String(), "3")
	equal(t, "thread", f.compare("thread").Scope.String(), "0..3")
	if _, err := f.review.Compare(t.Context(), f.scope("4")); model.CodeOf(err) != model.CodeUsage {
		t.Errorf("an open turn: %v", err)
	}
	equal(t, "working", f.rows(f.compare("working")), "added after.txt user\nmodified agent.txt agent\nadded before.txt user\nmodified user.txt user")
	g := newFixture(t, gittest.New(t))
	g.start("only", false)
	if _, err := g.review.Compare(t.Context(), g.scope("latest")); model.CodeOf(err) != model.CodeNoRepository {
		t.Errorf("nothing but an open turn: %v", err)
	}
}

// TestMissingBase: a boundary that is gone is an error with its reason, never an
// implicit base (B-11).
func TestMissingBase(t *testing.T) {
	f := threeTurns(t)
	turn, err := f.ledger.Turn(t.Context(), "thread-one", 2)
	f.must(err)
	f.Git("update-ref", "-d", turn.End.Ref)
	for _, scope := range []string{"2", "1..2", "2..3"} {
		_, err := f.review.Compare(t.Context(), f.scope(scope))
		if err == nil || !strings.Contains(err.Error(), turn.End.Ref) || !strings.Contains(err.Error(), "turn 2") {
			t.Errorf("%s: %v", scope, err)
		}
	}
	f.compare("1")
	f.compare("thread")
}

func TestEndWithoutStart(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("a", "1\n")
	f.Commit("first")
	f.turn("t", func() { f.Write("a", "2\n") })
	f.Write("b", "who\n")
	_, err := f.ledger.End(t.Context(), ledger.EndEvent{Thread: "t", TurnID: "never-seen", At: time.Now()})
	f.must(err)
	_, err = f.review.Compare(t.Context(), f.scope("2"))
	var e *model.Error
	if !errors.As(err, &e) || e.Code != model.CodeFailed || !strings.Contains(e.Message, "missing") {
		t.Fatalf("a turn without a start: %v", err)
	}
}
