package recorders_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/branchstore"
	"overturn/gitops/checkpoint/refstore"
	"overturn/model"
	"overturn/review/ledger"
)

// TestTurnsOfAColleague: without snapshots, what the lists of changes tell.
func TestTurnsOfAColleague(t *testing.T) {
	for name, open := range map[string]func(checkpoint.Context) (checkpoint.Store, error){"git-refs": refstore.Open, "git-branch": branchstore.Open} {
		t.Run(name, func(t *testing.T) {
			k := newColleague(t, open)
			k.Write("a", "one\ntwo\n")
			k.Write("d/new", "n\n")
			k.turn(nil)
			k.Write("between", "the user's\n")
			k.tree = k.now()
			k.Write("d/new", "n\nm\n")
			k.Remove("gone")
			k.turn(func(r *checkpoint.Record) { r.Turn.Files[0].Owner = model.OwnerMixed })
			f := k.ours()
			before := f.Protected(t)
			equal(t, "threads", f.threads(), `remote remote:theirs in "(elsewhere)": 2 Do thing 1 well`)
			equal(t, "turns", f.turns("remote:theirs"), "1 completed ready | modified a +1 -0 agent | modified d/new +1 -0 agent\n"+
				"2 completed ready | modified d/new +1 -0 mixed | modified gone +0 -1 agent")
			lists := []struct{ what, scope, want string }{
				{"a turn", "1", "turn 1, start to turn 1, end\nmodified a\nadded d/new"},
				{"a turn of several owners", "2", "turn 2, start to turn 2, end\nmodified d/new\ndeleted gone"},
				{"the thread", "0..2", "baseline to turn 2, end\nmodified a\nadded d/new\ndeleted gone"},
				{"a range", "1..2", "turn 1, end to turn 2, end\nmodified d/new\ndeleted gone"},
			}
			for _, c := range lists {
				equal(t, c.what, f.paths(c.scope), c.want)
			}
			turn, err := f.book.Turn(t.Context(), "remote:theirs", 1)
			f.must(err)
			if !strings.Contains(turn.StatusReason, "the contents of 2 of its 2 files are not here") {
				t.Errorf("what is not here is told as %q", turn.StatusReason)
			}
			if d := before.Diff(f.Protected(t)); d != "" {
				t.Errorf("reading changed what is there:\n%s", d)
			}
		})
	}
}

// TestSharedSnapshotsAreCompared: with them the whole turn is here, lines and all; also
// where a commit was fetched that holds the contents.
func TestSharedSnapshotsAreCompared(t *testing.T) {
	share := func(r *checkpoint.Record) {
		r.Snapshots = checkpoint.Snapshots{Start: r.Turn.Start.Tree, End: r.Turn.End.Tree}
	}
	for name, change := range map[string]func(*checkpoint.Record){"shared": share, "fetched": nil} {
		t.Run(name, func(t *testing.T) {
			k := newColleague(t, refstore.Open)
			k.Write("a", "one\ntwo\n")
			k.turn(change)
			k.Write("b", "b\n")
			k.turn(change)
			k.Commit("their work")
			f := k.ours()
			if name == "fetched" {
				f.Git("fetch", "-q", k.Root, "main:refs/remotes/k/main")
			}
			equal(t, "turns", f.turns("remote:theirs"), "1 completed ready | modified a +1 -0 agent\n2 completed ready | modified b +1 -0 agent")
			equal(t, "1", f.compare("1@remote:theirs"), "turn 1, start to turn 1, end, elsewhere\nmodified a +1 -0 agent")
			equal(t, "0..2", f.compare("0..2@remote:theirs"), "baseline to turn 2, end, elsewhere\nmodified a +1 -0 unknown\nadded b +1 -0 unknown")
			turn, err := f.book.Turn(t.Context(), "remote:theirs", 1)
			f.must(err)
			if turn.StatusReason != "" {
				t.Errorf("something is not here: %q", turn.StatusReason)
			}
			cs, err := f.review.Compare(t.Context(), model.Scope{Kind: model.ScopeTurn, Turn: 1, Thread: "remote:theirs"})
			f.must(err)
			by, err := f.review.Owners(t.Context(), cs, cs.Files[0])
			f.must(err)
			if len(by.Hunks) != 1 || by.Hunks[0].In != "remote:theirs" || !slices.Equal(by.Hunks[0].Turns, []int{1}) {
				t.Errorf("the hunk is of %+v", by.Hunks)
			}
		})
	}
}

// TestHostileRecords: a list that no git made names nothing outside, and hides no other turn.
func TestHostileRecords(t *testing.T) {
	k := newColleague(t, refstore.Open)
	oid := strings.Repeat("1", 40)
	zero := strings.Repeat("0", 40)
	row := func(path string) string { return ":000000 100644 " + zero + " " + oid + " A\x00" + path + "\x00" }
	k.turn(func(r *checkpoint.Record) {
		r.Changes = []byte(row("../out") + row(".git/config") + row("a/.GIT/x") + row("/abs") + row("a//b") + row("f") + row("f/below") + row("f-x") +
			":000000 120777 " + zero + " " + oid + " A\x00mode\x00" + ":000000 100644 " + zero + " 11 A\x00id\x00" + ":000000 100644 " + zero + " " + zero + " A\x00nothing\x00torn")
	})
	k.turn(func(r *checkpoint.Record) {
		r.Changes, r.Turn.Files = []byte("nonsense"), []model.FileChange{{Path: "x", Owner: model.OwnerAgent}}
	})
	k.turn(func(r *checkpoint.Record) { r.Changes, r.Turn.Files = nil, nil })
	f := k.ours()
	equal(t, "what can be read", f.paths("1"), "turn 1, start to turn 1, end\nadded f\nadded f-x")
	turn, err := f.book.Turn(t.Context(), "remote:theirs", 1)
	f.must(err)
	if !strings.Contains(turn.StatusReason, "9 of its changes cannot be read") {
		t.Errorf("told as %q", turn.StatusReason)
	}
	equal(t, "nonsense", f.compare("2@remote:theirs"), "failed: the start of turn 2 was not captured (status missing: recorded elsewhere, and its record has no list of changes that can be read); files may have changed all the same")
	equal(t, "nothing changed", f.paths("3"), "turn 3, start to turn 3, end")
	equal(t, "no turn", f.compare("4@remote:theirs"), `usage: turn 4 is ahead of the latest finished one, 3`)
	equal(t, "no thread", f.compare("1@remote:other"), `usage: there is no thread "remote:other"`)
}

// TestDamagedRecord is a note beside the list, or a turn with its reason.
func TestDamagedRecord(t *testing.T) {
	k := newColleague(t, refstore.Open)
	k.Write("a", "2\n")
	k.turn(nil)
	f := k.ours()
	blob := f.GitInput("{", "hash-object", "-w", "--stdin")
	tree := f.GitInput("100644 blob "+blob+"\tmetadata.json\n", "mktree")
	ref := "refs/overturn/checkpoints/zz/01kvbjcwya4yw6j5m9gp655hzz"
	f.Git("update-ref", ref, f.Git("commit-tree", tree, "-m", "x"))
	if got := f.threads(); !strings.HasPrefix(got, "remote remote:theirs") || !strings.Contains(got, "! "+ref+": checkpoint 01kvbjcwya4yw6j5m9gp655hzz is damaged") {
		t.Errorf("threads are %s", got)
	}
}

// TestNameOfOurs: records of another repository stay listed where a thread of that name is
// recorded here too, and what was learnt of many is kept.
func TestNameOfOurs(t *testing.T) {
	k := newColleague(t, refstore.Open)
	for i := range 70 {
		k.Write("a", fmt.Sprint(i))
		k.turn(nil)
	}
	f := k.ours()
	cache := filepath.Join(t.TempDir(), "records")
	count := func() int {
		g := elsewhereWith(f, cache)
		list, _, err := g.Threads(t.Context())
		f.must(err)
		if len(list) != 1 {
			t.Fatalf("threads are %v", list)
		}
		return list[0].Turns
	}
	if n := count(); n != 70 {
		t.Errorf("%d turns", n)
	}
	data, err := os.ReadFile(cache)
	f.must(err)
	if n := strings.Count(string(data), "\n"); n != 70 {
		t.Errorf("%d rows are kept", n)
	}
	f.must(os.WriteFile(cache, append([]byte("{\"id\":\"x\"}\nnonsense\n"), data[:len(data)-20]...), 0o600))
	if n := count(); n != 70 {
		t.Errorf("with a damaged cache there are %d turns", n)
	}
	older := strings.NewReplacer(`,"repository":"-"`, "", `"thread":"theirs"`, `"thread":"stale"`).Replace(string(data))
	f.must(os.WriteFile(cache, []byte(older), 0o600))
	if list, _, err := elsewhereWith(f, cache).Threads(t.Context()); err != nil || len(list) != 1 || list[0].ID != "remote:theirs" {
		t.Errorf("with rows that were kept before records told their repository: %v, %v", list, err)
	}
	_, err = f.book.Start(t.Context(), ledger.StartEvent{Thread: "theirs", Agent: "codex", Prompt: "here"})
	f.must(err)
	if list, _, err := elsewhereWith(f, "").Threads(t.Context()); err != nil || len(list) != 1 || list[0].Turns != 70 {
		t.Errorf("beside a thread of ours with that name: %v, %v", list, err)
	}
}
