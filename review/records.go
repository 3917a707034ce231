package review

import (
	"context"
	"slices"
	"time"

	"overturn/model"
	"overturn/review/ledger"
	"overturn/review/ownership"
)

// recorded is a turn with the evidence that was stored of it.
type recorded struct {
	turn     model.Turn
	evidence ledger.Evidence
	switched *headSwitch // nil where HEAD did not go to another branch
}

// records is the turns of one work tree that have a bearing on a change set, by
// thread.
type records [][]recorded

// records loads the turns that lie between the sides: for a turn or a range, its
// own and those of other threads that overlap it; for what ends at the present, all of
// this work tree.
func (e *Engine) records(ctx context.Context, cs *ChangeSet) (records, error) {
	threads, err := e.deps.Ledger.Threads(ctx)
	if err != nil {
		return nil, err
	}
	var all records
	for _, t := range threads {
		if t.WorkTree != cs.WorkTree {
			continue
		}
		turns, err := e.candidates(ctx, cs, &t)
		if err != nil {
			return nil, err
		}
		var kept []recorded
		for _, turn := range turns {
			if !cs.concerns(&turn) {
				continue
			}
			r := recorded{turn: turn}
			if r.evidence, err = e.deps.Ledger.Evidence(ctx, t.ID, turn.Number); err != nil {
				return nil, err
			}
			if turn.Start != nil && turn.End != nil {
				r.switched, err = switched(ctx, e.deps.Objects, ledger.Span{StartTree: turn.Start.Tree, StartHead: turn.Start.Head,
					StartAt: turn.Start.CapturedAt, EndTree: turn.End.Tree, EndHead: turn.End.Head})
			}
			if err != nil {
				return nil, err
			}
			kept = append(kept, r)
		}
		if len(kept) > 0 {
			all = append(all, kept)
		}
	}
	return all, nil
}

// candidates lists the turns of a thread among which are those that have a part in
// cs: no more than needed, for a thread may have ten thousand.
func (e *Engine) candidates(ctx context.Context, cs *ChangeSet, t *model.Thread) ([]model.Turn, error) {
	switch {
	case !cs.Scope.OfTurns():
		return e.deps.Ledger.Briefs(ctx, t.ID, 0)
	case t.ID == cs.Thread:
		from, to := cs.numbers()
		return e.deps.Ledger.Between(ctx, t.ID, from, max(to, 1))
	}
	// Those of another thread follow each other in time.
	var list []model.Turn
	for newest := t.Turns; newest > 0; newest -= fewTurns {
		turns, err := e.deps.Ledger.Between(ctx, t.ID, newest-fewTurns+1, newest)
		if err != nil {
			return nil, err
		}
		list = append(turns, list...)
		if !slices.ContainsFunc(turns, func(t model.Turn) bool { closed := closedAt(&t); return closed.IsZero() || !closed.Before(cs.Base.At) }) {
			break
		}
	}
	return list, nil
}

// concerns tells whether a turn has a part in what lies between the sides.
func (cs *ChangeSet) concerns(t *model.Turn) bool {
	if !cs.Scope.OfTurns() {
		return true
	}
	if t.Thread == cs.Thread {
		from, to := cs.numbers()
		return t.Number >= from && t.Number <= to
	}
	if opened := openedAt(t); !opened.IsZero() && opened.After(cs.Target.At) {
		return false
	}
	closed := closedAt(t)
	return closed.IsZero() || !closed.Before(cs.Base.At)
}

// numbers is the first and the last turn whose points bound the scope: the end of
// the first of a range is its base.
func (cs *ChangeSet) numbers() (from, to int) {
	if cs.Scope.Kind == model.ScopeTurn {
		return cs.Scope.Turn, cs.Scope.Turn
	}
	return cs.Scope.From, cs.Scope.To
}

// openedAt is the later of the event and the capture: the start of a turn may be
// the very snapshot that ended the one before.
func openedAt(t *model.Turn) time.Time {
	if t.Start != nil && t.Start.CapturedAt.After(t.StartedAt) {
		return t.Start.CapturedAt
	}
	return t.StartedAt
}

// closedAt is zero for a turn that is open.
func closedAt(t *model.Turn) time.Time {
	switch {
	case t.End != nil && !t.End.CapturedAt.IsZero():
		return t.End.CapturedAt
	case t.CompletedAt != nil:
		return *t.CompletedAt
	}
	return time.Time{}
}

// segments lays the records on one line and cuts it. Trees in lost count as not
// captured. Without moments a turn is one stretch, whatever its tools did, and
// states are named by the commits of boundaries instead of trees.
func (rs records) segments(cs *ChangeSet, lost map[string]bool, moments bool) []ownership.Segment {
	known := map[turnKey]*ownership.Turn{}
	threads := make([]ownership.Thread, len(rs))
	for i, turns := range rs {
		for _, r := range turns {
			t := r.owner()
			t.Reports = t.Reports && moments
			known[turnKey{r.turn.Thread, r.turn.Number}] = t
			threads[i] = append(threads[i], r.points(t, lost, moments)...)
		}
	}
	line := ownership.NewTimeline(threads...)
	from, to := cs.marks(line, known)
	if !moments {
		return line.Segments(from, to, cs.Base.Commit, cs.Target.Commit)
	}
	return line.Segments(from, to, cs.Base.Tree, cs.Target.Tree)
}

type turnKey struct {
	thread model.ThreadID
	number int
}

// marks finds the points of the line at which the sides stand.
func (cs *ChangeSet) marks(line *ownership.Timeline, known map[turnKey]*ownership.Turn) (from, to int) {
	if !cs.Scope.OfTurns() {
		return -1, line.Len()
	}
	first, last := cs.numbers()
	phase := ownership.Closed
	if cs.Scope.Kind == model.ScopeTurn || first == 0 {
		phase = ownership.Opened
		first = max(first, 1)
	}
	from, ok := line.Mark(known[turnKey{cs.Thread, first}], phase)
	if !ok {
		from = -1
	}
	to, ok = line.Mark(known[turnKey{cs.Thread, last}], ownership.Closed)
	if !ok {
		to = line.Len()
	}
	return from, to
}

// owner is what the rules of ownership need of a turn.
func (r *recorded) owner() *ownership.Turn {
	t := &ownership.Turn{Thread: r.turn.Thread, Number: r.turn.Number, Reports: r.evidence.ToolsReported, Gone: r.evidence.Gone}
	r.switched.tell(t)
	t.Wrote = wrote(r.evidence)
	return t
}

// wrote is every path that a tool of the turn named as written.
func wrote(ev ledger.Evidence) map[model.Path]bool {
	set := make(map[model.Path]bool, len(ev.Touched))
	for _, p := range ev.Touched {
		set[p] = true
	}
	for _, m := range ev.Moments {
		if m.Phase == ledger.PhaseRolling || m.Phase == ledger.PhaseRolled {
			continue // the user's
		}
		for _, p := range m.Paths {
			set[p] = true
		}
	}
	return set
}

// points are the moments of a turn, its start and end among them.
func (r *recorded) points(t *ownership.Turn, lost map[string]bool, moments bool) ownership.Thread {
	var list ownership.Thread
	name := func(b *model.Boundary) string {
		switch {
		case b == nil, moments && lost[b.Tree]: // git let go of it since
			return ""
		case moments:
			return b.Tree
		}
		return b.Commit
	}
	if b := r.turn.Start; b != nil {
		list = append(list, ownership.Point{At: openedAt(&r.turn), Tree: name(b), Phase: ownership.Opened, Turn: t})
	}
	inside := momentPoints(r.evidence.Moments, t, closedAt(&r.turn), lost)
	if !moments {
		inside = rollbacks(inside)
	}
	list = append(list, inside...)
	if at := closedAt(&r.turn); !at.IsZero() {
		list = append(list, ownership.Point{At: at, Tree: name(r.turn.End), Phase: ownership.Closed, Turn: t})
	}
	return list
}

// rollbacks keeps the points of rollbacks, without what they captured: it is known
// that they were, and not what they changed of what trees do not show.
func rollbacks(points ownership.Thread) ownership.Thread {
	var list ownership.Thread
	for _, p := range points {
		if p.Phase == ownership.RollbackBegan || p.Phase == ownership.RollbackEnded {
			p.Tree = ""
			list = append(list, p)
		}
	}
	return list
}

// momentPoints leaves out what came after the end of the turn: a tool that was
// reported late names its paths, but the state it left is not the turn's.
func momentPoints(moments []ledger.Moment, t *ownership.Turn, end time.Time, lost map[string]bool) ownership.Thread {
	list := make(ownership.Thread, 0, len(moments))
	for _, m := range moments {
		if !end.IsZero() && m.At.After(end) {
			continue
		}
		p := ownership.Point{At: m.At, Tree: m.Tree, CallID: m.CallID, Turn: t}
		if lost[m.Tree] {
			p.Tree = ""
		}
		switch m.Phase {
		case ledger.PhasePre:
			p.Phase = ownership.ToolBegan
		case ledger.PhasePost:
			p.Phase = ownership.ToolEnded
		case ledger.PhaseRolling:
			p.Phase, p.Paths = ownership.RollbackBegan, m.Paths
		case ledger.PhaseRolled:
			p.Phase, p.Paths = ownership.RollbackEnded, m.Paths
		}
		list = append(list, p)
	}
	return list
}
