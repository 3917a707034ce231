package remotes_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"overturn/gitops/remotes"
)

func TestWhatTheRemoteLostIsSentAgain(t *testing.T) { // prune, force
	bare := newRemote(t)
	p := newPlace(t, bare)
	p.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	old := p.local(recordRef(1))
	p.record(recordRef(2), map[string]string{"metadata.json": "{}"})
	p.record(recordRef(2), map[string]string{"metadata.json": "{\"x\":1}"})
	p.pushed(2)
	run(t, bare, "git", "update-ref", "-d", recordRef(1))
	run(t, bare, "git", "update-ref", recordRef(2), p.tree.Git("rev-parse", recordRef(2)+"^"))
	run(t, bare, "git", "gc", "-q", "--prune=now")
	r, err := p.Push(context.Background(), p.target("origin"), remotes.PushOptions{Refill: true})
	p.must(err)
	if !slices.Equal(r.Pushed, []string{recordRef(1), recordRef(2)}) || p.at(recordRef(1)) != old || p.at(recordRef(2)) != p.local(recordRef(2)) {
		t.Errorf("%+v", r)
	}
	p.record(recordRef(2), map[string]string{"prompt.txt": "go on"})
	p.pushed(1)
}

// lately sends commits as they are, and says that others left in their place once.
type lately struct {
	plain
	went map[string]string
}

func (l lately) WentAs(oid string) []string { return []string{l.went[oid]} }

// TestALineThatACrashSwallowed: the record was changed, and the crash came before its line
// in the queue. What the remote has more of is left to a fetch.
func TestALineThatACrashSwallowed(t *testing.T) {
	bare := newRemote(t)
	p := newPlace(t, bare)
	for n := 1; n <= 3; n++ {
		p.record(recordRef(n), map[string]string{"metadata.json": "{}"})
	}
	p.pushed(3)
	b := clone(t, bare)
	if found, err := b.Fetch(t.Context(), recordID(2)); err != nil || !found {
		t.Fatalf("%v %v", found, err)
	}
	b.record(recordRef(2), map[string]string{"attribution.json": "{}"})
	b.pushed(1)
	p.record(recordRef(1), map[string]string{"prompt.txt": "late"})
	out := p.local(recordRef(3))
	was := p.tree.Git("commit-tree", "-m", "as it went", out+"^{tree}")
	p.tree.Git("push", "-q", "--force", "origin", was+":"+recordRef(3))
	p.record(recordRef(3), map[string]string{"transcript.jsonl": "late"})
	p.must(os.Remove(filepath.Join(p.repo.CommonDir, "overturn-push-queue.jsonl")))
	p.deps.Outgoing = lately{went: map[string]string{out: was}}
	p.again()
	r, err := p.Push(t.Context(), p.target("origin"), remotes.PushOptions{Refill: true})
	p.must(err)
	if !slices.Equal(r.Pushed, []string{recordRef(1), recordRef(3)}) || p.at(recordRef(1)) != p.local(recordRef(1)) {
		t.Errorf("%+v", r)
	}
	if p.local(recordRef(2)) == p.at(recordRef(2)) {
		t.Error("a push with nothing to send fetched")
	}
}
