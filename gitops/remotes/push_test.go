package remotes_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/refs"
	"overturn/gitops/remotes"
	"overturn/gitops/remotes/outgoing"
	"overturn/model/trace"
)

func TestAPushSendsWhatWaitsAndNothingElse(t *testing.T) {
	p := newPlace(t, newRemote(t))
	for n := range 5 {
		p.record(recordRef(n), map[string]string{"metadata.json": "{}\n"})
	}
	before := p.tree.Protected(t)
	p.pushed(5)
	if diff := before.Diff(p.tree.Protected(t)); diff != "" {
		t.Errorf("the push changed what is the user's:\n%s", diff)
	}
	for n := range 5 {
		if p.at(recordRef(n)) != p.local(recordRef(n)) {
			t.Errorf("the remote has %q under %s", p.at(recordRef(n)), recordRef(n))
		}
	}
	p.pushed(0)
	p.record(recordRef(3), map[string]string{"prompt.txt": "more"})
	p.pushed(1)
	if p.at(recordRef(3)) != p.local(recordRef(3)) {
		t.Error("the update did not arrive")
	}
	p.noTraces()
	last := p.events.list[len(p.events.list)-1]
	if last.Event != trace.SyncPushed || last.Outcome != "complete" || last.Detail["pushed"] != 1 {
		t.Errorf("trace: %+v", last)
	}
}

func TestAStaleRefIsDroppedAndDoesNotKillTheBatch(t *testing.T) {
	p := newPlace(t, newRemote(t))
	p.approve("origin")
	gone := p.record(recordRef(1), map[string]string{"metadata.json": "{}\n"})
	p.record(recordRef(2), map[string]string{"metadata.json": "{}\n"})
	p.must(p.refs.Apply(context.Background(), []refs.Update{{Name: recordRef(1), Old: gone}}))
	r := p.pushed(1)
	if !slices.Equal(r.Stale, []string{recordRef(1)}) {
		t.Errorf("stale: %v", r.Stale)
	}
}

// TestDivergedRecordsAreJoined is seed 002's "genuine divergence": disjoint files end
// with both on the remote, the remote's commit stays an ancestor, nothing waits.
func TestDivergedRecordsAreJoined(t *testing.T) {
	bare := newRemote(t)
	a := newPlace(t, bare)
	a.record(recordRef(1), map[string]string{"metadata.json": "{\"a\":1}\n", "evidence.jsonl": "{}\n"})
	a.pushed(1)
	b := clone(t, bare)
	found, err := b.Fetch(context.Background(), recordID(1))
	if err != nil || !found {
		t.Fatalf("fetch: %v %v", found, err)
	}
	first := a.record(recordRef(1), map[string]string{"metadata.json": "{\"a\":1,\"mine\":1}\n", "evidence.jsonl": "{}\n{\"a\":1}\n", "only-a": "a"})
	a.pushed(1)
	b.record(recordRef(1), map[string]string{"metadata.json": "{\"a\":2}\n", "evidence.jsonl": "{}\n{\"b\":1}\n", "only-b": "b"})
	b.pushed(1)
	for name, want := range map[string]string{
		"only-a": "a", "only-b": "b", "evidence.jsonl": "{}\n{\"b\":1}\n{\"a\":1}", "metadata.json": `{"a":2,"mine":1}`,
	} {
		if got := b.file(recordRef(1), name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	run(t, bare, "git", "merge-base", "--is-ancestor", first, recordRef(1))
	if b.local(recordRef(1)) != b.at(recordRef(1)) {
		t.Error("the local record is not what was joined")
	}
	// The first machine has it with the next fetch, and sends nothing back.
	f, err := a.FetchAll(context.Background(), a.target("origin"))
	if err != nil || !slices.Equal(f.Changed, []string{recordRef(1)}) {
		t.Fatalf("fetched %+v, %v", f, err)
	}
	a.pushed(0)
}

// TestWhatTheRemoteHasMoreOfIsTakenIn: who pushes ends with what the remote has.
func TestWhatTheRemoteHasMoreOfIsTakenIn(t *testing.T) {
	bare := newRemote(t)
	a := newPlace(t, bare)
	a.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	a.pushed(1)
	b := clone(t, bare)
	if found, err := b.Fetch(context.Background(), recordID(1)); err != nil || !found {
		t.Fatalf("%v %v", found, err)
	}
	b.record(recordRef(1), map[string]string{"attribution.json": "{}"})
	b.pushed(1)
	a.record(recordRef(1), map[string]string{"prompt.txt": "more"})
	a.pushed(1)
	// b writes again what it has: to the remote that is nothing new.
	b.record(recordRef(1), map[string]string{"attribution.json": "{}"})
	b.pushed(1)
	if a.at(recordRef(1)) != b.local(recordRef(1)) {
		t.Errorf("here is %s, there %s", b.local(recordRef(1)), a.at(recordRef(1)))
	}
}

func TestATrueConflictStaysQueuedAndDoesNotStarveTheRest(t *testing.T) {
	bare := newRemote(t)
	a, b := newPlace(t, bare), clone(t, bare)
	theirs := a.record(recordRef(1), map[string]string{"prompt.txt": "from a"})
	a.pushed(1)
	b.approve("origin")
	b.record(recordRef(1), map[string]string{"prompt.txt": "from b"})
	b.record(recordRef(2), map[string]string{"prompt.txt": "other"})
	r, err := b.push("origin")
	b.must(err)
	if !slices.Equal(r.Pushed, []string{recordRef(2)}) || len(r.Queued) != 1 || !strings.Contains(r.Queued[0].Reason, "both sides changed prompt.txt") {
		t.Fatalf("%+v", r)
	}
	if b.at(recordRef(1)) != theirs {
		t.Error("the remote's record was overwritten")
	}
	each, n, err := b.queue.Waiting(context.Background())
	if w := each[b.target("origin").Key]; err != nil || n != 1 || w[0].Failure.Tries != 1 {
		t.Errorf("waiting: %+v %d %v", each, n, err)
	}
}

// TestTheBranchOfRecords is the git-branch backend: fetched and replayed, fast-forward
// only.
func TestTheBranchOfRecords(t *testing.T) {
	bare := newRemote(t)
	a, b := newPlace(t, bare), clone(t, bare)
	a.record(checkpoint.BranchRef, map[string]string{"one": "1"})
	a.pushed(1)
	b.record(checkpoint.BranchRef, map[string]string{"two": "2"})
	b.pushed(1)
	a.record(checkpoint.BranchRef, map[string]string{"three": "3"})
	a.pushed(1)
	for name, want := range map[string]string{"one": "1", "two": "2", "three": "3"} {
		if got := a.file(checkpoint.BranchRef, name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}

// TestABranchOfThatNameWhichIsTheUsers does not leave, and none comes.
func TestABranchOfThatNameWhichIsTheUsers(t *testing.T) {
	bare := newRemote(t)
	a := newPlace(t, bare)
	a.tree.Git("branch", "overturn/checkpoints/v1")
	a.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	r, err := a.push("origin")
	a.must(err)
	if !slices.Equal(r.Pushed, []string{recordRef(1)}) || len(r.Queued) != 1 || !strings.Contains(r.Queued[0].Reason, "not made by overturn") {
		t.Errorf("%+v", r)
	}
	b := clone(t, bare)
	run(t, bare, "git", "branch", "overturn/checkpoints/v1", "main")
	f, err := b.FetchAll(t.Context(), b.target("origin"))
	b.must(err)
	if !slices.Equal(f.New, []string{recordRef(1)}) || len(f.Kept) != 1 || b.local(checkpoint.BranchRef) != "" {
		t.Errorf("%+v", f)
	}
	b.record(checkpoint.BranchRef, map[string]string{"one": "1"})
	before := b.at(checkpoint.BranchRef)
	r, err = b.push("origin")
	if err != nil || len(r.Queued) != 1 || !strings.Contains(r.Queued[0].Reason, "is no record") || b.at(checkpoint.BranchRef) != before {
		t.Errorf("%+v %v", r, err)
	}
}

func TestTheBranchOfRecordsDoesNotBecomeTheDefault(t *testing.T) {
	bare := newRemote(t)
	p := placeWithoutPush(t, bare)
	p.record(checkpoint.BranchRef, map[string]string{"one": "1"})
	r, err := p.push("origin")
	p.must(err)
	if len(r.Pushed) != 0 || len(r.Queued) != 1 || !strings.Contains(r.Queued[0].Reason, "no branch yet") {
		t.Fatalf("%+v", r)
	}
	p.tree.Git("push", "-q", "origin", "main")
	p.pushed(1)
}

func TestTheFirstPushToASecondRemoteSendsAll(t *testing.T) {
	bare, second := newRemote(t), newRemote(t)
	p := newPlace(t, bare)
	p.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	p.pushed(1)
	p.tree.Git("remote", "add", "backup", second)
	p.record(recordRef(2), map[string]string{"metadata.json": "{}"})
	r, err := p.push("backup")
	p.must(err)
	if len(r.Pushed) != 2 {
		t.Errorf("the second remote got %v", r.Pushed)
	}
	p.pushed(1)
}

// asked sends commits as they are, and keeps which ones it was told are out.
type asked struct {
	plain
	published []string
}

func (a *asked) Outgoing(ctx context.Context, tip string, published ...string) (string, []outgoing.Finding, error) {
	a.published = append(a.published, published...)
	return a.plain.Outgoing(ctx, tip)
}

// TestWhatOneRemoteHasIsNoWordForAnother: what came from one and was joined in goes to the
// other by the rules of today.
func TestWhatOneRemoteHasIsNoWordForAnother(t *testing.T) {
	bare := newRemote(t)
	a := newPlace(t, bare)
	a.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	a.pushed(1)
	b := clone(t, bare)
	if found, err := b.Fetch(context.Background(), recordID(1)); err != nil || !found {
		t.Fatalf("%v %v", found, err)
	}
	a.record(recordRef(1), map[string]string{"only-a": "a"})
	a.pushed(1)
	b.record(recordRef(1), map[string]string{"only-b": "b"})
	told := &asked{}
	b.deps.Outgoing = told
	b.again()
	b.pushed(1)
	if len(told.published) == 0 {
		t.Error("what the remote has was not said in the join")
	}
	b.tree.Git("remote", "add", "backup", newRemote(t))
	told.published = nil
	r, err := b.push("backup")
	b.must(err)
	if len(r.Pushed) != 1 || len(told.published) > 0 {
		t.Errorf("%v went to the second remote, which was said to have %v", r.Pushed, told.published)
	}
}

func TestAnotherAddressIsAnotherRemote(t *testing.T) { // Q-12, PR #2519
	bare, second := newRemote(t), newRemote(t)
	p := newPlace(t, bare)
	before := p.target("origin")
	p.tree.Git("remote", "set-url", "--push", "origin", second)
	pushurl := p.target("origin")
	p.tree.Git("config", "url."+bare+".pushInsteadOf", second)
	p.tree.Git("config", "--unset", "remote.origin.pushurl")
	p.tree.Git("remote", "set-url", "origin", second)
	rewritten := p.target("origin")
	if before.Key == pushurl.Key || before.Key != rewritten.Key {
		t.Errorf("keys: %s, with pushurl %s, rewritten back %s", before.Key, pushurl.Key, rewritten.Key)
	}
	if _, err := p.Target(context.Background(), "nowhere"); err == nil {
		t.Error("a remote that is not there was resolved")
	}
}

func TestBatchesWithinALimit(t *testing.T) {
	p := newPlace(t, newRemote(t))
	target := p.approve("origin")
	for n := range 10 {
		p.record(recordRef(n), map[string]string{"metadata.json": "{}"})
	}
	r, err := p.Push(context.Background(), target, remotes.PushOptions{First: 2, Until: time.Now().Add(time.Minute)})
	p.must(err)
	if len(r.Pushed) != 10 {
		t.Errorf("%d of 10 in growing batches", len(r.Pushed))
	}
	p.record(recordRef(1), map[string]string{"prompt.txt": "x"})
	r, err = p.Push(context.Background(), target, remotes.PushOptions{First: 2, Until: time.Now().Add(-time.Second)})
	p.must(err)
	if len(r.Pushed) != 0 || len(r.Queued) != 1 {
		t.Errorf("after its time: %+v", r)
	}
	p.pushed(1)
}
