package storetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
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

		Transcript:  []byte("{\"role\":\"user\"}\n{\"role\":\"assistant\"}\n"),
		Attribution: &checkpoint.Attribution{At: at, Files: []model.FileChange{{Path: "raw\xfe.txt", Change: model.Added, Additions: 3, Owner: model.OwnerMixed}}},
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
		"several in one write":              together,
		"what is let go is gone":            forgotten,
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
	if !bytes.Equal(got.Transcript, want.Transcript) || !reflect.DeepEqual(got.Attribution, want.Attribution) {
		t.Errorf("transcript or attribution came back as %q %+v", got.Transcript, got.Attribution)
	}
	if got.Backend != b.Store.Type() {
		t.Errorf("read from %q", got.Backend)
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

// together publishes two records and a revision of the first as one write: a turn that
// ends and one that it interrupts are.
func together(t *testing.T, b *Bench) {
	first, second := b.Record(t, 1), b.Record(t, 2)
	w := b.Context.Objects.NewWriter()
	var all checkpoint.Pending
	for _, rec := range []*checkpoint.Record{first, second} {
		pending, err := b.Store.Create(t.Context(), w, rec)
		if err != nil {
			t.Fatal(err)
		}
		all.Updates = checkpoint.Merge(all.Updates, pending.Updates...)
	}
	if err := checkpoint.Publish(t.Context(), w, b.Context.Refs, all); err != nil {
		t.Fatal(err)
	}
	for _, rec := range []*checkpoint.Record{first, second} {
		if got, err := b.Store.Read(t.Context(), rec.ID()); err != nil || got.Turn.Number != rec.Turn.Number {
			t.Errorf("%s: %v, %v", rec.ID(), got, err)
		}
	}
	if list, err := b.Store.List(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("list is %v, %v", list, err)
	}
}

func forgotten(t *testing.T, b *Bench) {
	gone, stays, never := b.Record(t, 1), b.Record(t, 2), b.Record(t, 3)
	b.Put(t, gone)
	b.Put(t, stays)
	for range 2 {
		if err := b.Store.Forget(t.Context(), gone.ID(), never.ID()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Store.Read(t.Context(), gone.ID()); !errors.Is(err, checkpoint.ErrNotFound) {
		t.Errorf("what was let go: %v", err)
	}
	if _, err := b.Store.Read(t.Context(), stays.ID()); err != nil {
		t.Errorf("the other one: %v", err)
	}
	list, err := b.Store.List(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != stays.ID() || list[0].Type != b.Store.Type() {
		t.Errorf("list is %+v, %v", list, err)
	}
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
