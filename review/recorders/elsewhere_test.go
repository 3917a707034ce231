package recorders_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/branchstore"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/review"
	"overturn/review/ledger"
	"overturn/review/recorders"
)

// colleague is another repository in which turns were recorded.
type colleague struct {
	*gittest.Repo
	t     *testing.T
	c     checkpoint.Context
	store checkpoint.Store
	ids   *model.IDSource
	tree  string // at the end of the newest turn
	turns int
}

func newColleague(t *testing.T, open func(checkpoint.Context) (checkpoint.Store, error)) *colleague {
	r := gittest.New(t)
	r.Write("a", "one\n")
	r.Write("gone", "x\n")
	r.Commit("first")
	repo := r.Open()
	objs := objects.Open(repo)
	t.Cleanup(func() { _ = objs.Close() })
	k := &colleague{Repo: r, t: t, ids: model.NewIDSource(time.Now, rand.Reader)}
	k.c = checkpoint.Context{Repo: repo, Objects: objs, Refs: refs.New(repo), Clock: time.Now}
	var err error
	if k.store, err = open(k.c); err != nil {
		t.Fatal(err)
	}
	k.tree = k.now()
	return k
}

func (k *colleague) now() string {
	k.Git("add", "-A")
	return k.Git("write-tree")
}

// turn records what was written since the last one.
func (k *colleague) turn(change func(*checkpoint.Record)) *checkpoint.Record {
	k.t.Helper()
	k.turns++
	id, err := k.store.NewID(k.ids)
	if err != nil {
		k.t.Fatal(err)
	}
	start, end := k.tree, k.now()
	k.tree = end
	at := time.Date(2026, 11, 30, 9, k.turns, 0, 0, time.UTC)
	bound := func(tree string) *model.Boundary {
		return &model.Boundary{Ref: "refs/overturn/threads/x", Commit: strings.Repeat("1", 40), Tree: tree, CapturedAt: at}
	}
	rec := &checkpoint.Record{
		Format: checkpoint.FormatOf(k.store.Type()),
		Turn: model.Turn{Thread: "theirs", Agent: "codex", WorkTree: "main", Number: k.turns, Prompt: fmt.Sprintf("Do thing %d\nwell", k.turns),
			State: model.TurnCompleted, Checkpoint: id, Status: model.StatusReady, Start: bound(start), End: bound(end), StartedAt: at, CompletedAt: &at},
		Changes: []byte(k.Git("diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-renames", start, end)),
	}
	for line := range strings.Lines(k.Git("diff-tree", "-r", "--numstat", "--no-renames", start, end) + "\n") {
		f := model.FileChange{Change: model.Modified, Owner: model.OwnerAgent}
		var name string
		fmt.Sscan(line, &f.Additions, &f.Deletions, &name)
		f.Path = model.Path(name)
		rec.Turn.Files = append(rec.Turn.Files, f)
	}
	if change != nil {
		change(rec)
	}
	if err := checkpoint.CreateNow(k.t.Context(), k.c, k.store, rec); err != nil {
		k.t.Fatal(err)
	}
	return rec
}

// ours is our repository, with what was fetched from the colleague's.
func (k *colleague) ours() *fixture {
	k.t.Helper()
	r := gittest.New(k.t)
	r.Write("mine", "m\n")
	r.Commit("ours")
	r.Git("fetch", "-q", k.Root, "refs/overturn/checkpoints/*:refs/overturn/checkpoints/*", "refs/heads/overturn/*:refs/heads/overturn/*")
	return elsewhere(k.t, r, k.store.Type())
}

// elsewhere is a fixture whose book has the records of elsewhere.
func elsewhere(t testing.TB, r *gittest.Repo, backend string) *fixture {
	f := &fixture{Repo: r, t: t, repo: r.Open()}
	objs, names := objects.Open(f.repo), refs.New(f.repo)
	t.Cleanup(func() { _ = objs.Close() })
	open := refstore.Open
	if backend == checkpoint.TypeBranch {
		open = branchstore.Open
	}
	records, err := open(checkpoint.Context{Repo: f.repo, Objects: objs, Refs: names, Clock: time.Now})
	f.must(err)
	snaps := snapshot.New(f.repo, objs, names, snapshot.Options{Clock: time.Now})
	own := ledger.New(ledger.Deps{Repo: f.repo, Objects: objs, Refs: names, Snapshots: snaps, Clock: time.Now, IDs: model.NewIDSource(time.Now, rand.Reader)})
	f.book = recorders.NewBook(own, recorders.NewElsewhere(objs, records, own, filepath.Join(t.TempDir(), "records"), time.Now))
	f.review = review.New(review.Deps{Repo: f.repo, Objects: objs, Refs: names, Snapshots: snaps, Ledger: f.book, Clock: time.Now})
	return f
}

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

// paths spells the files of a comparison, without their lines.
func (f *fixture) paths(scope string) string {
	f.t.Helper()
	s, err := model.ParseScope(scope)
	f.must(err)
	s.Thread = "remote:theirs"
	cs, err := f.review.Compare(f.t.Context(), s)
	f.must(err)
	if !cs.Foreign {
		f.t.Error("a turn of another repository counts as one of this work tree")
	}
	lines := []string{cs.Base.Label + " to " + cs.Target.Label}
	for _, file := range cs.Files {
		lines = append(lines, fmt.Sprintf("%s %s", file.Change, file.Path))
	}
	return strings.Join(lines, "\n")
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

// TestOursAreNotTheirs: records of threads that were recorded here are not listed twice,
// and what was learnt of many is kept.
func TestOursAreNotTheirs(t *testing.T) {
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
	_, err = f.book.Start(t.Context(), ledger.StartEvent{Thread: "theirs", Agent: "codex", Prompt: "here"})
	f.must(err)
	if list, _, err := elsewhereWith(f, "").Threads(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("a thread of ours is listed as another's: %v, %v", list, err)
	}
}

func elsewhereWith(f *fixture, cache string) *recorders.Elsewhere {
	objs, names := objects.Open(f.repo), refs.New(f.repo)
	records, err := refstore.Open(checkpoint.Context{Repo: f.repo, Objects: objs, Refs: names, Clock: time.Now})
	f.must(err)
	return recorders.NewElsewhere(objs, records, f.book.Ledger, cache, time.Now)
}
