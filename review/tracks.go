package review

import (
	"context"
	"errors"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/ownership"
)

// tracks is which segments changed which path.
type tracks struct {
	segments []ownership.Segment
	changed  map[model.Path][]step // nil where one segment changed all
}

// step is one change of a path: by which segment, from what into what.
type step struct {
	segment   int
	old, made ownership.State
}

// follow finds for each path the segments that changed it. Cut gives the segments;
// it is told of captures whose objects are gone, which then count as not taken.
func follow(ctx context.Context, objs *objects.Store, paths []model.Path, cut func(lost map[string]bool) []ownership.Segment) (*tracks, error) {
	lost := map[string]bool{}
	for {
		t := &tracks{segments: moving(cut(lost))}
		if len(t.segments) == 0 || len(t.segments) == 1 && !t.segments[0].Switched() {
			return t, nil
		}
		missing, err := t.walk(ctx, objs, paths)
		switch {
		case missing != "" && !lost[missing]:
			lost[missing] = true
		case err != nil:
			return nil, model.Failf(err, "cannot follow the files through the turns")
		default:
			return t, nil
		}
	}
}

// moving leaves out segments in which nothing changed.
func moving(all []ownership.Segment) []ownership.Segment {
	var kept []ownership.Segment
	for _, s := range all {
		if s.From != s.To {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 && len(all) > 0 {
		return all[len(all)-1:]
	}
	return kept
}

// block is how many segments of a long history are looked at as one first. What
// came and went again within a block that left the files as they were is skipped.
const block = 16

// walk compares the trees of each segment. It returns the tree that a segment led
// to where its objects could not be found.
func (t *tracks) walk(ctx context.Context, objs *objects.Store, paths []model.Path) (missing string, err error) {
	t.changed = make(map[model.Path][]step, len(paths))
	for _, p := range paths {
		t.changed[p] = nil
	}
	for first := 0; first < len(t.segments); first += block {
		last := min(first+block, len(t.segments))
		if len(t.segments) > 4*block && !t.touched(ctx, objs, t.segments[first].From, t.segments[last-1].To) {
			continue
		}
		for i := first; i < last; i++ {
			err := t.segment(ctx, objs, i)
			if errors.Is(err, objects.ErrNotFound) && i+1 < len(t.segments) {
				return t.segments[i].To, err
			}
			if err != nil {
				return "", err
			}
		}
	}
	return "", nil
}

// touched tells whether any of the files differs between two trees; where that
// cannot be told, it may.
func (t *tracks) touched(ctx context.Context, objs *objects.Store, from, to string) bool {
	err := objs.DiffFunc(ctx, from, to, func(c objects.TreeChange) error {
		if _, ok := t.changed[c.Path]; ok {
			return errStop
		}
		return ctx.Err()
	})
	return err != nil
}

// segment notes what segment i changed.
func (t *tracks) segment(ctx context.Context, objs *objects.Store, i int) error {
	var git Side // entries as git has them: captures inside a turn keep no more
	return objs.DiffFunc(ctx, t.segments[i].From, t.segments[i].To, func(c objects.TreeChange) error {
		if steps, ok := t.changed[c.Path]; ok {
			t.changed[c.Path] = append(steps, step{
				segment: i,
				old:     state(git.entry(c.Path, c.OldMode, c.OldOID)),
				made:    state(git.entry(c.Path, c.NewMode, c.NewOID)),
			})
		}
		return ctx.Err()
	})
}

func state(en Entry) ownership.State {
	return ownership.State{Kind: en.Kind, Key: en.OID, Mode: en.Mode}
}

// history is the versions of a path, of which the first and the last are known
// better than trees tell; false when no segment changed it.
func (t *tracks) history(p model.Path, old, now ownership.State) (*ownership.History, bool) {
	h := &ownership.History{Path: p, States: []ownership.State{old}}
	steps := t.changed[p]
	switch {
	case t.changed == nil && len(t.segments) == 1:
		h.States, h.Steps = append(h.States, now), append(h.Steps, t.segments[0].Verdict(p))
		return h, true
	case len(steps) == 0:
		return nil, false
	}
	for i, s := range steps {
		made := s.made
		if i == len(steps)-1 {
			made = now
		}
		through(h, &t.segments[s.segment], made)
		h.Append(made, t.segments[s.segment].Verdict(p))
	}
	return h, len(h.Steps) > 0
}

// through adds what a switch of branch left on the way to made.
func through(h *ownership.History, s *ownership.Segment, made ownership.State) {
	if left, by, ok := s.Through(h.Path, h.States[len(h.States)-1]); ok && left != made {
		h.Append(left, by)
	}
}
