//go:build linux || darwin

package rollback_test

import "testing"

// TestInterruptedCounts: how far a rollback came is read from the disk. What was
// swapped and not marked yet counts; what an unwind put back does not.
func TestInterruptedCounts(t *testing.T) {
	s := newScene(t)
	counts := func(w *world, point string) int {
		t.Helper()
		i, err := w.engine.Interrupted(t.Context())
		if err != nil || i == nil {
			t.Fatalf("%s: %+v, %v", point, i, err)
		}
		return i.Done
	}
	for point, want := range map[string]int{"rollback.prepared": 0, "rollback.beside": 0, "rollback.swapped": 1, "rollback.swapped:5": 5, "rollback.marked:3": 3} {
		w := s.copy(t)
		if !w.killed(crashJob{Verb: "rollback", Expect: s.fingerprint}, point) {
			t.Fatalf("not killed at %s", point)
		}
		if n := counts(w, point); n != want {
			t.Errorf("%s: %d were replaced, not %d", point, n, want)
		}
	}
	w := s.copy(t)
	if !w.killed(crashJob{Verb: "rollback", Expect: s.fingerprint}, "rollback.applied") || !w.killed(crashJob{Verb: "recover", Way: "unwind"}, "recover.swapped") {
		t.Fatal("not killed")
	}
	if n := counts(w, "recover.swapped"); n != 0 {
		t.Errorf("%d count as replaced after they were put back", n)
	}
}
