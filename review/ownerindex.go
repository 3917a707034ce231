package review

import (
	"context"
	"sync"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/ownership"
)

// ownerIndex is what a change set learns about owners when they are first asked
// for. A failure (a cancelled context) is not kept.
type ownerIndex struct {
	mu     sync.Mutex
	tracks *tracks

	// What trees do not show is told by the snapshots of boundaries alone: coarse
	// is the segments between these, by commit, kept what was read of them.
	coarse []ownership.Segment
	kept   map[string]*kept
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
	o.coarse = records.segments(cs, nil, false)
	if cs.Scope.OfTurns() {
		o.kept = map[string]*kept{cs.Base.Commit: cs.Base.kept, cs.Target.Commit: cs.Target.kept}
	}
	o.tracks, err = follow(ctx, e.deps.Objects, paths, func(lost map[string]bool) []ownership.Segment {
		return records.segments(cs, lost, true)
	})
	return err
}

// history is the versions of a file between the sides of a change set.
func (e *Engine) history(ctx context.Context, cs *ChangeSet, f *File) (*ownership.History, error) {
	oneStep := func(by ownership.Verdict) *ownership.History {
		return &ownership.History{Path: f.Path, States: []ownership.State{state(f.Old), state(f.New)}, Steps: []ownership.Verdict{by}}
	}
	switch {
	case cs.Plain:
		return oneStep(cs.by), nil
	case cs.unsure.has(f.Path) || f.OldPath != "" && cs.unsure.has(f.OldPath):
		return oneStep(ownership.Verdict{Owner: model.OwnerUnknown}), nil
	}
	if err := cs.order.learn(ctx, e, cs); err != nil {
		return nil, err
	}
	if f.OldPath == "" {
		return cs.order.of(ctx, e, f.Path, f.Old, f.New)
	}
	// A row of the rename view is two paths: what made either made the row.
	absent := cs.Base.entry(f.Path, 0, "")
	gone, err := cs.order.of(ctx, e, f.OldPath, f.Old, absent)
	if err != nil {
		return nil, err
	}
	come, err := cs.order.of(ctx, e, f.Path, absent, f.New)
	if err != nil {
		return nil, err
	}
	h := &ownership.History{Path: f.Path, States: []ownership.State{state(f.Old)}}
	for _, by := range append(gone.Steps, come.Steps...) {
		h.States, h.Steps = append(h.States, state(f.New)), append(h.Steps, by)
	}
	return h, nil
}

func (o *ownerIndex) of(ctx context.Context, e *Engine, p model.Path, old, now Entry) (*ownership.History, error) {
	seen, ok := o.tracks.history(p, gitState(old), gitState(now))
	if !ok || old.OID == now.OID && gitState(old) == gitState(now) {
		return o.beside(ctx, e, p, old, now)
	}
	if old.Kind != model.KindFile || now.Kind != model.KindFile || old.Mode == now.Mode || executable(old.Mode) != executable(now.Mode) {
		return seen, nil
	}
	// Beside the content, bits changed that git does not know: a step of its own.
	h, err := o.beside(ctx, e, p, old, now)
	if err != nil {
		return nil, err
	}
	for i := range h.States {
		h.States[i].Key = old.OID
	}
	for i, by := range seen.Steps {
		made := seen.States[i+1]
		made.Mode = now.Mode
		h.States, h.Steps = append(h.States, made), append(h.Steps, by)
	}
	return h, nil
}

// gitState is a state with the mode as git knows it, like those in trees.
func gitState(en Entry) ownership.State {
	s := state(en)
	if en.Kind == model.KindFile {
		s.Mode = octal(objects.ModeFile)
		if executable(en.Mode) {
			s.Mode = octal(objects.ModeExec)
		}
	}
	return s
}

// beside is the history of what trees do not show, raw bytes and rare permission
// bits: captures inside a turn do not keep them, so that a turn counts as a whole.
// Where no boundary shows the change, all that lies between the sides may have
// made it.
func (o *ownerIndex) beside(ctx context.Context, e *Engine, p model.Path, old, now Entry) (*ownership.History, error) {
	h := &ownership.History{Path: p, States: []ownership.State{state(old)}}
	var all []ownership.Verdict
	for i := range o.coarse {
		s := &o.coarse[i]
		by := s.Verdict(p)
		all = append(all, by)
		if o.kept == nil {
			continue // a commit of the project keeps nothing
		}
		before, err := o.at(ctx, e, s.From)
		if err != nil {
			return nil, err
		}
		after, err := o.at(ctx, e, s.To)
		if err != nil {
			return nil, err
		}
		if before.raw[p] != after.raw[p] || before.perm[p] != after.perm[p] {
			h.States, h.Steps = append(h.States, state(now)), append(h.Steps, by)
		}
	}
	if len(h.Steps) == 0 {
		for _, by := range all {
			h.States, h.Steps = append(h.States, state(now)), append(h.Steps, by)
		}
	}
	return h, nil
}

// at is what the snapshot of a boundary keeps beside its tree.
func (o *ownerIndex) at(ctx context.Context, e *Engine, commit string) (*kept, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if k := o.kept[commit]; k != nil {
		return k, nil
	}
	k := &kept{}
	if commit != "" {
		side, err := e.side(ctx, end{label: "a boundary in between", commit: commit})
		if err != nil {
			return nil, err
		}
		k = side.kept
	}
	o.kept[commit] = k
	return k, nil
}
