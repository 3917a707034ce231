//go:build linux || darwin

package rollback_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/model/durable"
	"overturn/model/trace"
	"overturn/rollback"
)

// newUnchecked is a world whose repository a test damages.
func newUnchecked(t testing.TB) *world { return newWorld(t, gittest.Unchecked()) }

// TestCancel: before the first write nothing is written, after it all is unwound.
func TestCancel(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	after := w.files()
	plan := w.stage()

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.engine.Execute(gone, rollback.ExecuteOptions{Expect: plan.Fingerprint})
	if err == nil {
		t.Fatal("carried out though cancelled")
	}
	w.same("cancelled before", w.files(), after)

	for _, at := range []int{1, 4, len(plan.Targets) - 1} {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := w.engine.Execute(ctx, rollback.ExecuteOptions{Expect: plan.Fingerprint, Progress: func(done, of int) {
			if done == at {
				cancel()
			}
		}})
		refused(t, err, model.CodeCancelled, "put back")
		if r == nil || r.Outcome != model.OutcomeCancelled {
			t.Errorf("result: %+v", r)
		}
		w.same("cancelled", w.files(), after)
		w.settled()
	}
	w.done(w.stage())
}

// TestSaveDuringTheRollbackUnwindsAll: another program saves a target between two
// swaps; that save stands, the rest is as before.
func TestSaveDuringTheRollbackUnwindsAll(t *testing.T) {
	for _, partial := range []bool{false, true} {
		w := newWorld(t)
		everyKind(w)
		before := w.files()
		w.turn(func() { changeEveryKind(w) })
		after := w.files()
		plan := w.stage()
		r, err := w.engine.Execute(t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint, Partial: partial, Progress: func(done, of int) {
			if done == 1 {
				w.Write("untracked", "saved meanwhile\n")
			}
		}})
		want := after
		if partial {
			w.must(err)
			want = before
			if r.Outcome != model.OutcomePartial || len(r.Skipped) != 1 || r.Skipped[0].Path != "untracked" {
				t.Errorf("partial: %s %v", r.Outcome, r.Skipped)
			}
		} else {
			refused(t, err, model.CodeStale, "untracked", "put back")
			if r.Outcome != model.OutcomeStale {
				t.Errorf("outcome %s", r.Outcome)
			}
		}
		want["untracked"] = "-rw-r--r-- saved meanwhile\n"
		w.same("saved meanwhile", w.files(), want)
		w.settled()
	}
}

// TestWriterThatHeldTheFileOpen: its save went into the displaced file.
func TestWriterThatHeldTheFileOpen(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	after := w.files()
	handle, err := os.OpenFile(w.Path("edit"), os.O_WRONLY|os.O_APPEND, 0)
	w.must(err)
	defer handle.Close()
	plan := w.stage()
	_, err = w.engine.Execute(t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint, Progress: func(done, of int) {
		if done == of {
			_, err := handle.WriteString("and on\n")
			w.must(err)
		}
	}})
	refused(t, err, model.CodeStale, "edit")
	after["edit"] = "-rw-r--r-- one\nTWO\nthree\nand on\n"
	w.same("held open", w.files(), after)
}

func TestIndexLockIsSeenBeforeTheFirstWrite(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() {
		w.Write("edit", "one\nTWO\nthree\n")
		w.Git("add", "edit")
	})
	plan := w.stage("edit")
	before := w.files()
	lock := filepath.Join(w.GitDir(), "index.lock")
	w.must(os.WriteFile(lock, nil, 0o600))
	_, err := w.execute(plan)
	refused(t, err, model.CodeFailed, "index", lock)
	w.same("index locked", w.files(), before)
	w.must(os.Remove(lock))
	w.done(plan)
}

// TestStagedEntryOfTheTurnGoesBack and every other one stays, stage bits and all.
func TestStagedEntryOfTheTurnGoesBack(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.Write("user", "staged by the user\n")
	w.Git("add", "user")
	w.Git("update-index", "--assume-unchanged", "script")
	index := w.Git("ls-files", "-s", "-v")
	w.turn(func() {
		w.Write("edit", "one\nTWO\nthree\n")
		w.Write("fresh", "new\n")
		w.Git("add", "edit", "fresh")
	})
	staged := w.Git("ls-files", "-s", "-v")
	w.done(w.stage())
	if now := w.Git("ls-files", "-s", "-v"); now != index {
		t.Errorf("index after rollback:\n%s\nwant\n%s", now, index)
	}
	_, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	if now := w.Git("ls-files", "-s", "-v"); now != staged {
		t.Errorf("index after undo:\n%s\nwant\n%s", now, staged)
	}
}

func TestLockIsNamed(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	plan := w.stage("edit")
	lock, err := durable.TryAcquire(filepath.Join(w.repo.StateDir(), "rollback.lock"), "rollback")
	w.must(err)
	started := time.Now()
	_, err = w.execute(plan)
	refused(t, err, model.CodeLocked)
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("waited %s", took)
	}
	if i, err := w.engine.Interrupted(t.Context()); err != nil || i != nil {
		t.Errorf("a rollback under way counts as interrupted: %v, %v", i, err)
	}
	w.must(lock.Unlock())
	w.done(plan)
}

func TestTraceTellsTheStepsApart(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	w.done(w.stage("edit"))
	_, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	events, err := trace.Read(w.trace)
	w.must(err)
	var names []trace.Name
	for _, e := range events {
		switch e.Event {
		case trace.RollbackConfirmed, trace.RollbackStarted, trace.CheckpointRollback, trace.RollbackVerified, trace.RollbackUndone:
			names = append(names, e.Event)
		}
	}
	want := []trace.Name{
		trace.RollbackConfirmed, trace.RollbackStarted, trace.CheckpointRollback, trace.RollbackVerified,
		trace.RollbackConfirmed, trace.RollbackStarted, trace.CheckpointRollback, trace.RollbackVerified, trace.RollbackUndone,
	}
	if !slices.Equal(names, want) {
		t.Errorf("events: %v, want %v", names, want)
	}
}
