//go:build linux || darwin

package doctor_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/storetest"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/remotes/queue"
	"overturn/gitops/snapshot"
	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/durable"
	"overturn/model/trace"
	"overturn/review"
	"overturn/review/ledger"
	"overturn/rollback"
	"overturn/rollback/doctor"
)

// patient is a repository with one recorded turn.
type patient struct {
	*gittest.Repo
	t    testing.TB
	deps doctor.Deps
}

func newPatient(t testing.TB, recordedAt model.Clock) *patient {
	t.Helper()
	p := &patient{Repo: gittest.New(t), t: t}
	p.Write("file", "one\n")
	p.Commit("base")
	repo := p.Open()
	tree, err := worktree.Open(repo.Root)
	p.must(err)
	objs, store := objects.Open(repo), refs.New(repo)
	t.Cleanup(func() { objs.Close(); tree.Close() })
	p.must(repo.EnsureStateDir())
	ids := model.NewIDSource(time.Now, rand.Reader)
	snaps := snapshot.New(repo, objs, store, snapshot.Options{Clock: time.Now})
	records, err := storetest.Topology(storetest.Primary(), checkpoint.Context{Repo: repo, Objects: objs, Refs: store, Clock: time.Now})
	p.must(err)
	l := ledger.New(ledger.Deps{Repo: repo, Objects: objs, Refs: store, Snapshots: snaps, Records: records, Clock: recordedAt, IDs: ids})
	reviews := review.New(review.Deps{Repo: repo, Objects: objs, Refs: store, Snapshots: snaps, Ledger: l, Clock: time.Now})
	engine := rollback.New(rollback.Deps{Repo: repo, Objects: objs, Refs: store, Snapshots: snaps, Review: rollback.FromReview(reviews, l),
		Tree: tree, Clock: time.Now, IDs: ids, Trace: trace.Discard{}})
	p.deps = doctor.Deps{Repo: repo, Objects: objs, Refs: store, Snapshots: snaps, Ledger: l, Records: records, Queue: queue.Open(repo, store, time.Now), Rollback: engine, Clock: time.Now}
	p.turn(1)
	return p
}

// turn records a turn that changes the file.
func (p *patient) turn(n int) {
	p.t.Helper()
	_, err := p.deps.Ledger.Start(p.t.Context(), ledger.StartEvent{Thread: "T"})
	p.must(err)
	p.Write("file", strings.Repeat("more\n", n))
	_, err = p.deps.Ledger.End(p.t.Context(), ledger.EndEvent{Thread: "T"})
	p.must(err)
}

func (p *patient) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// finding is the first of a check; each check must be made.
func (p *patient) finding(check string) doctor.Finding {
	p.t.Helper()
	list := doctor.Examine(p.t.Context(), p.deps)
	i := slices.IndexFunc(list, func(f doctor.Finding) bool { return f.Check == check })
	if i < 0 {
		p.t.Fatalf("no check %q in %+v", check, list)
	}
	return list[i]
}

func (p *patient) bad(check, detail string) {
	p.t.Helper()
	if f := p.finding(check); f.OK || f.Repair == "" || !strings.Contains(f.Detail, detail) {
		p.t.Errorf("it says %+v, want %q", f, detail)
	}
}

// TestWell: all is well, and the file system was really tried out.
func TestWell(t *testing.T) {
	p := newPatient(t, time.Now)
	for _, f := range doctor.Examine(t.Context(), p.deps) {
		if !f.OK || f.Repair != "" || f.Detail == "" {
			t.Errorf("%+v", f)
		}
	}
	if f := p.finding("exchange"); !strings.Contains(f.Detail, "exchange") {
		t.Errorf("%+v", f)
	}
	if left, _ := filepath.Glob(filepath.Join(p.deps.Repo.StateDir(), "doctor-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestClocks: this machine's against the file system's, and both against what was
// recorded, in either direction; what is close enough is well.
func TestClocks(t *testing.T) {
	ahead := func(d time.Duration) model.Clock { return func() time.Time { return time.Now().Add(d) } }
	p := newPatient(t, time.Now)
	for _, d := range []time.Duration{-time.Hour, time.Hour, -3 * time.Second, 3 * time.Second} {
		p.deps.Clock = ahead(d)
		p.bad("clock", "the file system's clock is ")
	}
	for _, d := range []time.Duration{-time.Second, time.Second, 0} {
		p.deps.Clock = ahead(d)
		if f := p.finding("clock"); !f.OK {
			t.Errorf("%s: %+v", d, f)
		}
	}
	later := newPatient(t, ahead(time.Hour))
	later.bad("clock", "still to come")
}

// TestLocks: one that is held is no fault, one that is held for long is.
func TestLocks(t *testing.T) {
	p := newPatient(t, time.Now)
	lock, err := durable.TryAcquire(filepath.Join(p.deps.Repo.StateDir(), "ledger.lock"), "recording a turn")
	p.must(err)
	if f := p.finding("locks"); !f.OK || !strings.Contains(f.Detail, "ledger.lock by recording a turn (process ") {
		t.Errorf("%+v", f)
	}
	p.deps.Clock = func() time.Time { return time.Now().Add(time.Hour) }
	p.bad("locks", "ledger.lock is held for 1h0m")
	p.must(lock.Unlock())
	if f := p.finding("locks"); !f.OK || f.Detail != "none is held" {
		t.Errorf("%+v", f)
	}
}

// TestRollbackUnderWay is no rollback that was cut short.
func TestRollbackUnderWay(t *testing.T) {
	p := newPatient(t, time.Now)
	dir := filepath.Join(p.deps.Repo.StateDir(), "journal")
	p.must(os.MkdirAll(dir, 0o700))
	p.must(os.WriteFile(filepath.Join(dir, "01arz3ndektsv4rrffq69g5fav.jsonl"),
		[]byte(`{"v":1,"type":"prepared","prepared":{"id":"01arz3ndektsv4rrffq69g5fav","kind":"rollback","safety":"refs/overturn/safety/01arz3ndektsv4rrffq69g5fav"}}`+"\n"), 0o600))
	lock, err := durable.TryAcquire(filepath.Join(p.deps.Repo.StateDir(), "rollback.lock"), "rollback")
	p.must(err)
	if f := p.finding("interrupted-rollback"); !f.OK || !strings.Contains(f.Detail, "under way") {
		t.Errorf("%+v", f)
	}
	p.must(lock.Unlock())
	p.bad("interrupted-rollback", "was cut short at 0 of 0 paths")
}

// TestOldProbeGoes: what an examination that was killed left is removed, what another
// one is at work in is not.
func TestOldProbeGoes(t *testing.T) {
	p := newPatient(t, time.Now)
	old, young := filepath.Join(p.deps.Repo.StateDir(), "doctor-1"), filepath.Join(p.deps.Repo.StateDir(), "doctor-2")
	for _, dir := range []string{old, young} {
		p.must(os.MkdirAll(filepath.Join(dir, "x"), 0o700))
	}
	before := time.Now().Add(-2 * time.Hour)
	p.must(os.Chtimes(old, before, before))
	p.finding("exchange")
	if _, err := os.Lstat(old); err == nil {
		t.Error("the old one is there")
	}
	if _, err := os.Lstat(young); err != nil {
		t.Error("the young one is gone")
	}
}

func TestCancelled(t *testing.T) {
	p := newPatient(t, time.Now)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if list := doctor.Examine(ctx, p.deps); len(list) > 0 {
		t.Errorf("checks were made: %+v", list)
	}
}

// TestPacksOfAKilledRollUp: what git packs is read-only, and is swept by the next one.
func TestPacksOfAKilledRollUp(t *testing.T) {
	p := newPatient(t, time.Now)
	p.put("rollup/pack/tmp_pack_x", "PACK")
	p.must(os.Chmod(p.state("rollup/pack/tmp_pack_x"), 0o444))
	if f := p.finding("state-folder"); !f.OK {
		t.Errorf("%+v", f)
	}
}

// TestDisplacedFilesOfAnyMode: a file that a rollback took out of the work tree keeps
// its mode. That nobody may write to it is no ailment, and the repair of one would
// make it look as if somebody had written to it.
func TestDisplacedFilesOfAnyMode(t *testing.T) {
	p := newPatient(t, time.Now)
	p.must(os.Chmod(filepath.Join(p.deps.Repo.Root, "file"), 0o444))
	p.rolled(true)
	kept, err := filepath.Glob(p.state("kept/*/*"))
	p.must(err)
	if len(kept) != 1 {
		t.Fatalf("kept: %q", kept)
	}
	if f := p.finding("state-folder"); !f.OK {
		t.Errorf("%+v", f)
	}
}
