package ledger_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"overturn/model"
)

// TestRepositoryIsNamedOnce: the records of all work trees tell one id, also where the
// first of them are made at the same time, and a clone's tell another.
func TestRepositoryIsNamedOnce(t *testing.T) {
	b := newBench(t)
	sides := []*bench{b, onRepo(t, b.Worktree("one"), nil), onRepo(t, b.Worktree("two"), nil)}
	ends := make([]model.ID, len(sides))
	var all sync.WaitGroup
	for i, side := range sides {
		thread := model.ThreadID(side.repo.WorkTree)
		side.start(thread, "x")
		all.Go(func() { ends[i] = side.end(thread, "x").Checkpoint })
	}
	all.Wait()
	id := b.toldBy(ends[0])
	if _, err := model.ParseID(id); err != nil {
		t.Fatal(err)
	}
	for _, end := range ends[1:] {
		want(t, "of another work tree", b.toldBy(end), id)
	}
	other := newBench(t)
	other.start(th, "x")
	if other.toldBy(other.end(th, "x").Checkpoint) == id {
		t.Error("two repositories have one id")
	}
}

// TestRepositoryWithoutItsName: a torn file is made anew; where nothing can be read or
// made, turns are recorded all the same, and later ones tell the id that was there.
func TestRepositoryWithoutItsName(t *testing.T) {
	b := newBench(t)
	turn := func(id string) string {
		t.Helper()
		b.start(th, id)
		return b.toldBy(b.end(th, id).Checkpoint)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	first := turn("1")
	file := filepath.Join(b.repo.CommonDir, "overturn", "repository")
	must(os.WriteFile(file, []byte(first[:9]), 0o600))
	second := turn("2")
	if _, err := model.ParseID(second); err != nil || second == first {
		t.Errorf("after a torn file: %q, %v", second, err)
	}
	must(os.Rename(file, file+".away"))
	must(os.Mkdir(file, 0o700))
	want(t, "where it cannot be read", turn("3"), "")
	must(os.Remove(file))
	must(os.Rename(file+".away", file))
	want(t, "where it is there again", turn("4"), second)
}

// toldBy is the repository that a record tells.
func (b *bench) toldBy(id model.ID) string {
	b.t.Helper()
	rec, err := b.records.Read(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return rec.Repository
}
