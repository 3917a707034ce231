package ledger_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops/objects"
	"overturn/gitops/snapshot"
	"overturn/review/ledger"
)

// busy is an engine during whose capture something happens.
type busy struct {
	ledger.Snapshots
	during func()
}

func (s *busy) Capture(ctx context.Context, w *objects.Writer) (*snapshot.Snapshot, error) {
	snap, err := s.Snapshots.Capture(ctx, w)
	if s.during != nil {
		s.during()
	}
	return snap, err
}

// TestAbandon: a process that has to end while it records leaves the event, once,
// and publishes nothing; whoever comes next works it off, at its own time.
func TestAbandon(t *testing.T) {
	var engine *busy
	b := onRepo(t, newBench(t).Repo, func(d *ledger.Deps) {
		engine = &busy{Snapshots: d.Snapshots}
		d.Snapshots = engine
	})
	inbox := func(n int) {
		t.Helper()
		names, err := filepath.Glob(filepath.Join(b.repo.StateDir(), "inbox", "*.json"))
		if err != nil || len(names) != n {
			t.Errorf("the inbox holds %q, %v", names, err)
		}
	}
	abandon := func() {
		t.Helper()
		if err := b.l.Abandon(); err != nil {
			t.Error(err)
		}
	}
	abandon() // nothing is under way
	inbox(0)
	b.start(th, "x")
	b.Write("a.txt", "agent\n")
	refs := b.Git("for-each-ref")
	engine.during = func() { abandon(); abandon() }
	at := time.Now().Add(-time.Minute).UTC()
	if _, err := b.l.End(t.Context(), ledger.EndEvent{Thread: th, TurnID: "x", ByHook: true, At: at}); !errors.Is(err, ledger.ErrDeferred) {
		t.Fatalf("end: %v", err)
	}
	inbox(1)
	want(t, "turns", b.states(th), "open/ready")
	want(t, "refs", b.Git("for-each-ref"), refs)
	engine.during = nil
	if err := b.l.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	inbox(0)
	want(t, "turns", b.states(th), "completed/ready")
	turn := b.turn(th, 1)
	if !turn.CompletedAt.Equal(at) || len(turn.Files) != 1 || !strings.HasPrefix(turn.StatusReason, "captured 1m0s after the end; what was changed in between") {
		t.Errorf("turn 1: %+v", turn)
	}

	// A start is noted before its snapshot is stored; what was left is late.
	engine.during = abandon
	if _, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: th, TurnID: "y", ByHook: true}); !errors.Is(err, ledger.ErrDeferred) {
		t.Fatalf("start: %v", err)
	}
	inbox(1)
	engine.during = nil
	want(t, "turns", b.states(th), "completed/ready")
	if err := b.l.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, "turns", b.states(th), "completed/ready open/missing")

	// By hand nobody is waited for, and what was published is not left.
	engine.during = abandon
	want(t, "by hand", b.end(th, "y").State, "completed")
	abandon()
	inbox(0)
}

// TestLateEndInTime: an end that was worked off later, with nothing changed since it
// came, is as good as one in time, and says nothing.
func TestLateEndInTime(t *testing.T) {
	b := onRepo(t, newBench(t).Repo, impatient)
	b.start(th, "x")
	b.Write("a.txt", "agent\n")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for waited := time.Now().Add(30 * time.Millisecond); time.Now().Before(waited); { // the file's stamp is coarse
		_, err := os.Lstat(b.Path("a.txt"))
		must(err)
	}
	release := b.hold()
	_, err := b.l.End(t.Context(), ledger.EndEvent{Thread: th, TurnID: "x", ByHook: true})
	if !errors.Is(err, ledger.ErrDeferred) {
		t.Fatal(err)
	}
	release()
	must(b.l.Settle(t.Context()))
	if turn := b.turn(th, 1); turn.Status != "ready" || turn.StatusReason != "" || len(turn.Files) != 1 {
		t.Errorf("turn 1: %+v", turn)
	}
}
