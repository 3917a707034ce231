//go:build linux || darwin

package doctor_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/storetest"
	"overturn/gitops/remotes/queue"
	"overturn/model"
	"overturn/model/settings"
)

func (p *patient) context() checkpoint.Context {
	return checkpoint.Context{Repo: p.deps.Repo, Objects: p.deps.Objects, Refs: p.deps.Refs, Clock: time.Now}
}

// TestAPolicyThatForbids is told, with what to do.
func TestAPolicyThatForbids(t *testing.T) {
	p := newPatient(t, time.Now)
	if f := p.finding("policy"); !f.OK {
		t.Errorf("without a policy: %+v", f)
	}
	p.must(checkpoint.WritePolicy(t.Context(), p.context(), checkpoint.Policy{MinVersion: "refs-v9"}))
	p.bad("policy", "does not know")
	p.Git("update-ref", checkpoint.PolicyRef, "HEAD")
	p.bad("policy", "cannot be read")
}

// TestAMirrorThatTakesNothing: ids of refs have no place on the branch.
func TestAMirrorThatTakesNothing(t *testing.T) {
	p := newPatient(t, time.Now)
	var err error
	p.deps.Records, err = storetest.Topology(settings.Checkpoints{Primary: checkpoint.TypeRefs, Mirrors: []string{checkpoint.TypeFiles, checkpoint.TypeBranch}}, p.context())
	p.must(err)
	p.bad("mirrors", "cannot mirror")
	p.deps.Records, err = storetest.Topology(settings.Checkpoints{Primary: checkpoint.TypeRefs, Mirrors: []string{checkpoint.TypeFiles}}, p.context())
	p.must(err)
	if f := p.finding("mirrors"); !f.OK || !strings.Contains(f.Detail, "1 mirror") {
		t.Errorf("it says %+v", f)
	}
}

// TestABranchThatHoldsSomethingElse: its records are missing from every list, which is
// said.
func TestABranchThatHoldsSomethingElse(t *testing.T) {
	p := newPatient(t, time.Now)
	p.Git("update-ref", checkpoint.BranchRef, "HEAD")
	p.bad("records", "holds no checkpoint records")
}

// TestTheQueue: what waits is counted, what does not land is named.
func TestTheQueue(t *testing.T) {
	p := newPatient(t, time.Now)
	if f := p.finding("push-queue"); !f.OK || !strings.Contains(f.Detail, "0 refs") {
		t.Errorf("it says %+v", f)
	}
	q := p.deps.Queue
	p.must(q.Approve(t.Context(), "key", "origin"))
	waiting, err := q.Drain(t.Context(), "key")
	p.must(err)
	if len(waiting.Refs) == 0 {
		t.Fatal("nothing waits for a remote that was approved")
	}
	ref := waiting.Refs[0]
	if f := p.finding("push-queue"); !f.OK || strings.Contains(f.Detail, "0 refs") {
		t.Errorf("it says %+v", f)
	}
	for range 3 {
		p.must(q.Settle(context.Background(), "key", []queue.Outcome{{Ref: ref, Reason: "the remote takes no such refs"}}))
	}
	p.bad("push-queue", "the remote takes no such refs")
	p.must(p.deps.Records.Forget(t.Context(), idOf(t, ref.Name)))
	if f := p.finding("push-queue"); !f.OK || !strings.Contains(f.Detail, "gone") {
		t.Errorf("it says %+v", f)
	}
}

func idOf(t *testing.T, ref string) model.ID {
	t.Helper()
	id, err := checkpoint.ParseRef(ref)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
