package review

import (
	"context"
	"sync"

	"overturn/model"
	"overturn/review/ledger"
)

// lineIndex is the turns that a change set's lines may come from, listed when they
// are first asked for, and the evidence that was read of them. A failure (a cancelled
// context) is not kept.
type lineIndex struct {
	mu    sync.Mutex
	all   records
	known bool
	full  map[turnKey]*recorded
}

// of lists the turns of the work tree up to the target, without evidence.
func (x *lineIndex) of(ctx context.Context, e *Engine, cs *ChangeSet) (records, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.known {
		return x.all, nil
	}
	threads, err := e.deps.Ledger.Threads(ctx)
	if err != nil {
		return nil, err
	}
	var all records
	for _, t := range threads {
		if t.WorkTree != cs.WorkTree {
			continue
		}
		turns, err := e.deps.Ledger.Briefs(ctx, t.ID, 0)
		if err != nil {
			return nil, err
		}
		var kept []recorded
		for _, turn := range turns {
			if cs.precedes(&turn) {
				kept = append(kept, recorded{turn: turn})
			}
		}
		if len(kept) > 0 {
			all = append(all, kept)
		}
	}
	x.all, x.known, x.full = all, true, map[turnKey]*recorded{}
	return all, nil
}

// precedes tells whether a turn began before the target.
func (cs *ChangeSet) precedes(t *model.Turn) bool {
	if !cs.Scope.OfTurns() {
		return true
	}
	if t.Thread == cs.Thread {
		_, last := cs.numbers()
		return t.Number <= last
	}
	opened := openedAt(t)
	return opened.IsZero() || !opened.After(cs.Target.At)
}

// evidence is a turn with all that was stored of it.
func (x *lineIndex) evidence(ctx context.Context, e *Engine, bare *recorded) (*recorded, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	key := turnKey{bare.turn.Thread, bare.turn.Number}
	if r := x.full[key]; r != nil {
		return r, nil
	}
	r := &recorded{turn: bare.turn}
	var err error
	if r.evidence, err = e.deps.Ledger.Evidence(ctx, key.thread, key.number); err != nil {
		return nil, err
	}
	if t := &r.turn; t.Start != nil && t.End != nil {
		r.switched, err = switched(ctx, e.deps.Objects, ledger.Span{StartTree: t.Start.Tree, StartHead: t.Start.Head,
			StartAt: t.Start.CapturedAt, EndTree: t.End.Tree, EndHead: t.End.Head})
		if err != nil {
			return nil, err
		}
	}
	x.full[key] = r
	return r, nil
}
