package storetest

import (
	"errors"
	"testing"

	"overturn/gitops/checkpoint"
)

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
