package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/refs"
)

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
