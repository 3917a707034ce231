package storetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// Factory opens the store under test.
type Factory func(checkpoint.Context) (checkpoint.Store, error)

// Bench is one store on one throw-away repository.
type Bench struct {
	Repo    *gittest.Repo
	Context checkpoint.Context
	Store   checkpoint.Store
	IDs     *model.IDSource

	open Factory
}

// NewBench makes a repository and opens the store on it.
func NewBench(t testing.TB, open Factory) *Bench {
	t.Helper()
	repo := gittest.New(t)
	b := &Bench{Repo: repo, open: open, IDs: model.NewIDSource(time.Now, rand.Reader)}
	b.Context, b.Store = b.Again(t)
	return b
}

// Again opens the store once more, as another process would.
func (b *Bench) Again(t testing.TB) (checkpoint.Context, checkpoint.Store) {
	t.Helper()
	repo, err := gitops.Find(t.Context(), b.Repo.Root, b.Repo.Env)
	if err != nil {
		t.Fatal(err)
	}
	c := checkpoint.Context{Repo: repo, Objects: objects.Open(repo), Refs: refs.New(repo), Clock: time.Now}
	t.Cleanup(func() { c.Objects.Close() })
	store, err := b.open(c)
	if err != nil {
		t.Fatal(err)
	}
	return c, store
}

// Record makes a record with an id of the store and every field set.
func (b *Bench) Record(t testing.TB, n int) *checkpoint.Record {
	t.Helper()
	id, err := b.Store.NewID(b.IDs)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 30, 8, 0, n, 5000, time.UTC)
	bound := func(ref string) *model.Boundary {
		return &model.Boundary{Ref: ref, Commit: fmt.Sprintf("%040d", n), Tree: fmt.Sprintf("%040d", n+1), Branch: "refs/heads/main", CapturedAt: at}
	}
	return &checkpoint.Record{
		Format: checkpoint.FormatOf(b.Store.Type()),
		Turn: model.Turn{
			Thread: "thread/with\u202eodd bytes", Agent: "codex", WorkTree: "main", Number: n, TurnID: "id",
			Prompt: "line one\nline \x1b[31mtwo \xff\n\n", State: model.TurnCompleted, Checkpoint: id,
			Status: model.StatusReady, Start: bound("a"), End: bound("b"), StartedAt: at, CompletedAt: &at,
			Files:   []model.FileChange{{Path: "raw\xfe.txt", Change: model.Added, Additions: 3, Owner: model.OwnerAgent}},
			LeftOut: []model.Noted{{Path: "big.bin", Reason: "over the size limit"}},
			Effects: []model.Effect{{Domain: model.DomainPublication, Summary: "git push", Reversible: model.ReversibleNo, At: at}},
		},
		Evidence: []byte("{\"kind\":\"touch\"}\n"),
		Changes:  []byte(":000000 100644 0000 1111 A\x00raw\xfe.txt\x00"),
	}
}

// Put creates and publishes rec.
func (b *Bench) Put(t testing.TB, rec *checkpoint.Record) {
	t.Helper()
	if err := create(t.Context(), b.Context, b.Store, rec); err != nil {
		t.Fatal(err)
	}
}

func create(ctx context.Context, c checkpoint.Context, store checkpoint.Store, rec *checkpoint.Record) error {
	w := c.Objects.NewWriter()
	pending, err := store.Create(ctx, w, rec)
	if err != nil {
		return err
	}
	return checkpoint.Publish(ctx, w, c.Refs, pending)
}

// Run holds the store against the contract.
func Run(t *testing.T, open Factory) {
	for name, test := range map[string]func(*testing.T, *Bench){
		"what goes in comes out":            roundTrip,
		"created once":                      createdOnce,
		"two creators, one record":          racingCreators,
		"update of what is absent":          updateAbsent,
		"an edit that fails":                editFails,
		"an edit cannot change the id":      editID,
		"no update is lost":                 racingUpdates,
		"another writer in the middle":      overtaken,
		"list is newest first":              listOrder,
		"ids have one spelling":             spelling,
		"cancelled before":                  cancelled,
		"told after publishing, not before": told,
	} {
		t.Run(name, func(t *testing.T) { test(t, NewBench(t, open)) })
	}
}

func roundTrip(t *testing.T, b *Bench) {
	want := b.Record(t, 1)
	b.Put(t, want)
	_, other := b.Again(t)
	if got, err := other.Evidence(t.Context(), want.ID()); err != nil || string(got) != string(want.Evidence) {
		t.Errorf("the evidence alone: %q, %v", got, err)
	}
	got, err := other.Read(t.Context(), want.ID())
	if err != nil {
		t.Fatal(err)
	}
	if got.Format != want.Format || turnJSON(t, got) != turnJSON(t, want) {
		t.Errorf("turn came back as\n%s\nwas\n%s", turnJSON(t, got), turnJSON(t, want))
	}
	if got.Turn.Prompt != want.Turn.Prompt || got.Turn.Files[0].Path != want.Turn.Files[0].Path {
		t.Errorf("bytes came back as %q %q", got.Turn.Prompt, got.Turn.Files[0].Path)
	}
	if !bytes.Equal(got.Evidence, want.Evidence) || !bytes.Equal(got.Changes, want.Changes) {
		t.Errorf("evidence or changes came back as %q %q", got.Evidence, got.Changes)
	}
}

// turnJSON spells a turn; what is not UTF-8 in its prompt is compared apart.
func turnJSON(t *testing.T, r *checkpoint.Record) string {
	data, err := json.Marshal(r.Turn)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func createdOnce(t *testing.T, b *Bench) {
	rec := b.Record(t, 1)
	b.Put(t, rec)
	again := *rec
	again.Turn.Prompt = "another"
	if err := create(t.Context(), b.Context, b.Store, &again); !errors.Is(err, checkpoint.ErrExists) {
		t.Fatalf("second create: %v", err)
	}
	got, err := b.Store.Read(t.Context(), rec.ID())
	if err != nil || got.Turn.Prompt != rec.Turn.Prompt {
		t.Fatalf("the first record is not as it was: %v %v", got, err)
	}
}

func racingCreators(t *testing.T, b *Bench) {
	rec := b.Record(t, 1)
	other := *rec
	other.Turn.Prompt = "the other's"
	w1, w2 := b.Context.Objects.NewWriter(), b.Context.Objects.NewWriter()
	first, err1 := b.Store.Create(t.Context(), w1, rec)
	second, err2 := b.Store.Create(t.Context(), w2, &other)
	if err1 != nil {
		t.Fatal(err1)
	}
	if errors.Is(err2, checkpoint.ErrExists) {
		return // a store that writes at once answers at once
	}
	if err := checkpoint.Publish(t.Context(), w1, b.Context.Refs, first); err != nil {
		t.Fatal(err)
	}
	if err := checkpoint.Publish(t.Context(), w2, b.Context.Refs, second); !errors.Is(err, refs.ErrMoved) {
		t.Fatalf("the second creator was told %v", err)
	}
	got, err := b.Store.Read(t.Context(), rec.ID())
	if err != nil || got.Turn.Prompt != rec.Turn.Prompt {
		t.Fatalf("the record is %v, %v", got, err)
	}
}

func updateAbsent(t *testing.T, b *Bench) {
	id := b.Record(t, 1).ID()
	err := b.Store.Update(t.Context(), id, func(*checkpoint.Record) error { return nil })
	if !errors.Is(err, checkpoint.ErrNotFound) {
		t.Errorf("update: %v", err)
	}
	if _, err := b.Store.Evidence(t.Context(), id); !errors.Is(err, checkpoint.ErrNotFound) {
		t.Errorf("evidence: %v", err)
	}
	if _, err := b.Store.Read(t.Context(), id); !errors.Is(err, checkpoint.ErrNotFound) {
		t.Errorf("read: %v", err)
	}
	if list, err := b.Store.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("list: %v %v", list, err)
	}
}

func editFails(t *testing.T, b *Bench) {
	rec := b.Record(t, 1)
	b.Put(t, rec)
	before, err := b.Store.Read(t.Context(), rec.ID())
	if err != nil {
		t.Fatal(err)
	}
	mine := errors.New("mine")
	err = b.Store.Update(t.Context(), rec.ID(), func(r *checkpoint.Record) error { r.Turn.Prompt = "x"; return mine })
	if !errors.Is(err, mine) {
		t.Errorf("update: %v", err)
	}
	if after, err := b.Store.Read(t.Context(), rec.ID()); err != nil || after.Tip != before.Tip || after.Turn.Prompt != rec.Turn.Prompt {
		t.Errorf("the record changed: %+v %v", after, err)
	}
}

func editID(t *testing.T, b *Bench) {
	rec, other := b.Record(t, 1), b.Record(t, 2)
	b.Put(t, rec)
	err := b.Store.Update(t.Context(), rec.ID(), func(r *checkpoint.Record) error { r.Turn.Checkpoint = other.ID(); return nil })
	if err == nil {
		t.Fatal("an update took another id")
	}
	if _, err := b.Store.Read(t.Context(), other.ID()); !errors.Is(err, checkpoint.ErrNotFound) {
		t.Fatalf("the other id: %v", err)
	}
}

// racingUpdates lets several stores, each with handles of its own, append to one
// record: every line has to be there in the end, once.
func racingUpdates(t *testing.T, b *Bench) {
	rec := b.Record(t, 1)
	rec.Evidence = nil
	b.Put(t, rec)
	const writers, rounds = 4, 4
	var group sync.WaitGroup
	for i := range writers {
		_, store := b.Again(t)
		group.Go(func() {
			for j := range rounds {
				line := fmt.Sprintf("{\"kind\":\"w%d-%d\"}\n", i, j)
				err := store.Update(t.Context(), rec.ID(), func(r *checkpoint.Record) error {
					r.Evidence = append(r.Evidence, line...)
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	got, err := b.Store.Read(t.Context(), rec.ID())
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(got.Evidence, []byte("\n")); n != writers*rounds {
		t.Fatalf("%d lines, want %d:\n%s", n, writers*rounds, got.Evidence)
	}
	for i := range writers {
		for j := range rounds {
			if n := bytes.Count(got.Evidence, fmt.Appendf(nil, "\"w%d-%d\"", i, j)); n != 1 {
				t.Errorf("line %d-%d is there %d times", i, j, n)
			}
		}
	}
}

// overtaken pauses one writer between its read and its publish (E-05).
func overtaken(t *testing.T, b *Bench) {
	rec := b.Record(t, 1)
	b.Put(t, rec)
	w := b.Context.Objects.NewWriter()
	slow, err := b.Store.Revise(t.Context(), w, rec.ID(), func(r *checkpoint.Record) error { r.Turn.MessageID = "slow"; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(slow.Updates) == 0 {
		return // a store that writes at once has no moment in between
	}
	if err := b.Store.Update(t.Context(), rec.ID(), func(r *checkpoint.Record) error { r.Turn.TurnID = "quick"; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := checkpoint.Publish(t.Context(), w, b.Context.Refs, slow); !errors.Is(err, refs.ErrMoved) {
		t.Fatalf("the slow writer was told %v", err)
	}
	if err := b.Store.Update(t.Context(), rec.ID(), func(r *checkpoint.Record) error { r.Turn.MessageID = "slow"; return nil }); err != nil {
		t.Fatal(err)
	}
	got, err := b.Store.Read(t.Context(), rec.ID())
	if err != nil || got.Turn.TurnID != "quick" || got.Turn.MessageID != "slow" {
		t.Fatalf("a write was lost: %+v %v", got, err)
	}
}

func listOrder(t *testing.T, b *Bench) {
	var want []model.ID
	for n := range 5 {
		rec := b.Record(t, n+1)
		b.Put(t, rec)
		want = append([]model.ID{rec.ID()}, want...)
		time.Sleep(2 * time.Millisecond)
	}
	list, err := b.Store.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []model.ID
	for _, info := range list {
		got = append(got, info.ID)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("list is %v, want %v", got, want)
	}
}

func spelling(t *testing.T, b *Bench) {
	rec := b.Record(t, 1)
	b.Put(t, rec)
	for _, id := range []string{"", "x", string(bytes.ToUpper([]byte(rec.ID()))), string(rec.ID()) + "a", string(rec.ID()[1:])} {
		_, err := b.Store.Read(t.Context(), model.ID(id))
		if model.CodeOf(err) != model.CodeUsage {
			t.Errorf("read of %q: %v", id, err)
		}
		wrong := *rec
		wrong.Turn.Checkpoint = model.ID(id)
		if err := create(t.Context(), b.Context, b.Store, &wrong); err == nil {
			t.Errorf("create of %q was accepted", id)
		}
	}
}

func cancelled(t *testing.T, b *Bench) {
	rec := b.Record(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := create(ctx, b.Context, b.Store, rec); err == nil {
		t.Fatal("created under a context that had ended")
	}
	if _, err := b.Store.Read(t.Context(), rec.ID()); !errors.Is(err, checkpoint.ErrNotFound) {
		t.Fatalf("after it: %v", err)
	}
}

func told(t *testing.T, b *Bench) {
	rec := b.Record(t, 1)
	w := b.Context.Objects.NewWriter()
	pending, err := b.Store.Create(t.Context(), w, rec)
	if err != nil {
		t.Fatal(err)
	}
	inner, calls := pending.Published, 0
	pending.Published = func(ctx context.Context) {
		calls++
		if _, err := b.Store.Read(ctx, rec.ID()); err != nil {
			t.Errorf("told before the record is there: %v", err)
		}
		if inner != nil {
			inner(ctx)
		}
	}
	if err := checkpoint.Publish(t.Context(), w, b.Context.Refs, pending); err != nil || calls != 1 {
		t.Fatalf("told %d times: %v", calls, err)
	}
}
