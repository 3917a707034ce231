package ledger_test

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/storetest"
	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/model/settings"
	"overturn/model/trace"
	"overturn/review/ledger"
)

// on opens a ledger whose records are on the given backend.
func on(t testing.TB, r *gittest.Repo, primary string) *bench {
	var records *checkpoint.Topology
	b := onRepo(t, r, func(d *ledger.Deps) {
		var err error
		records, err = storetest.Topology(settings.Checkpoints{Primary: primary},
			checkpoint.Context{Repo: d.Repo, Objects: d.Objects, Refs: d.Refs, Clock: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		d.Records = records
	})
	b.records = records
	return b
}

// TestRecordsOfSeveralWorkTrees end at the same moment: they share the branch, and each
// turn has its snapshot and its record.
func TestRecordsOfSeveralWorkTrees(t *testing.T) {
	first := newBench(t)
	benches := []*bench{on(t, first.Repo, checkpoint.TypeBranch)}
	for _, name := range []string{"b", "c", "d"} {
		benches = append(benches, on(t, first.Worktree(name), checkpoint.TypeBranch))
	}
	const rounds = 3
	var group sync.WaitGroup
	for i, b := range benches {
		thread := model.ThreadID("thread of " + string(rune('a'+i)))
		group.Go(func() {
			for range rounds {
				_, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: thread})
				if err == nil {
					b.Write("a.txt", string(thread)+time.Now().String())
					_, err = b.l.End(t.Context(), ledger.EndEvent{Thread: thread})
				}
				if err == nil {
					err = b.l.Settle(t.Context()) // a record that lost its race for a second waits
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for i, b := range benches {
		turns, err := b.l.Turns(t.Context(), model.ThreadID("thread of "+string(rune('a'+i))), 0)
		if err != nil || len(turns) != rounds {
			t.Fatalf("%d turns, %v", len(turns), err)
		}
		for _, turn := range turns {
			rec, err := b.records.Read(t.Context(), turn.Checkpoint)
			if turn.Status != model.StatusReady || err != nil || rec.Turn.End.Commit != turn.End.Commit {
				t.Errorf("turn %d of %s: %s, record %v", turn.Number, turn.Thread, turn.Status, err)
			}
		}
	}
}

// TestARecordThatCannotBeWritten never costs the turn its snapshot: whatever keeps the
// branch from moving, the record waits, says why, and is written when that is over.
func TestARecordThatCannotBeWritten(t *testing.T) {
	for name, hold := range map[string]func(b *bench) (release func()){
		"the branch is checked out": func(b *bench) func() {
			dir := t.TempDir() + "/other"
			b.Git("worktree", "add", "-q", dir, "overturn/checkpoints/v1")
			return func() { b.Git("worktree", "remove", dir) }
		},
		"the branch holds something else": func(b *bench) func() {
			tip := b.Git("rev-parse", checkpoint.BranchRef)
			b.Git("update-ref", checkpoint.BranchRef, "HEAD")
			return func() { b.Git("update-ref", checkpoint.BranchRef, tip) }
		},
		"another holds its lock": func(b *bench) func() {
			file := b.repo.CommonDir + "/" + checkpoint.BranchRef + ".lock"
			f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL, 0o644)
			if err = errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
			return func() { _ = os.Remove(file) }
		},
		"the policy forbids it": func(b *bench) func() {
			c := checkpoint.Context{Repo: b.repo, Objects: b.objects, Refs: b.refs, Clock: time.Now}
			if err := checkpoint.WritePolicy(t.Context(), c, checkpoint.Policy{MinVersion: "refs-v9"}); err != nil {
				t.Fatal(err)
			}
			return func() { b.Git("update-ref", "-d", checkpoint.PolicyRef) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := on(t, newBench(t).Repo, checkpoint.TypeBranch)
			b.start(th, "1")
			b.end(th, "1")
			release := hold(b)
			b.start(th, "2")
			b.Write("a.txt", "2\n")
			done := b.end(th, "2")
			want(t, "status", done.Status, model.StatusReady)
			if b.ref(th, "turn/2") == "" {
				t.Error("no snapshot was published")
			}
			backlog, err := b.l.Backlog()
			if err != nil || len(backlog.Records) != 1 || backlog.Why == "" {
				t.Errorf("waiting: %+v, %v", backlog, err)
			}
			if n := b.trace.count(trace.CheckpointCreate); n != 2 || !b.trace.failed() {
				t.Errorf("%d events, failed told: %t", n, b.trace.failed())
			}
			release()
			if err := b.l.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			rec, err := b.records.Read(t.Context(), b.turn(th, 2).Checkpoint)
			if err != nil || rec.Turn.End == nil || len(rec.Changes) == 0 {
				t.Errorf("record: %v, %v", rec, err)
			}
			if backlog, err := b.l.Backlog(); err != nil || len(backlog.Records) > 0 {
				t.Errorf("still waiting: %+v, %v", backlog, err)
			}
		})
	}
}

// failed tells whether a record was said to have failed, with its reason.
func (e *events) failed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, ev := range e.list {
		if ev.Event == trace.CheckpointCreate && ev.Outcome == "failed" && strings.TrimSpace(ev.Reason) != "" && ev.After == "" {
			return true
		}
	}
	return false
}

// TestTheBackendChangesWithinATurn: the record goes to the one that is named when it is
// written, under an id of its kind, and the turn and its snapshot say the same.
func TestTheBackendChangesWithinATurn(t *testing.T) {
	for _, way := range [][2]string{{checkpoint.TypeRefs, checkpoint.TypeBranch}, {checkpoint.TypeBranch, checkpoint.TypeRefs}} {
		r := newBench(t).Repo
		before := on(t, r, way[0])
		before.start(th, "1")
		before.Write("a.txt", "1\n")
		after := on(t, r, way[1])
		done := after.end(th, "1")
		rec, err := after.records.Read(t.Context(), done.Checkpoint)
		if err != nil || rec.Backend != way[1] || !checkpoint.Makes(way[1], done.Checkpoint) {
			t.Fatalf("%v: %v, %v", way, rec, err)
		}
		if said := r.Git("log", "-1", "--format=%(trailers:key=Overturn-Checkpoint,valueonly)", done.End.Ref); strings.TrimSpace(said) != string(done.Checkpoint) {
			t.Errorf("%v: the snapshot says %q, the turn %q", way, said, done.Checkpoint)
		}
		// A turn that ended on one backend goes on under another: its record stays where it is.
		after.Write("a.txt", "more\n")
		if err := func() error {
			_, err := on(t, r, way[0]).l.End(t.Context(), ledger.EndEvent{Thread: th, TurnID: "1", ByHook: true})
			return err
		}(); err != nil {
			t.Fatal(err)
		}
		again := after.turn(th, 1)
		rec, err = after.records.Read(t.Context(), again.Checkpoint)
		if err != nil || again.Checkpoint != done.Checkpoint || rec.Turn.End.Commit != again.End.Commit || rec.Turn.End.Commit == done.End.Commit {
			t.Errorf("%v: went on as %s, record %v, %v", way, again.Checkpoint, rec, err)
		}
	}
}
