//go:build linux || darwin

package rollback_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model"
	"overturn/rollback"
)

// waits stages a turn's change of a file and keeps it until the next turn has ended.
func waits(t *testing.T) (*world, *model.Plan) {
	t.Helper()
	w := newWorld(t)
	w.Write("f", "one\n")
	w.Write("g", "one\n")
	w.Commit("first")
	w.turn(func() { w.Write("f", "agent\n"); w.Write("g", "agent\n") })
	plan := w.stage("f")
	kept, err := w.engine.Wait(t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint}, []rollback.WaitedTurn{{Thread: "t1", Agent: "generic", Turn: 2}})
	w.must(err)
	found, err := w.engine.Waiting()
	w.must(err)
	if found == nil || found.Fingerprint != plan.Fingerprint || len(found.Paths) != 1 || found.Turns[0].Turn != 2 || !found.AskedAt.Equal(kept.AskedAt) {
		t.Fatalf("it was kept as %+v", found)
	}
	return w, plan
}

func (w *world) noneWaits() {
	w.t.Helper()
	if found, err := w.engine.Waiting(); err != nil || found != nil {
		w.t.Errorf("%+v waits still (%v)", found, err)
	}
}

func (w *world) reads(path, want string) {
	w.t.Helper()
	data, err := os.ReadFile(w.Path(path))
	w.must(err)
	if string(data) != want {
		w.t.Errorf("%s holds %q, want %q", path, data, want)
	}
}

func TestWhatWaitsIsCarriedOut(t *testing.T) {
	w, plan := waits(t)
	w.reads("f", "agent\n")
	r, err := w.engine.ExecuteWaiting(t.Context(), nil)
	w.must(err)
	if r.Outcome != model.OutcomeComplete || r.Fingerprint != plan.Fingerprint {
		t.Errorf("result %+v", r)
	}
	w.reads("f", "one\n")
	w.noneWaits()
	if r, err := w.engine.ExecuteWaiting(t.Context(), nil); r != nil || err != nil {
		t.Errorf("it was carried out again: %+v %v", r, err)
	}
}

// What changed while it waited is not overwritten; it is dropped, what is staged stays.
func TestWhatWaitsGoesStale(t *testing.T) {
	w, _ := waits(t)
	w.Write("f", "agent, again\n")
	if _, err := w.engine.ExecuteWaiting(t.Context(), nil); model.CodeOf(err) != model.CodeStale {
		t.Errorf("not stale: %v", err)
	}
	w.reads("f", "agent, again\n")
	w.noneWaits()
	if staged, err := w.engine.Staged(t.Context()); err != nil || len(staged) != 1 {
		t.Errorf("staged: %v %v", staged, err)
	}
}

// Any other choice makes it void, even one that ends with the same paths.
func TestStagingMakesVoid(t *testing.T) {
	w, _ := waits(t)
	w.stage("g")
	w.noneWaits()
	w, plan := waits(t)
	if _, err := w.engine.Unstage(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	w.noneWaits()
	if again := w.stage("f"); again.Fingerprint != plan.Fingerprint {
		t.Fatal("the plan is another one")
	}
	w.noneWaits()
	if r, err := w.engine.ExecuteWaiting(t.Context(), nil); r != nil || err != nil {
		t.Errorf("it was carried out: %+v %v", r, err)
	}
	w.reads("f", "agent\n")
}

func TestWhatIsKeptToWait(t *testing.T) {
	w, plan := waits(t)
	w.must(w.engine.Forget())
	w.must(w.engine.Forget())
	w.noneWaits()
	w.Write("f", "agent, again\n")
	if _, err := w.engine.Wait(t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint}, nil); model.CodeOf(err) != model.CodeStale {
		t.Errorf("stale: %v", err)
	}
	now, _, err := w.engine.Plan(t.Context())
	w.must(err)
	if _, err := w.engine.Wait(t.Context(), rollback.ExecuteOptions{Expect: now.Fingerprint}, nil); model.CodeOf(err) != model.CodeRefused {
		t.Errorf("a conflict: %v", err)
	}
	w.noneWaits()
	w.must(os.WriteFile(filepath.Join(w.repo.StateDir(), "waiting.json"), []byte("{"), 0o600))
	if _, err := w.engine.Waiting(); model.HintOf(err) == "" {
		t.Errorf("a damaged file: %v", err)
	}
}

// TestAReasonThatIsTooLongIsRefusedWhenItIsGiven: not when the turn has ended, and nobody
// looks; and one of several lines is kept as one, as a rollback's is.
func TestAReasonThatIsTooLongIsRefusedWhenItIsGiven(t *testing.T) {
	w := twoFiles(t)
	plan := w.stage("a")
	turns := []rollback.WaitedTurn{{Thread: "t1", Turn: 2}}
	_, err := w.engine.Wait(t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint, Why: strings.Repeat("x", 1001)}, turns)
	refused(t, err, model.CodeUsage, "1001 bytes")
	waits, err := w.engine.Wait(t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint, Why: " too\n much "}, turns)
	w.must(err)
	if waits.Why != "too much" {
		t.Errorf("the reason is %q", waits.Why)
	}
	r, err := w.engine.ExecuteWaiting(t.Context(), nil)
	w.must(err)
	if r == nil || r.Outcome != model.OutcomeComplete {
		t.Errorf("carried out: %+v", r)
	}
}
