package remotes_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/remotes"
)

func TestAbsentAndFailedAreTwoAnswers(t *testing.T) {
	bare := newRemote(t)
	p := newPlace(t, bare)
	if found, err := p.Fetch(context.Background(), recordID(1)); found || err != nil {
		t.Errorf("absent: %v %v", found, err)
	}
	p.tree.Git("remote", "set-url", "origin", bare+"-gone")
	p.again()
	if found, err := p.Fetch(context.Background(), recordID(1)); found || err == nil {
		t.Errorf("failed: %v %v", found, err)
	}
	p.tree.Git("remote", "set-url", "origin", bare)
	p.again()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if found, err := p.Fetch(cancelled, recordID(1)); found || err == nil {
		t.Errorf("cancelled: %v %v", found, err)
	}
	if found, err := p.Fetch(context.Background(), recordID(1)); found || err != nil {
		t.Errorf("that the caller went away says nothing about the remote: %v %v", found, err)
	}
	p.noTraces()
}

func TestARecordIsFetchedFromWhicheverRemoteHasIt(t *testing.T) {
	bare, second := newRemote(t), newRemote(t)
	a := newPlace(t, bare)
	a.tree.Git("remote", "add", "backup", second)
	want := a.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	if _, err := a.push("backup"); err != nil {
		t.Fatal(err)
	}
	b := clone(t, bare)
	b.tree.Git("remote", "add", "backup", second)
	b.approve("backup")
	if found, err := b.Fetch(context.Background(), recordID(1)); err != nil || !found || b.local(recordRef(1)) != want {
		t.Errorf("%v %v", found, err)
	}
	b.deps.Remote = "origin"
	b.again()
	if targets, err := b.Candidates(context.Background()); err != nil || len(targets) != 1 || targets[0].Name != "origin" {
		t.Errorf("with the setting: %v %v", targets, err)
	}
	// What came from backup is not sent to origin, until it is changed here.
	b.pushed(0)
	b.record(recordRef(1), map[string]string{"prompt.txt": "ours"})
	b.pushed(1)
}

func TestARecordOfTheBranchComesWithIt(t *testing.T) {
	bare := newRemote(t)
	a, b := newPlace(t, bare), clone(t, bare)
	a.record(checkpoint.BranchRef, map[string]string{"metadata.json": "{}"})
	a.pushed(1)
	if found, err := b.Fetch(context.Background(), "a1b2c3d4e5f6"); err != nil || !found || b.local(checkpoint.BranchRef) == "" {
		t.Errorf("%v %v", found, err)
	}
	if found, err := b.Fetch(context.Background(), recordID(3)); err != nil || found {
		t.Errorf("a ULID is never looked for on the branch: %v %v", found, err)
	}
}

// TestListMergesAllAndLosesNoneToAFailure is C8.
func TestListMergesAllAndLosesNoneToAFailure(t *testing.T) {
	bare, second := newRemote(t), newRemote(t)
	a := newPlace(t, bare)
	a.tree.Git("remote", "add", "backup", second)
	a.tree.Git("remote", "add", "gone", second+"-gone")
	a.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	a.record(recordRef(2), map[string]string{"metadata.json": "{}"})
	a.pushed(2)
	if _, err := a.push("backup"); err != nil {
		t.Fatal(err)
	}
	run(t, second, "git", "update-ref", "-d", recordRef(1))
	targets := []remotes.Target{a.target("origin"), a.target("gone"), a.target("backup")}
	l := a.List(context.Background(), targets)
	if len(l.Records) != 2 || l.Asked != 3 || len(l.Failed) != 1 || !strings.Contains(l.Failed[0].Error(), "gone") {
		t.Fatalf("%+v", l)
	}
	if l.Records[0].ID != recordID(2) || len(l.Records[0].Remotes) != 2 || len(l.Records[1].Remotes) != 1 {
		t.Errorf("%+v", l.Records)
	}
	if at := l.Records[0].At; !at.Equal(recordID(2).Time()) || at.IsZero() {
		t.Errorf("dated %v", at)
	}
	if l := a.List(context.Background(), targets[1:2]); len(l.Failed) != 1 || len(l.Records) != 0 {
		t.Errorf("total failure: %+v", l)
	}
}

func TestEachRemoteHasItsOwnLimit(t *testing.T) {
	p := newPlace(t, newRemote(t))
	p.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	p.pushed(1)
	pids := p.hanging("slow")
	p.deps.Limits = remotes.Limits{Ask: time.Second}
	p.again()
	l := p.List(context.Background(), []remotes.Target{p.target("slow"), p.target("origin")})
	if len(l.Records) != 1 || len(l.Failed) != 1 {
		t.Errorf("%+v", l)
	}
	ended(t, pids)
}

// TestSpellingsThatAreNotOurs: a remote whose file system does not tell case apart, or
// that another program wrote to, has refs that are passed over, never guessed at.
func TestSpellingsThatAreNotOurs(t *testing.T) {
	bare := newRemote(t)
	a := newPlace(t, bare)
	a.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	a.pushed(1)
	value := a.at(recordRef(1))
	upper := strings.ToUpper(string(recordID(2)))
	for _, odd := range []string{
		"refs/overturn/checkpoints/02/" + upper, "refs/overturn/checkpoints/" + upper[24:] + "/" + upper, "refs/overturn/checkpoints/zz/" + string(recordID(2)),
		recordRef(2) + "x", "refs/overturn/checkpoints/02/a/b", "refs/overturn/threads/x/turn/1",
	} {
		run(t, bare, "git", "update-ref", odd, value)
	}
	b := clone(t, bare)
	f, err := b.FetchAll(context.Background(), b.target("origin"))
	b.must(err)
	if len(f.New) != 1 || f.New[0] != recordRef(1) {
		t.Errorf("fetched %+v", f)
	}
	if got := b.tree.Git("for-each-ref", "--format=%(refname)", "refs/overturn/"); got != recordRef(1) {
		t.Errorf("here are %s", got)
	}
	if found, err := b.Fetch(context.Background(), recordID(2)); err != nil || found {
		t.Errorf("%v %v", found, err)
	}
	if l := b.List(context.Background(), []remotes.Target{b.target("origin")}); len(l.Records) != 1 {
		t.Errorf("%+v", l.Records)
	}
}

// TestAForcedRemoteMovesNothingBack: the remote's record was replaced by force with an
// older, or another, one; ours is kept, and both are joined or told.
func TestAForcedRemoteMovesNothingBack(t *testing.T) {
	bare := newRemote(t)
	a := newPlace(t, bare)
	first := a.record(recordRef(1), map[string]string{"metadata.json": "{}"})
	a.pushed(1)
	second := a.record(recordRef(1), map[string]string{"prompt.txt": "x"})
	a.pushed(1)
	run(t, bare, "git", "update-ref", recordRef(1), first)
	if f, err := a.FetchAll(context.Background(), a.target("origin")); err != nil || len(f.New)+len(f.Changed) != 0 {
		t.Errorf("%+v %v", f, err)
	}
	if a.local(recordRef(1)) != second {
		t.Error("the local record was moved back")
	}
	other := run(t, bare, "git", "-c", "user.name=x", "-c", "user.email=x@x", "commit-tree", "-m", "another", first+"^{tree}")
	run(t, bare, "git", "update-ref", recordRef(1), other)
	f, err := a.FetchAll(context.Background(), a.target("origin"))
	a.must(err)
	if len(f.Changed) != 1 {
		t.Errorf("%+v", f)
	}
	a.pushed(1)
	run(t, bare, "git", "merge-base", "--is-ancestor", other, recordRef(1))
	run(t, bare, "git", "merge-base", "--is-ancestor", second, recordRef(1))
}

// TestARefThatHoldsNoRecord: it is told, and keeps nothing else from coming.
func TestARefThatHoldsNoRecord(t *testing.T) {
	bare := newRemote(t)
	a := newPlace(t, bare)
	for n := 1; n <= 3; n++ {
		a.record(recordRef(n), map[string]string{"metadata.json": "{}"})
	}
	a.pushed(3)
	ours := a.local(recordRef(1))
	b := clone(t, bare)
	for n := 1; n <= 2; n++ {
		run(t, bare, "git", "update-ref", recordRef(n), ours+"^{tree}")
	}
	for name, p := range map[string]*place{"that has it": a, "that is new": b} {
		f, err := p.FetchAll(t.Context(), p.target("origin"))
		if err != nil || len(f.Kept) != 2 || !strings.Contains(f.Kept[0].Reason, "no record") {
			t.Errorf("a clone %s: %+v %v", name, f, err)
		}
	}
	if a.local(recordRef(1)) != ours || b.local(recordRef(2)) != "" || b.local(recordRef(3)) == "" {
		t.Error("refs moved")
	}
}

// TestWhatIsHereIsNotBroughtAgain: one new record among many costs its own objects.
func TestWhatIsHereIsNotBroughtAgain(t *testing.T) {
	bare := newRemote(t)
	a := newPlace(t, bare)
	for n := 1; n <= 3; n++ {
		a.record(recordRef(n), map[string]string{"metadata.json": "{}", "prompt.txt": strings.Repeat("x", n)})
	}
	a.pushed(3)
	b := clone(t, bare, "--no-local")
	b.tree.Git("config", "fetch.unpackLimit", "1") // whatever comes is a pack, and can be counted
	_, err := b.FetchAll(t.Context(), b.target("origin"))
	b.must(err)
	packed := func() string {
		_, rest, _ := strings.Cut(b.tree.Git("count-objects", "-v"), "in-pack: ")
		count, _, _ := strings.Cut(rest, "\n")
		return count
	}
	before := packed()
	a.record(recordRef(4), map[string]string{"metadata.json": "{}", "prompt.txt": "new"})
	a.pushed(1)
	f, err := b.FetchAll(t.Context(), b.target("origin"))
	b.must(err)
	if now := packed(); len(f.New) != 1 || before != "13" || now != "17" { // its commit, its folder, its two files
		t.Errorf("fetched %v: %s objects became %s", f.New, before, now)
	}
}
