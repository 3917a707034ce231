package review

import (
	"context"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/ledger"
	"overturn/review/ownership"
	"overturn/review/patch"
)

// TurnOwners makes the function by which the ledger sums up who owns the files of a
// turn that has just ended. Beside gives what is stored of a turn of another thread
// that overlapped; the trees are read through objs. Contents are read only of files
// that several owners changed.
func TurnOwners(objs *objects.Store, beside func(context.Context, ledger.Overlap) (Beside, error)) ledger.OwnersFunc {
	return func(ctx context.Context, span ledger.Span, paths []model.Path) (map[model.Path]model.Owner, error) {
		if span.StartTree == "" {
			return allUnknown(paths), nil
		}
		threads, own, err := spanThreads(ctx, span, beside)
		if err != nil {
			return nil, err
		}
		moved, err := switched(ctx, objs, span)
		if err != nil {
			return nil, err
		}
		moved.tell(own)
		return spanOwners(ctx, objs, span, threads, own, paths)
	}
}

func allUnknown(paths []model.Path) map[model.Path]model.Owner {
	owners := make(map[model.Path]model.Owner, len(paths))
	for _, p := range paths {
		owners[p] = model.OwnerUnknown
	}
	return owners
}

// Beside is a turn of another thread, and what was seen in it so far. Of the turn its
// boundaries are needed, and when it began and ended.
type Beside struct {
	Turn     model.Turn
	Evidence ledger.Evidence
}

// BesideIn is how TurnOwners reads a turn from a ledger.
func BesideIn(ctx context.Context, l *ledger.Ledger, o ledger.Overlap) (Beside, error) {
	turn, err := l.Brief(ctx, o.Thread, o.Turn)
	if err != nil {
		return Beside{}, err
	}
	evidence, err := l.Evidence(ctx, o.Thread, o.Turn)
	return Beside{turn, evidence}, err
}

// spanThreads lays out the turn and those that overlapped it, each from its start to
// its end, as a comparison of the turn does: what both say of a file is the same.
func spanThreads(ctx context.Context, span ledger.Span, beside func(context.Context, ledger.Overlap) (Beside, error)) ([]ownership.Thread, *ownership.Turn, error) {
	own := &ownership.Turn{Thread: span.Thread, Number: span.Turn, Reports: span.Evidence.ToolsReported, Wrote: wrote(span.Evidence)}
	line := ownership.Thread{{At: span.StartAt, Tree: span.StartTree, Phase: ownership.Opened, Turn: own}}
	line = append(line, momentPoints(span.Evidence.Moments, own, span.EndAt, nil)...)
	line = append(line, ownership.Point{At: span.EndAt, Tree: span.EndTree, Phase: ownership.Closed, Turn: own})
	threads := []ownership.Thread{line}
	for _, o := range span.Evidence.Overlaps {
		b, err := beside(ctx, o)
		if err != nil {
			return nil, nil, err
		}
		other := recorded{turn: b.Turn, evidence: b.Evidence}
		threads = append(threads, other.points(other.owner(), nil, true))
	}
	return threads, own, nil
}

func spanOwners(ctx context.Context, objs *objects.Store, span ledger.Span, threads []ownership.Thread, own *ownership.Turn, paths []model.Path) (map[model.Path]model.Owner, error) {
	t, err := follow(ctx, objs, paths, func(lost map[string]bool) []ownership.Segment {
		line := ownership.NewTimeline(without(threads, lost)...)
		from, _ := line.Mark(own, ownership.Opened)
		to, _ := line.Mark(own, ownership.Closed)
		return line.Segments(from, to, span.StartTree, span.EndTree)
	})
	if err != nil {
		return nil, err
	}
	owners := make(map[model.Path]model.Owner, len(paths))
	for _, p := range paths {
		// What trees do not show (rare permission bits) stays out: the agent's.
		if owner, ok, err := t.owner(ctx, objs, p); err != nil {
			return nil, err
		} else if ok {
			owners[p] = owner
		}
	}
	return owners, nil
}

// without makes points of captures that are gone into points without one.
func without(threads []ownership.Thread, lost map[string]bool) []ownership.Thread {
	if len(lost) == 0 {
		return threads
	}
	kept := make([]ownership.Thread, len(threads))
	for i, t := range threads {
		for _, p := range t {
			if lost[p.Tree] {
				p.Tree = ""
			}
			kept[i] = append(kept[i], p)
		}
	}
	return kept
}

// owner sums up one path by the blobs of its versions; false when no tree shows a
// change.
func (t *tracks) owner(ctx context.Context, objs *objects.Store, p model.Path) (model.Owner, bool, error) {
	if t.changed == nil && len(t.segments) == 1 {
		return t.segments[0].Verdict(p).Owner, true, nil
	}
	steps := t.changed[p]
	if len(steps) == 0 {
		return "", false, nil
	}
	h, _ := t.history(p, steps[0].old, steps[len(steps)-1].made)
	if v, ok := h.Sole(); ok {
		return v.Owner, true, nil
	}
	load := func(ctx context.Context, s ownership.State) ([]byte, error) { return blobOf(ctx, objs, s) }
	old, err := load(ctx, h.States[0])
	if err != nil {
		return "", false, err
	}
	now, err := load(ctx, h.States[len(h.States)-1])
	if err != nil {
		return "", false, err
	}
	var diff *patch.Diff
	if !patch.IsBinary(old) && !patch.IsBinary(now) && len(old)+len(now) <= ownership.MaxWork {
		if diff, err = patch.CompareContext(ctx, old, now, patch.Options{}); err != nil {
			return "", false, err
		}
	}
	f, err := ownership.Attribute(ctx, h, diff, load)
	return f.Owner, true, err
}

// blobOf is the content of a version as git stores it; of what has none, nothing.
func blobOf(ctx context.Context, objs *objects.Store, s ownership.State) ([]byte, error) {
	if s.Kind != model.KindFile && s.Kind != model.KindLink {
		return nil, nil
	}
	return objs.Blob(ctx, s.Key)
}
