//go:build linux || darwin

package rollback_test

import (
	"os"
	"path/filepath"
	"testing"

	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback"
)

// twoFiles is a world in which the latest turn changed a and b.
func twoFiles(t *testing.T) *world {
	w := newWorld(t)
	w.Write("a", "a\n")
	w.Write("b", "b\n")
	w.Commit("base")
	w.turn(func() { w.Write("a", "A\n"); w.Write("b", "B\n") })
	return w
}

func (w *world) stagedPaths() (paths []model.Path) {
	w.t.Helper()
	list, err := w.engine.Staged(w.t.Context())
	w.must(err)
	for _, s := range list {
		paths = append(paths, s.Path)
	}
	return paths
}

// TestWhatIsStagedDuringARollbackStaysStaged: the set that was confirmed is gone
// afterwards, and what somebody chose meanwhile is not.
func TestWhatIsStagedDuringARollbackStaysStaged(t *testing.T) {
	w := twoFiles(t)
	plan := w.stage("a")
	w.tick = func() {
		w.tick = nil
		w.stage("b")
	}
	w.done(plan)
	if staged := w.stagedPaths(); len(staged) != 1 || staged[0] != "b" {
		t.Errorf("staged are %q, want b alone", staged)
	}
	w.done(w.stage())
	if staged := w.stagedPaths(); len(staged) > 0 {
		t.Errorf("staged are %q afterwards", staged)
	}
}

// TestWhatIsStagedBehindACrashOutlivesTheRecovery: staging goes on while an interrupted
// rollback waits to be settled.
func TestWhatIsStagedBehindACrashOutlivesTheRecovery(t *testing.T) {
	for _, more := range []bool{false, true} {
		s := newScene(t)
		w := s.copy(t)
		if !w.killed(crashJob{Verb: "rollback", Expect: s.fingerprint}, "rollback.marked:2") {
			t.Fatal("not killed")
		}
		was := w.stagedPaths()
		if more {
			w.must(os.WriteFile(w.Path("later"), []byte("later\n"), 0o644))
			_, err := w.engine.Stage(t.Context(), rollback.StageRequest{Scope: model.Scope{Kind: model.ScopeWorking}, Paths: []rollback.PathArg{{Path: "later"}}})
			w.must(err)
		}
		_, err := w.engine.Recover(t.Context(), "", "finish")
		w.must(err)
		staged := w.stagedPaths()
		if !more && len(staged) > 0 || more && (len(staged) != 1 || staged[0] != "later") {
			t.Errorf("more %v: of %q are staged afterwards: %q", more, was, staged)
		}
	}
}

// TestARollbackThatIsDoneIsNotSaidToHaveWrittenNothing: only the staged set could not be
// emptied.
func TestARollbackThatIsDoneIsNotSaidToHaveWrittenNothing(t *testing.T) {
	w := twoFiles(t)
	plan := w.stage("a")
	var lock *durable.Lock
	w.tick = func() {
		w.tick = nil
		var err error
		lock, err = durable.TryAcquire(filepath.Join(w.repo.StateDir(), "staged.lock"), "stage")
		w.must(err)
	}
	r, err := w.execute(plan)
	w.must(lock.Unlock())
	if r == nil || r.Outcome != model.OutcomeComplete {
		t.Fatalf("%+v, %v", r, err)
	}
	refused(t, err, model.CodePartial, "the rollback is done", "staged")
}

// TestARollbackThatIsNotSettledIsDoneInPart: its targets stand as planned by then, and
// nobody is to be told that nothing was written.
func TestARollbackThatIsNotSettledIsDoneInPart(t *testing.T) {
	w := twoFiles(t)
	plan := w.stage("a")
	kept := filepath.Join(w.repo.StateDir(), "kept")
	w.tick = func() {
		w.tick = nil
		w.must(os.WriteFile(kept, nil, 0o600))
	}
	_, err := w.execute(plan)
	refused(t, err, model.CodePartial, "carried out but not settled")
	if a := w.files()["a"]; a != "-rw-r--r-- a\n" {
		t.Errorf("a is %q", a)
	}
	w.must(os.Remove(kept))
	r, err := w.engine.Recover(t.Context(), "", "finish")
	w.must(err)
	if r.Outcome != model.OutcomeComplete {
		t.Errorf("settled: %+v", r)
	}
	w.settled()
}
