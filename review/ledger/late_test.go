package ledger_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/model/durable"
	"overturn/review/ledger"
)

// hold takes the lock of the work tree as another recording would.
func (b *bench) hold() (release func()) {
	b.t.Helper()
	if err := b.repo.EnsureStateDir(); err != nil {
		b.t.Fatal(err)
	}
	lock, err := durable.Acquire(b.t.Context(), filepath.Join(b.repo.StateDir(), "ledger.lock"), "another recording")
	if err != nil {
		b.t.Fatal(err)
	}
	return func() {
		if err := lock.Unlock(); err != nil {
			b.t.Error(err)
		}
	}
}

func impatient(d *ledger.Deps) { d.LockWait = 30 * time.Millisecond }

// noCapture is an engine that cannot capture today.
type noCapture struct{ ledger.Snapshots }

func (noCapture) Capture(context.Context, *objects.Writer) (*snapshot.Snapshot, error) {
	return nil, errors.New("the disk is on fire")
}

func blind(d *ledger.Deps) { d.Snapshots = noCapture{d.Snapshots} }

func TestInbox(t *testing.T) {
	b := onRepo(t, newBench(t).Repo, impatient)
	b.start(th, "x")
	release := b.hold()
	b.Write("a.txt", "x\n")
	if _, err := b.l.End(t.Context(), ledger.EndEvent{Thread: th, TurnID: "x", State: model.TurnCancelled, ByHook: true}); !errors.Is(err, ledger.ErrDeferred) {
		t.Fatalf("end by hook: %v", err)
	}
	if _, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: "other", TurnID: "o", ByHook: true}); !errors.Is(err, ledger.ErrDeferred) {
		t.Fatalf("start by hook: %v", err)
	}
	if _, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: th, TurnID: "y"}); model.CodeOf(err) != model.CodeLocked || !strings.Contains(err.Error(), "another recording") {
		t.Errorf("start by hand: %v", err)
	}
	release()
	if err := os.WriteFile(filepath.Join(b.repo.StateDir(), "inbox", "0-torn.json"), []byte(`{"start":`), 0o600); err != nil {
		t.Fatal(err)
	}
	b.start(th, "z")
	want(t, "turns", b.states(th), "cancelled/ready open/ready")
	want(t, "a start that came too late", b.states("other"), "open/missing")
	if reason := b.turn("other", 1).StatusReason; reason == "" {
		t.Error("it gives no reason")
	}
	names, err := filepath.Glob(filepath.Join(b.repo.StateDir(), "inbox", "*.json"))
	if err != nil || len(names) != 0 {
		t.Errorf("the inbox still holds %q", names)
	}
	want(t, "its end", b.end("other", "o").Status, model.StatusMissing)
}

func TestInboxIsWorkedOffInOrderOfTime(t *testing.T) {
	b := onRepo(t, newBench(t).Repo, impatient)
	release := b.hold()
	now := time.Now()
	deferred := func(err error) {
		t.Helper()
		if !errors.Is(err, ledger.ErrDeferred) {
			t.Fatal(err)
		}
	}
	_, err := b.l.End(t.Context(), ledger.EndEvent{Thread: th, TurnID: "x", ByHook: true, At: now.Add(time.Second)})
	deferred(err)
	_, err = b.l.Start(t.Context(), ledger.StartEvent{Thread: th, TurnID: "x", ByHook: true, At: now})
	deferred(err)
	release()
	if err := b.l.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, "turns", b.states(th), "completed/missing")
	want(t, "id", b.turn(th, 1).TurnID, "x")
}

// slowCapture is an engine that never comes to an end by itself.
type slowCapture struct{ ledger.Snapshots }

func (slowCapture) Capture(ctx context.Context, _ *objects.Writer) (*snapshot.Snapshot, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestEndWithoutTime: an end by hook that cannot be captured in its time waits;
// one by hand says so.
func TestEndWithoutTime(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.Write("a.txt", "x\n")
	slow := onRepo(t, b.Repo, func(d *ledger.Deps) { d.Snapshots = slowCapture{d.Snapshots} })
	short := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 80*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	err := slow.l.SessionEnd(short(), ledger.SessionEvent{Thread: th, ByHook: true, State: model.TurnUnknown})
	if !errors.Is(err, ledger.ErrDeferred) {
		t.Fatalf("session end by hook: %v", err)
	}
	want(t, "meanwhile", b.states(th), "open/ready")
	if err := b.l.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, "settled", b.states(th), "unknown/ready")
	b.start(th, "y")
	done, err := slow.l.End(short(), ledger.EndEvent{Thread: th, TurnID: "y"})
	if err != nil || done.Status != model.StatusError {
		t.Errorf("end by hand: %+v %v", done, err)
	}
}

// TestResumed: a session that starts again closes what its earlier run left open.
func TestResumed(t *testing.T) {
	b := newBench(t)
	for thread, pid := range map[model.ThreadID]model.Process{"dead": {PID: 1 << 22, Started: "1"}, "alive": ledger.ProcessOf(os.Getpid())} {
		if _, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: thread, PID: pid}); err != nil {
			t.Fatal(err)
		}
		if err := b.l.SessionStart(t.Context(), ledger.SessionEvent{Thread: thread, ByHook: true}); err != nil {
			t.Fatal(err)
		}
	}
	want(t, "dead", b.states("dead"), "interrupted/ready")
	want(t, "alive", b.states("alive"), "open/ready")
	if err := b.l.SessionStart(t.Context(), ledger.SessionEvent{Thread: "new"}); err != nil {
		t.Error(err)
	}
}

// TestMissingEndIsFilled: an end that could not be captured is captured later as
// long as nothing has changed since, and not otherwise.
func TestMissingEndIsFilled(t *testing.T) {
	for name, c := range map[string]struct {
		then func(b *bench)
		want string
	}{
		"nothing happened":      {func(*bench) {}, "completed/ready"},
		"the user wrote":        {func(b *bench) { b.Write("dir/b.txt", "user\n") }, "completed/error"},
		"and put it back":       {func(b *bench) { b.Write("dir/b.txt", "user\n"); b.Write("dir/b.txt", "two\n") }, "completed/error"},
		"the user deleted":      {func(b *bench) { b.Remove("dir/b.txt") }, "completed/error"},
		"a newer turn started":  {func(b *bench) { b.start(th, "y") }, "completed/error open/ready"},
		"in another thread too": {func(b *bench) { b.start("other", "y"); b.end("other", "y") }, "completed/error"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.start(th, "x")
			b.Write("a.txt", "x\n")
			time.Sleep(20 * time.Millisecond) // the file system's clock is coarse
			done, err := onRepo(t, b.Repo, blind).l.End(t.Context(), ledger.EndEvent{Thread: th, TurnID: "x"})
			if err != nil || done.Status != model.StatusError || !strings.Contains(done.StatusReason, "end") {
				t.Fatalf("an end that cannot be captured: %+v %v", done, err)
			}
			time.Sleep(20 * time.Millisecond)
			c.then(b)
			if err := b.l.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			want(t, "turns", b.states(th), c.want)
			rec, err := b.records.Read(t.Context(), done.Checkpoint)
			if err != nil || rec.Turn.Status != b.turn(th, 1).Status {
				t.Errorf("record: %+v %v", rec, err)
			}
		})
	}
}

// TestRecordWaits: without a store of records the snapshots are taken all the
// same, and the record is written when there is one again.
func TestRecordWaits(t *testing.T) {
	r := newBench(t).Repo
	b := onRepo(t, r, func(d *ledger.Deps) { d.Records = nil })
	b.start(th, "x")
	b.Write("a.txt", "x\n")
	done := b.end(th, "x")
	want(t, "status", done.Status, model.StatusReady)
	if b.ref(th, "turn/1") == "" {
		t.Error("no snapshot was published")
	}
	if _, err := b.records.Read(t.Context(), done.Checkpoint); !errors.Is(err, checkpoint.ErrNotFound) {
		t.Fatalf("a record is there: %v", err)
	}
	again := onRepo(t, r, nil)
	if err := again.l.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Its id is one that the store makes now: nobody could tell when the turn began.
	rec, err := again.records.Read(t.Context(), again.turn(th, 1).Checkpoint)
	if err != nil || len(rec.Changes) == 0 || rec.Turn.End == nil || !checkpoint.Makes(again.records.Type(), rec.ID()) {
		t.Errorf("record: %+v %v", rec, err)
	}
}

// TestFailures: whatever fails, the turn is there and says why.
func TestFailures(t *testing.T) {
	b := newBench(t)
	turn, err := onRepo(t, b.Repo, blind).l.Start(t.Context(), ledger.StartEvent{Thread: th, TurnID: "x"})
	if err != nil || turn.Status != model.StatusError || turn.StatusReason == "" || turn.Start != nil {
		t.Fatalf("start that cannot be captured: %+v %v", turn, err)
	}
	b.Write("a.txt", "x\n")
	done := b.end(th, "x")
	want(t, "status", done.Status, model.StatusError)
	if done.End == nil || done.Files != nil {
		t.Errorf("its end: %+v", done)
	}
	failing := onRepo(t, b.Repo, func(d *ledger.Deps) {
		d.Owners = func(context.Context, ledger.Span, []model.Path) (map[model.Path]model.Owner, error) {
			return nil, errors.New("no owners today")
		}
	})
	failing.start(th, "y")
	b.Write("a.txt", "y\n")
	done = failing.end(th, "y")
	slow := onRepo(t, b.Repo, func(d *ledger.Deps) {
		d.Owners = func(ctx context.Context, _ ledger.Span, _ []model.Path) (map[model.Path]model.Owner, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
	})
	slow.start("slow", "s")
	b.Write("a.txt", "slow\n")
	short, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if late, err := slow.l.End(short, ledger.EndEvent{Thread: "slow", TurnID: "s"}); err != nil || late.Status != model.StatusReady || late.Files != nil || late.End == nil {
		t.Errorf("a summary that takes too long: %+v %v", late, err)
	}
	if done.Status != model.StatusReady || done.Files != nil || !strings.Contains(done.StatusReason, "no owners today") {
		t.Errorf("a summary that failed: %+v", done)
	}
}
