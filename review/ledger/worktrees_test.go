package ledger_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"overturn/model"
	"overturn/review/ledger"
)

// TestSecondWorkTree: a conversation met in a second work tree is a thread of its
// own there, in refs and in lists.
func TestSecondWorkTree(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.end(th, "x")
	linked := onRepo(t, b.Worktree("side"), nil)
	name := th + "@" + model.ThreadID(linked.repo.WorkTree)
	got := linked.start(th, "y")
	want(t, "thread", got.Thread, name)
	want(t, "number", got.Number, 1)
	linked.Write("a.txt", "in the side tree\n")
	want(t, "its end", linked.end(th, "y").Ref, b.refName(name, "turn/1"))
	want(t, "addressed by its own name", linked.start(name, "z").Number, 2)
	want(t, "the first thread goes on", b.start(th, "z").Number, 2)

	for _, side := range []*bench{b, linked} {
		threads, err := side.l.Threads(t.Context())
		if err != nil || len(threads) != 2 {
			t.Fatalf("threads: %+v %v", threads, err)
		}
		turn, err := side.l.Turn(t.Context(), name, 1)
		if err != nil || turn.WorkTree != linked.repo.WorkTree || len(turn.Files) != 1 {
			t.Errorf("turn of the side tree: %+v %v", turn, err)
		}
	}
	for side, thread := range map[*bench]model.ThreadID{b: th, linked: name} {
		if got, err := side.l.Default(t.Context()); err != nil || got != thread {
			t.Errorf("default is %q, %v", got, err)
		}
	}
}

// TestWorkTreeGone: a thread whose work tree was removed answers to its name, though the
// conversation went on under another in this one.
func TestWorkTreeGone(t *testing.T) {
	b := newBench(t)
	linked := onRepo(t, b.Worktree("side"), nil)
	linked.start(th, "x")
	linked.Write("a.txt", "in the side tree\n")
	id := linked.end(th, "x").Checkpoint
	name := b.start(th, "y").Thread
	b.end(th, "y")
	b.Git("worktree", "remove", "--force", linked.Root)
	for asked, turn := range map[model.ThreadID]string{th: "x", name: "y"} {
		got, err := b.l.Resolve(t.Context(), string(asked))
		if err != nil || got != asked || b.turn(asked, 1).TurnID != turn {
			t.Errorf("%q is %q with turn %q, %v", asked, got, b.turn(asked, 1).TurnID, err)
		}
	}
	if !b.l.Recorded(t.Context(), th, 1, id) || !b.l.Has(t.Context(), th) {
		t.Error("what was recorded in a work tree that is gone counts as another repository's")
	}
	want(t, "the conversation goes on here", b.start(th, "z").Thread, name)
}

func TestResolve(t *testing.T) {
	b := newBench(t)
	for _, id := range []model.ThreadID{"abc-1", "abc-2", "xyz"} {
		b.start(id, "p")
		b.end(id, "p")
	}
	for name, result := range map[string]string{"abc-1": "abc-1", "x": "xyz", "abc": "", "nope": "", "": ""} {
		got, err := b.l.Resolve(t.Context(), name)
		if string(got) != result || (err == nil) != (result != "") || err != nil && model.CodeOf(err) != model.CodeUsage {
			t.Errorf("resolve %q: %q, %v", name, got, err)
		}
	}
}

// TestLostState: the state folder is gone; turns come back from records and refs,
// and the thread goes on after them.
func TestLostState(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.Write("a.txt", "x\n")
	first := b.end(th, "x")
	if err := os.RemoveAll(filepath.Join(b.repo.StateDir(), "ledger")); err != nil {
		t.Fatal(err)
	}
	again := onRepo(t, b.Repo, nil)
	want(t, "number", again.start(th, "y").Number, 2)
	got := again.turn(th, 1)
	want(t, "prompt", got.Prompt, first.Prompt)
	want(t, "end", got.End.Commit, first.End.Commit)
	want(t, "status", got.Status, model.StatusReady)

	// One file emptied, as a power cut leaves it; then its record gone too.
	file := filepath.Join(b.repo.StateDir(), "ledger", th.RefPart(), "1.json")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want(t, "from the record", onRepo(t, b.Repo, nil).turn(th, 1).Prompt, first.Prompt)
	if err := b.records.Forget(t.Context(), first.Checkpoint); err != nil {
		t.Fatal(err)
	}
	got = onRepo(t, b.Repo, nil).turn(th, 1)
	want(t, "from the refs alone", got.End.Commit, first.End.Commit)
	if !strings.Contains(got.StatusReason, "record") || got.Start == nil {
		t.Errorf("without its record: %+v", got)
	}
}

// TestTwoAtOnce: several processes start turns at the same moment; each is there,
// numbers are not given twice.
func TestTwoAtOnce(t *testing.T) {
	b := newBench(t)
	b.start(th, "x")
	b.end(th, "x")
	const rounds = 4
	var group sync.WaitGroup
	for i, thread := range []model.ThreadID{th, "second", th, "third"} {
		side := onRepo(t, b.Repo, nil)
		group.Go(func() {
			for j := range rounds {
				id := string(rune('a'+i)) + string(rune('0'+j))
				side.start(thread, id)
				side.end(thread, id)
			}
		})
	}
	group.Wait()
	for thread, n := range map[model.ThreadID]int{th: 1 + 2*rounds, "second": rounds, "third": rounds} {
		turns, err := b.l.Turns(t.Context(), thread, 0)
		if err != nil || len(turns) < n {
			t.Fatalf("%s has %d turns, want at least %d (%v)", thread, len(turns), n, err)
		}
		seen := map[string]bool{}
		for i, turn := range turns {
			want(t, "number", turn.Number, i+1)
			seen[turn.TurnID] = true
		}
		want(t, "ids of "+string(thread), len(seen), n)
	}
	if open, err := b.l.Open(t.Context()); err != nil || len(open) != 0 {
		t.Errorf("open: %+v %v", open, err)
	}
}

func TestReverted(t *testing.T) {
	b := newBench(t)
	for _, id := range []string{"x", "y", "z"} {
		b.start(th, id)
		b.Write("a.txt", id+"\n")
		b.end(th, id)
	}
	out := ledger.Reverting{Thread: th, To: 1, Latest: 3, ID: "01kvbjcwya4yw6j5m9gp655hzn"}
	for range 2 { // the saga may call again
		if err := b.l.Revert(t.Context(), out); err != nil {
			t.Fatal(err)
		}
	}
	want(t, "turns", b.states(th), "completed/ready")
	gone, err := b.l.Reverted(t.Context(), th)
	if err != nil || len(gone) != 2 || gone[0].Number != 3 {
		t.Errorf("reverted: %+v %v", gone, err)
	}
	if err := b.l.Unrevert(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	want(t, "back", b.states(th), "completed/ready completed/ready completed/ready")
	if err := b.l.Revert(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	for n := 2; n <= 3; n++ {
		b.Git("update-ref", "-d", b.refName(th, "turn/"+string(rune('0'+n))))
	}
	want(t, "next", b.start(th, "n").Number, 2)
	open := ledger.Reverting{Thread: th, To: 0, Latest: 2, ID: "01kvbjcwya4yw6j5m9gp655hzp"}
	if err := b.l.Revert(t.Context(), open); model.CodeOf(err) != model.CodeRefused {
		t.Errorf("revert with an open turn: %v", err)
	}
	b.end(th, "n")
	if err := b.l.Unrevert(t.Context(), out); model.CodeOf(err) != model.CodeRefused {
		t.Errorf("unrevert of a thread that went on: %v", err)
	}
}

// TestManyTurnsAreJoined: the packs that turns leave do not grow with their number,
// though nobody ever settles, and every boundary is still whole.
func TestManyTurnsAreJoined(t *testing.T) {
	b := newBench(t)
	packs := func() int {
		names, err := filepath.Glob(b.Path(".git/objects/pack/*.pack"))
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	const turns = 24
	for n := range turns {
		id := string(rune('a' + n))
		b.start(th, id)
		b.Write("dir/b.txt", id+"\n")
		b.Write("a.txt", id+"\n")
		b.end(th, id)
	}
	if got := packs(); got >= 20 {
		t.Errorf("%d packs", got)
	}
	again := onRepo(t, b.Repo, nil)
	for n := range turns {
		turn := again.turn(th, n+1)
		b.Git("rev-list", "--objects", turn.End.Commit)
		if _, err := again.records.Read(t.Context(), turn.Checkpoint); err != nil || len(turn.Files) != 2 {
			t.Errorf("turn %d: %v, %d files", n+1, err, len(turn.Files))
		}
	}
}
