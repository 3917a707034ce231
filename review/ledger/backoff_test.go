package ledger_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"overturn/gitops/objects"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/review/ledger"
)

// countedCapture comes to an end by itself only while it is mended.
type countedCapture struct {
	ledger.Snapshots
	tries  *int
	mended *bool
}

func (c countedCapture) Capture(ctx context.Context, w *objects.Writer) (*snapshot.Snapshot, error) {
	*c.tries++
	if *c.mended {
		return c.Snapshots.Capture(ctx, w)
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestBackOff: of ten turns whose captures cannot succeed, all by hooks, two events
// pay for it; the others say why nothing was captured.
func TestBackOff(t *testing.T) {
	b := newBench(t)
	b.start(th, "0")
	b.end(th, "0")
	tries, mended, now := 0, false, time.Now()
	bare := onRepo(t, b.Repo, func(d *ledger.Deps) {
		d.Snapshots, d.Clock = countedCapture{d.Snapshots, &tries, &mended}, func() time.Time { return now }
	})
	within := func(d time.Duration) context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), d)
		t.Cleanup(cancel)
		return ctx
	}
	const short = 200 * time.Millisecond
	one := func(id string) model.Turn {
		t.Helper()
		now = now.Add(time.Second)
		turn, err := bare.l.Start(within(short), ledger.StartEvent{Thread: th, TurnID: id, ByHook: true, At: now})
		if err != nil {
			t.Fatal(err)
		}
		b.Write("a.txt", id+"\n")
		if err := bare.l.Tool(within(short), ledger.ToolEvent{Thread: th, TurnID: id, Phase: ledger.PhasePre, Tool: "Edit"}); err != nil {
			t.Fatal(err)
		}
		return turn
	}
	for i := range 10 {
		turn := one(fmt.Sprint(i + 1))
		want(t, "status", turn.Status, model.StatusError)
		if i > 0 && !strings.Contains(turn.StatusReason, "not tried: 2 captures in a row failed (context deadline exceeded)") {
			t.Errorf("turn %d: %s", turn.Number, turn.StatusReason)
		}
	}
	want(t, "tries of ten turns", tries, 2)
	if err := bare.l.CaptureTrouble(); err == nil || !strings.Contains(err.Error(), "2 captures in a row failed") {
		t.Errorf("trouble: %v", err)
	}

	now = now.Add(6 * time.Minute) // it is tried again, and the next pause is longer
	one("later")
	want(t, "tries after the pause", tries, 3)
	now = now.Add(6 * time.Minute)
	one("too soon")
	want(t, "tries in the second pause", tries, 3)
	b.Write(".gitignore", "large\n") // the user mends the cause, as he thinks
	one("changed cause")
	want(t, "tries with another cause", tries, 4)

	mended = true
	one("still waits")
	want(t, "tries while it waits", tries, 4)
	if turn, err := bare.l.Start(t.Context(), ledger.StartEvent{Thread: th, TurnID: "by hand", At: now}); err != nil || turn.Status != model.StatusReady {
		t.Errorf("by hand: %+v %v", turn, err)
	}
	if err := bare.l.CaptureTrouble(); err != nil {
		t.Errorf("after a success: %v", err)
	}
	want(t, "status after a success", one("again").Status, model.StatusReady)
}

// TestBackOffOfLittleTime: captures that failed for want of time say nothing of one
// that has much more of it.
func TestBackOffOfLittleTime(t *testing.T) {
	b := newBench(t)
	tries, mended := 0, false
	bare := onRepo(t, b.Repo, func(d *ledger.Deps) { d.Snapshots = countedCapture{d.Snapshots, &tries, &mended} })
	start := func(id string, limit time.Duration) model.SnapshotStatus {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		turn, err := bare.l.Start(ctx, ledger.StartEvent{Thread: th, TurnID: id, ByHook: true})
		if err != nil {
			t.Fatal(err)
		}
		return turn.Status
	}
	for i := range 4 {
		want(t, "little time", start(fmt.Sprint(i), 200*time.Millisecond), model.StatusError)
	}
	want(t, "tries", tries, 2)
	mended = true
	want(t, "much time", start("much", time.Minute), model.StatusReady)
	want(t, "little time, after a success", start("little", 10*time.Second), model.StatusReady)
}
