package remotes_test

import (
	"context"
	"fmt"
	"testing"

	"overturn/gitops/remotes"
)

// TestClonesOfEveryKind: shallow, partial, with alternates, linked; each pushes and
// brings records, and stays what it is.
func TestClonesOfEveryKind(t *testing.T) {
	for name, args := range map[string][]string{
		"shallow":    {"--depth", "1"},
		"partial":    {"--filter=blob:none"},
		"alternates": {"--shared"},
	} {
		t.Run(name, func(t *testing.T) {
			bare := newRemote(t)
			run(t, bare, "git", "config", "uploadpack.allowFilter", "true")
			run(t, bare, "git", "config", "uploadpack.allowAnySHA1InWant", "true")
			a := newPlace(t, bare)
			a.tree.Write("a.txt", "second\n")
			a.tree.Git("commit", "-q", "-am", "second")
			a.tree.Git("push", "-q", "origin", "main")
			a.record(recordRef(1), map[string]string{"metadata.json": "{\"n\":1}", "prompt.txt": "first"})
			a.pushed(1)
			b := clone(t, "file://"+bare, args...)
			b.bare = bare
			shallow := b.tree.Git("rev-parse", "--is-shallow-repository")
			if found, err := b.Fetch(context.Background(), recordID(1)); err != nil || !found {
				t.Fatalf("%v %v", found, err)
			}
			commit, err := b.store.Commit(context.Background(), b.local(recordRef(1)))
			b.must(err)
			entries, err := b.store.Tree(context.Background(), commit.Tree)
			b.must(err)
			for _, e := range entries {
				if _, err := b.store.Blob(context.Background(), e.OID); err != nil {
					t.Errorf("%s is not here: %v", e.Name, err)
				}
			}
			b.record(recordRef(1), map[string]string{"attribution.json": "{}"})
			b.record(recordRef(2), map[string]string{"metadata.json": "{}"})
			r, err := b.push("origin")
			b.must(err)
			if len(r.Pushed) != 2 || b.at(recordRef(1)) != b.local(recordRef(1)) {
				t.Errorf("%+v", r)
			}
			if now := b.tree.Git("rev-parse", "--is-shallow-repository"); now != shallow {
				t.Errorf("shallow: %s before, %s after", shallow, now)
			}
		})
	}
}

// TestALinkedWorkTreeSharesTheQueue: what one work tree records, another sends.
func TestALinkedWorkTreeSharesTheQueue(t *testing.T) {
	p := newPlace(t, newRemote(t))
	p.approve("origin")
	other := placeAt(t, p.tree.Worktree("side"), p.bare, plain{})
	other.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	p.record(recordRef(2), map[string]string{"metadata.json": "{}"})
	p.pushed(2)
	other.pushed(0)
}

// TestTwoPushesAtOnce lose nothing and fail nothing.
func TestTwoPushesAtOnce(t *testing.T) {
	p := newPlace(t, newRemote(t))
	target := p.approve("origin")
	for n := range 10 {
		p.record(recordRef(n), map[string]string{"metadata.json": fmt.Sprint(n)})
	}
	failed := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := p.Push(context.Background(), target, remotes.PushOptions{})
			failed <- err
		}()
	}
	for range 2 {
		p.must(<-failed)
	}
	p.pushed(0)
	for n := range 10 {
		if p.at(recordRef(n)) != p.local(recordRef(n)) {
			t.Errorf("record %d is not there", n)
		}
	}
}
