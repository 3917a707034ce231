package review

import (
	"context"
	"sync"

	"overturn/model"
	"overturn/review/ownership"
	"overturn/review/patch"
)

// Owner is who owns f as a whole, and the thread where that is one agent's. No
// content is read where all that touched the file is one owner's.
func (e *Engine) Owner(ctx context.Context, cs *ChangeSet, f *File) (model.Owner, model.ThreadID, error) {
	h, err := e.history(ctx, cs, f)
	if err != nil {
		return "", "", err
	}
	if v, ok := h.Sole(); ok {
		return v.Owner, v.Thread, nil
	}
	o, err := e.Owners(ctx, cs, f)
	return o.Owner, o.Thread, err
}

// Owners is who owns f and each hunk of its exact diff.
func (e *Engine) Owners(ctx context.Context, cs *ChangeSet, f *File) (FileOwners, error) {
	h, err := e.history(ctx, cs, f)
	if err != nil {
		return FileOwners{}, err
	}
	diff, err := e.Diff(ctx, cs, f, patch.Options{})
	if err != nil {
		return FileOwners{}, err
	}
	return ownership.Attribute(ctx, h, diff, func(ctx context.Context, s ownership.State) ([]byte, error) {
		return e.deps.Objects.Blob(ctx, s.Key)
	})
}

// Keeps says why a difference of that owner stays in a plan that does not name its
// file, or "" where the agent of the scope's thread made it.
func (cs *ChangeSet) Keeps(owner model.Owner, thread model.ThreadID) string {
	switch {
	case owner == model.OwnerAgent && thread == cs.Thread:
		return ""
	case owner == model.OwnerAgent:
		return "made by another thread, " + string(thread)
	case owner == model.OwnerUser:
		return "made by the user"
	case owner == model.OwnerMixed:
		return "made by several"
	default:
		return "nobody knows who made it"
	}
}

// ownerIndex is what a change set learns about owners when they are first asked
// for. A failure (a cancelled context) is not kept.
type ownerIndex struct {
	mu     sync.Mutex
	tracks *tracks
	coarse []ownership.Segment // between boundaries alone; see whole
}

func (o *ownerIndex) learn(ctx context.Context, e *Engine, cs *ChangeSet) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.tracks != nil {
		return nil
	}
	records, err := e.records(ctx, cs)
	if err != nil {
		return err
	}
	paths := make([]model.Path, len(cs.Files))
	for i, f := range cs.Files {
		paths[i] = f.Path
	}
	o.coarse = moving(records.segments(cs, nil, false))
	o.tracks, err = follow(ctx, e.deps.Objects, paths, func(lost map[string]bool) []ownership.Segment {
		return records.segments(cs, lost, true)
	})
	return err
}

// history is the versions of a file between the sides of a change set.
func (e *Engine) history(ctx context.Context, cs *ChangeSet, f *File) (*ownership.History, error) {
	if err := cs.order.learn(ctx, e, cs); err != nil {
		return nil, err
	}
	if f.OldPath == "" {
		return cs.order.of(f.Path, f.Old, f.New), nil
	}
	// A row of the rename view is two paths: what made either made the row.
	absent := cs.Base.entry(f.Path, 0, "")
	h := &ownership.History{Path: f.Path, States: []ownership.State{state(f.Old)}}
	for _, part := range []*ownership.History{cs.order.of(f.OldPath, f.Old, absent), cs.order.of(f.Path, absent, f.New)} {
		for _, by := range part.Steps {
			h.States, h.Steps = append(h.States, state(f.New)), append(h.Steps, by)
		}
	}
	return h, nil
}

func (o *ownerIndex) of(p model.Path, old, now Entry) *ownership.History {
	if h, ok := o.tracks.history(p, state(old), state(now)); ok {
		return h
	}
	return o.whole(p, old, now)
}

// whole is the history of what trees do not show, raw bytes and rare permission
// bits: captures inside a turn do not keep them, so that a turn counts as a whole.
func (o *ownerIndex) whole(p model.Path, old, now Entry) *ownership.History {
	h := &ownership.History{Path: p, States: []ownership.State{state(old)}}
	for i := range o.coarse {
		h.States = append(h.States, state(now))
		h.Steps = append(h.Steps, o.coarse[i].Verdict(p))
	}
	return h
}
