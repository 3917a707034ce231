package rollback_test

import (
	"path/filepath"
	"sync"
	"testing"

	"overturn/model"
	"overturn/model/durable"
)

// TestStageTogether: several programs that stage at the same time lose nothing of
// one another's.
func TestStageTogether(t *testing.T) {
	w := newStaging(t)
	w.Write("f", lines(90))
	w.Commit("first")
	w.turn("t", func() { w.Write("f", lines(90, "10=a", "30=b", "50=c", "70=d")) })
	var wait sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		other := openStaging(t, w.Repo)
		r := other.request("1", "f")
		r.Hunks = []int{i + 1}
		wait.Add(1)
		go func() {
			defer wait.Done()
			_, errs[i] = other.engine.Stage(t.Context(), r)
		}()
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			t.Errorf("hunk %d: %v", i+1, err)
		}
	}
	now, _ := w.plan()
	w.want(now, "clean write f [1 2 3 4]")
	w.after("f", lines(90), "100644")
}

// TestStageLocked: a lock that does not come free is told, and nothing is staged.
func TestStageLocked(t *testing.T) {
	w := newStaging(t)
	w.Write("f", "1\n")
	w.Commit("first")
	w.turn("t", func() { w.Write("f", "2\n") })
	lock, err := durable.TryAcquire(filepath.Join(w.repo.StateDir(), "staged.lock"), "a test")
	w.must(err)
	_, err = w.engine.Stage(t.Context(), w.request("1", "f"))
	if model.CodeOf(err) != model.CodeLocked {
		t.Error(err)
	}
	w.must(lock.Unlock())
	if list, err := w.engine.Staged(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
	w.want(w.stage("1", "f"), "clean write f")
}
