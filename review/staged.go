package review

import (
	"context"
	"sync"

	"overturn/gitops/snapshot"
	"overturn/model"
)

// indexLine is the trees of the user's index along the turns of a range: where each gap
// between two turns begins and ends. Known is false where a boundary was not captured.
type indexLine struct {
	once  sync.Once
	err   error
	known bool
	gaps  [][2]string
}

// stagedInTurns tells whether a path's entry in the user's index moved inside turns of
// a range alone: between them the user may have staged.
func (e *Engine) stagedInTurns(ctx context.Context, cs *ChangeSet, p model.Path) (bool, error) {
	l := cs.staged
	l.once.Do(func() { l.err = e.indexLine(ctx, cs) })
	if l.err != nil || !l.known {
		return false, l.err
	}
	for _, gap := range l.gaps {
		before, err := e.indexEntry(ctx, gap[0], p)
		if err != nil {
			return false, err
		}
		after, err := e.indexEntry(ctx, gap[1], p)
		if err != nil || before != after {
			return false, err
		}
	}
	return true, nil
}

// indexLine reads the gaps of a range: from its base to the first turn, and from each
// turn to the next.
func (e *Engine) indexLine(ctx context.Context, cs *ChangeSet) error {
	from, to := cs.numbers()
	turns, err := e.deps.Ledger.Between(ctx, cs.Thread, from+1, to)
	if err != nil || len(turns) != to-from {
		return err
	}
	before := cs.Base.kept.index
	for _, t := range turns {
		start, err := e.indexTree(ctx, t.Start)
		if err != nil || start == "" {
			return err
		}
		end, err := e.indexTree(ctx, t.End)
		if err != nil || end == "" {
			return err
		}
		if before != start {
			cs.staged.gaps = append(cs.staged.gaps, [2]string{before, start})
		}
		before = end
	}
	cs.staged.known = true
	return nil
}

// indexTree is the tree of the user's index at a boundary, "" where that is not known.
func (e *Engine) indexTree(ctx context.Context, b *model.Boundary) (string, error) {
	if b == nil || b.Commit == "" {
		return "", nil
	}
	held, err := e.deps.Refs.Read(ctx, b.Ref)
	if err != nil || held != b.Commit {
		return "", err
	}
	stored, err := snapshot.Read(ctx, e.deps.Objects, b.Commit)
	if err != nil {
		return "", err
	}
	return stored.IndexTree, nil
}
