package refs

import (
	"context"
	"os"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
)

// Drop lets go of a ref that holds old, for whom it does no harm when the ref comes
// back: after a power cut, or where git packs the refs at this very moment. A loose
// ref, which it is as long as it moves, goes in process and without a sync; any
// other goes as Apply does it.
func (s *Store) Drop(ctx context.Context, name, old string) error {
	u := Update{Name: name, Old: old}
	if err := s.checkUpdate(u); err != nil {
		return err
	}
	if s.repo.RefStorage == "files" {
		if dropped, err := s.dropLoose(ctx, u); dropped || err != nil {
			return err
		}
	}
	return s.Apply(ctx, []Update{u})
}

// dropLoose leaves a packed ref alone: its file gone, the packed value would show.
func (s *Store) dropLoose(ctx context.Context, u Update) (bool, error) {
	t := &Transaction{s: s, updates: []Update{u}, folders: map[string]bool{}}
	defer t.Release()
	lock, err := t.lock(ctx, u.Name)
	if err != nil {
		return false, err
	}
	t.locks = append(t.locks, lock)
	if t.packed, err = s.repo.PackedRefsData(); err != nil {
		return false, err
	}
	if err := t.check(u); err != nil {
		return false, err
	}
	if packed, err := gitops.LookupPacked(t.packed, u.Name); err != nil || packed != "" {
		return false, err
	}
	durable.Point("refs.droploose.remove")
	if err := os.Remove(s.path(u.Name)); err != nil {
		return false, model.Failf(err, "cannot delete ref %s", u.Name)
	}
	return true, nil
}
