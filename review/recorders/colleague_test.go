package recorders_test

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
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

func elsewhereWith(f *fixture, cache string) *recorders.Elsewhere {
	objs, names := objects.Open(f.repo), refs.New(f.repo)
	records, err := refstore.Open(checkpoint.Context{Repo: f.repo, Objects: objs, Refs: names, Clock: time.Now})
	f.must(err)
	return recorders.NewElsewhere(objs, records, f.book.Ledger, cache, time.Now)
}
