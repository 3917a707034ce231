package remotes_test

import (
	"context"
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/remotes"
)

// TestAPushFollowsThePolicyOfTheRemote: it is brought before anything is sent, and what
// it does not allow stays, with the next step.
func TestAPushFollowsThePolicyOfTheRemote(t *testing.T) {
	bare := newRemote(t)
	a := newPlace(t, bare)
	c := checkpoint.Context{Repo: a.repo, Objects: a.store, Refs: a.refs, Clock: a.deps.Clock}
	a.must(checkpoint.WritePolicy(context.Background(), c, checkpoint.Policy{MinVersion: "refs-v2"}))
	a.tree.Git("push", "-q", "origin", checkpoint.PolicyRef)
	b := clone(t, bare)
	b.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	r, err := b.Push(context.Background(), b.approve("origin"), remotes.PushOptions{Refill: true})
	b.must(err)
	if len(r.Pushed) != 0 || len(r.Queued) != 1 || !strings.Contains(r.Queued[0].Reason, "refs-v2") {
		t.Fatalf("%+v", r)
	}
	a.must(checkpoint.WritePolicy(context.Background(), c, checkpoint.Policy{MinVersion: "refs-v1"}))
	a.tree.Git("push", "-q", "origin", checkpoint.PolicyRef)
	if _, err := b.FetchAll(context.Background(), b.target("origin")); err != nil {
		t.Fatal(err)
	}
	b.pushed(1)
	run(t, bare, "git", "update-ref", checkpoint.PolicyRef, b.tree.Git("rev-parse", "HEAD"))
	if _, err := b.FetchAll(context.Background(), b.target("origin")); err == nil || !strings.Contains(err.Error(), "lead apart") {
		t.Errorf("%v", err)
	}
}
