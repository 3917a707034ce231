package ledger_test

import (
	"strings"
	"testing"
	"time"

	"overturn/model"
	"overturn/model/trace"
	"overturn/review/ledger"
)

const th = model.ThreadID("thread-1")

// TestTurn goes through one whole turn: refs, record, summary, and what of the
// user's must not move.
func TestTurn(t *testing.T) {
	b := newBench(t)
	b.Write("notes.txt", "the user's\n")
	before := b.Protected(t)
	first := b.start(th, "p1")
	want(t, "number", first.Number, 1)
	want(t, "state", first.State, model.TurnOpen)
	want(t, "status", first.Status, model.StatusReady)
	want(t, "start ref", first.Start.Ref, b.refName(th, "turn/0"))
	want(t, "base", first.Base, b.Git("rev-parse", "HEAD"))
	want(t, "untracked at the start", len(first.Start.Inventory.Untracked), 1)

	b.Write("a.txt", "one\nmore\n")
	b.Write("new.bin", "\x00\x01")
	b.Remove("dir")
	b.Chmod("notes.txt", 0o755)
	done, err := b.l.End(t.Context(), ledger.EndEvent{Thread: th, TurnID: "p1", MessageID: "m1", Message: "did it"})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "state", done.State, model.TurnCompleted)
	want(t, "status", done.Status, model.StatusReady)
	want(t, "ref", done.Ref, b.refName(th, "turn/1"))
	want(t, "commit", done.End.Commit, b.ref(th, "turn/1"))
	want(t, "refs", b.refList(), th.RefPart()+"/turn/0\n"+th.RefPart()+"/turn/1")
	want(t, "message", done.MessageID, "m1")

	var files []string
	for _, f := range done.Files {
		files = append(files, string(f.Change)+" "+string(f.Path))
	}
	want(t, "files", strings.Join(files, ", "), "modified a.txt, deleted dir/b.txt, added new.bin, mode notes.txt")
	want(t, "additions", done.Files[0].Additions, 1)
	want(t, "deletions", done.Files[1].Deletions, 1)
	want(t, "binary", done.Files[2].Binary, true)

	rec, err := b.records.Read(t.Context(), done.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "record's prompt", rec.Turn.Prompt, "prompt of p1")
	raw := b.Git("diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-renames", b.ref(th, "turn/0"), b.ref(th, "turn/1"))
	want(t, "raw changes", string(rec.Changes), raw)
	if !strings.Contains(string(rec.Evidence), "did it") {
		t.Errorf("evidence is %s", rec.Evidence)
	}
	shown := b.turn(th, 1)
	want(t, "shown", shown.StatusReason+string(shown.Status), string(model.StatusReady))
	for _, name := range []trace.Name{trace.TurnStarted, trace.TurnEnded, trace.CheckpointCreate} {
		want(t, string(name), b.trace.count(name), 1)
	}
	want(t, "file.patch", b.trace.count(trace.FilePatch), 4)
	b.Chmod("notes.txt", 0o644)
	if diff := before.Diff(b.Protected(t)); diff != "" {
		t.Errorf("protected state changed: %s", diff)
	}
}

// TestBetweenTurns: what happened between turns is not the next turn's, and a
// start has a ref only where it differs.
func TestBetweenTurns(t *testing.T) {
	b := newBench(t)
	b.start(th, "p1")
	b.Write("a.txt", "agent\n")
	b.end(th, "p1")
	second := b.start(th, "p2")
	want(t, "start of 2", second.Start.Ref, b.refName(th, "turn/1"))
	want(t, "its commit", second.Start.Commit, b.ref(th, "turn/1"))
	b.end(th, "p2")
	b.Write("a.txt", "user\n")
	third := b.start(th, "p3")
	want(t, "start of 3", third.Start.Ref, b.refName(th, "start/3"))
	b.Write("c.txt", "agent\n")
	done := b.end(th, "p3")
	if len(done.Files) != 1 || done.Files[0].Path != "c.txt" {
		t.Errorf("turn 3 changed %+v", done.Files)
	}
	if b.ref(th, "start/2") != "" || b.ref(th, "start/3") == "" || b.ref(th, "turn/3") == "" {
		t.Errorf("refs are\n%s", b.refList())
	}
	want(t, "git's own diff of turn 2", b.Git("diff", "--name-only", b.ref(th, "turn/1"), b.ref(th, "turn/2")), "")
	want(t, "git's own diff of turn 3", b.Git("diff", "--name-only", b.ref(th, "start/3"), b.ref(th, "turn/3")), "c.txt")
}

// TestBoundaryRules is the table of how turns open and close.
func TestBoundaryRules(t *testing.T) {
	for name, c := range map[string]struct {
		run  func(b *bench)
		want string
	}{
		"a start with the open id changes nothing": {func(b *bench) { b.start(th, "x"); b.start(th, "x") }, "open/ready"},
		"a start closes another open turn":         {func(b *bench) { b.start(th, "x"); b.start(th, "y") }, "interrupted/ready open/ready"},
		"two starts without ids are two turns":     {func(b *bench) { b.start(th, ""); b.start(th, "") }, "interrupted/ready open/ready"},
		"a second end by hand changes nothing": {func(b *bench) {
			b.start(th, "x")
			first := b.end(th, "x")
			b.Write("late", "x")
			second := b.end(th, "x")
			want(b.t, "end", second.End.Commit, first.End.Commit)
			want(b.t, "by no id", b.end(th, "").End.Commit, first.End.Commit)
		}, "completed/ready"},
		"an end without a start makes a missing turn": {func(b *bench) { b.end(th, "x") }, "completed/missing"},
		"and leaves an open one open": {func(b *bench) {
			b.start(th, "x")
			b.end(th, "other")
			b.end(th, "other")
		}, "open/ready completed/missing"},
		"which ends behind it": {func(b *bench) {
			b.start(th, "x")
			b.end(th, "other")
			b.end(th, "x")
			b.start(th, "z")
		}, "completed/ready completed/missing open/ready"},
		"an end without an id ends the open turn": {func(b *bench) { b.start(th, "x"); b.end(th, "") }, "completed/ready"},
		"session end interrupts": {func(b *bench) {
			b.start(th, "x")
			if err := b.l.SessionEnd(b.t.Context(), ledger.SessionEvent{Thread: th}); err != nil {
				b.t.Fatal(err)
			}
			if err := b.l.SessionEnd(b.t.Context(), ledger.SessionEvent{Thread: th}); err != nil {
				b.t.Fatal(err)
			}
		}, "interrupted/ready"},
		"a late copy of a start opens nothing": {func(b *bench) {
			at := time.Now()
			b.start(th, "x")
			b.end(th, "x")
			if _, err := b.l.Start(b.t.Context(), ledger.StartEvent{Thread: th, TurnID: "x", At: at}); err != nil {
				b.t.Fatal(err)
			}
		}, "completed/ready"},
		"other threads do not matter": {func(b *bench) { b.start(th, "x"); b.start("t2", "x"); b.end("t2", "x") }, "open/ready"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			c.run(b)
			want(t, "turns", b.states(th), c.want)
		})
	}
}

// TestInterruptedEndIsTheStart: the end of a turn that a start closes is the very
// snapshot that the new turn starts from.
func TestInterruptedEndIsTheStart(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.Write("a.txt", "half done\n")
	next := b.start(th, "y")
	old := b.turn(th, 1)
	want(t, "state", old.State, model.TurnInterrupted)
	want(t, "start of the next", next.Start.Commit, old.End.Commit)
	want(t, "its ref", next.Start.Ref, b.refName(th, "turn/1"))
	want(t, "files", len(old.Files), 1)
}

// TestEndMovesByHook: further work of the same turn moves the end, until the next
// turn starts (B-10).
func TestEndMovesByHook(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.Write("a.txt", "first\n")
	first := b.endByHook(th, "x")
	want(t, "an idle second end", b.endByHook(th, "x").End.Commit, first.End.Commit)
	b.Write("late.txt", "late\n")
	moved := b.endByHook(th, "x")
	if moved.End.Commit == first.End.Commit || b.ref(th, "turn/1") != moved.End.Commit {
		t.Fatalf("the end did not move: %s, ref %s", moved.End.Commit, b.ref(th, "turn/1"))
	}
	want(t, "files", len(moved.Files), 2)
	rec, err := b.records.Read(t.Context(), moved.Checkpoint)
	if err != nil || rec.Turn.End.Commit != moved.End.Commit || len(rec.Turn.Files) != 2 {
		t.Errorf("the record has %+v, %v", rec, err)
	}
	ev, err := b.l.Evidence(t.Context(), th, 1)
	if err != nil || len(ev.Moments) != 1 || ev.Moments[0].Tree != first.End.Tree || ev.Moments[0].Phase != ledger.PhaseEnd {
		t.Errorf("evidence is %+v, %v", ev, err)
	}
	b.start(th, "y")
	b.Write("late.txt", "turn 2\n")
	want(t, "after the next start", b.endByHook(th, "x").End.Commit, moved.End.Commit)
}

func TestEndStaysOnceAnotherThreadStarted(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	first := b.endByHook(th, "x")
	b.start("other", "o")
	b.Write("a.txt", "the other's\n")
	want(t, "end", b.endByHook(th, "x").End.Commit, first.End.Commit)
}

// TestRefIsNeverOverwritten: a ref with another value stays, and the turn names it.
func TestRefIsNeverOverwritten(t *testing.T) {
	for tail, at := range map[string]string{"turn/0": "start", "turn/1": "end", "start/2": "start of 2"} {
		t.Run(at, func(t *testing.T) {
			b := newBench(t)
			head := b.Git("rev-parse", "HEAD")
			b.Git("update-ref", b.refName(th, tail), head)
			n := 1
			b.start(th, "x")
			b.Write("a.txt", "x\n")
			b.end(th, "x")
			if tail == "start/2" {
				n = 2
				b.Write("a.txt", "user\n")
				b.start(th, "y")
				b.end(th, "y")
			}
			got := b.turn(th, n)
			want(t, "ref", b.ref(th, tail), head)
			want(t, "status", got.Status, model.StatusError)
			if !strings.Contains(got.StatusReason, b.refName(th, tail)) {
				t.Errorf("the reason does not name the ref: %s", got.StatusReason)
			}
			rec, err := b.records.Read(t.Context(), got.Checkpoint)
			if err != nil || rec.Turn.Status != model.StatusError {
				t.Errorf("record: %+v %v", rec, err)
			}
		})
	}
}

// TestLostRefStaysLost: a ref that was lost is not made again, and what needs it
// says so (A1, B-11).
func TestLostRefStaysLost(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.Write("a.txt", "x\n")
	b.end(th, "x")
	b.Git("update-ref", "-d", b.refName(th, "turn/1"))
	next := b.start(th, "y")
	want(t, "start of the next", next.Start.Ref, b.refName(th, "start/2"))
	b.end(th, "y")
	want(t, "the lost ref", b.ref(th, "turn/1"), "")
	want(t, "turns", b.states(th), "completed/missing completed/ready")
	_, err := b.l.Boundary(t.Context(), th, 1)
	if err == nil || !strings.Contains(err.Error(), "turn/1") {
		t.Errorf("boundary 1: %v", err)
	}
	b.Git("update-ref", "-d", b.refName(th, "turn/0"))
	b.start(th, "z")
	want(t, "the lost baseline", b.ref(th, "turn/0"), "")
	if _, err := b.l.Boundary(t.Context(), th, 0); err == nil {
		t.Error("boundary 0 is given though its ref is gone")
	}
}

// TestReplacedBaseline: a baseline that is not what turn 1 started from is as good
// as none: a comparison from it would call files made that were always there.
func TestReplacedBaseline(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.Write("a.txt", "x\n")
	b.end(th, "x")
	if commit, err := b.l.Boundary(t.Context(), th, 0); err != nil || commit != b.ref(th, "turn/0") {
		t.Errorf("boundary 0: %s, %v", commit, err)
	}
	b.Git("update-ref", b.refName(th, "turn/0"), b.ref(th, "turn/1"))
	if _, err := b.l.Boundary(t.Context(), th, 0); err == nil || !strings.Contains(err.Error(), "another snapshot") {
		t.Errorf("boundary 0, replaced: %v", err)
	}
}
