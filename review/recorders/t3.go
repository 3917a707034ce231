package recorders

import (
	"context"
	"fmt"
	"sync"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint/foreign/t3"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
	"overturn/review/ledger"
)

// SourceT3 is the source of T3 Code's threads, and AgentT3 the agent that is named: which
// one T3 Code drove is not in its checkpoints.
const (
	SourceT3 = "t3"
	AgentT3  = "t3-code"
)

// fresh is how long a listing of another program's refs stands for what is there: one
// verb asks for the same thread many times.
const fresh = time.Second

// T3 is what T3 Code recorded.
type T3 struct {
	repo   *gitops.Repo
	objs   *objects.Store
	reader *t3.Reader
	clock  model.Clock

	mu   sync.Mutex
	at   time.Time
	kept *t3Listing
}

// t3Listing is what was there at one moment.
type t3Listing struct {
	threads []*t3.Thread
	odd     []model.RefNote
	known   map[model.ThreadID]t3.Known
	places  places
}

// NewT3 returns the source; home is T3 Code's own folder, "" where it is not known.
func NewT3(repo *gitops.Repo, objs *objects.Store, store *refs.Store, home string, clock model.Clock) *T3 {
	return &T3{repo: repo, objs: objs, reader: t3.New(objs, store, home), clock: clock}
}

// Name is T3 Code.
func (s *T3) Name() string { return "T3 Code" }

// Owns tells by the prefix.
func (s *T3) Owns(id model.ThreadID) bool {
	return len(id) > len(t3.ThreadPrefix) && id[:len(t3.ThreadPrefix)] == t3.ThreadPrefix
}

func (s *T3) listing(ctx context.Context) (*t3Listing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil && s.clock().Sub(s.at) < fresh {
		return s.kept, nil
	}
	l := &t3Listing{}
	var err error
	if l.threads, l.odd, err = s.reader.Threads(ctx); err != nil {
		return nil, err
	}
	if len(l.threads) > 0 {
		if l.places, err = placesOf(ctx, s.repo); err != nil {
			return nil, err
		}
		var why []model.RefNote
		l.known, why = s.reader.Known(ctx, l.threads)
		l.odd = append(l.odd, why...)
	}
	s.kept, s.at = l, s.clock()
	return l, nil
}

// Threads lists the threads of both generations.
func (s *T3) Threads(ctx context.Context) ([]model.Thread, []model.RefNote, error) {
	l, err := s.listing(ctx)
	if err != nil {
		return nil, nil, err
	}
	list := make([]model.Thread, 0, len(l.threads))
	for _, t := range l.threads {
		newest := t.Newest()
		row := model.Thread{ID: t.ID, Agent: AgentT3, Title: l.known[t.ID].Title, Turns: newest, Source: SourceT3, Plain: true}
		row.WorkTree, row.Within = l.where(t.ID)
		if snap, err := s.reader.Snapshot(ctx, t.Ends[newest]); err == nil {
			row.LastAt = snap.At
		}
		list = append(list, row)
	}
	return list, l.odd, ctx.Err()
}

// where is the work tree that a thread worked in: as T3 Code's database has it, else the
// only one that there is.
func (l *t3Listing) where(id model.ThreadID) (string, model.Path) {
	if dir := l.known[id].Dir; dir != "" {
		return l.places.of(dir)
	}
	return l.places.only(), ""
}

func (s *T3) thread(ctx context.Context, id model.ThreadID) (*t3.Thread, *t3Listing, error) {
	l, err := s.listing(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range l.threads {
		if t.ID == id {
			return t, l, nil
		}
	}
	return nil, nil, NoThread(id)
}

// Turns lists turns; those of which only the start was captured are none.
func (s *T3) Turns(ctx context.Context, id model.ThreadID, from, to int) ([]model.Turn, error) {
	t, l, err := s.thread(ctx, id)
	if err != nil {
		return nil, err
	}
	var list []model.Turn
	for _, n := range t.Turns() {
		if n < from || to > 0 && n > to {
			continue
		}
		turn := s.turn(ctx, t, n)
		if turn.WorkTree, _ = l.where(id); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		list = append(list, turn)
	}
	return list, nil
}

// turn is turn n between the boundaries that are there. What T3 Code thinks of it is not
// asked: its "missing" and "error" are of how the turn went, not of the snapshot.
func (s *T3) turn(ctx context.Context, t *t3.Thread, n int) model.Turn {
	turn := model.Turn{Thread: t.ID, Agent: AgentT3, Number: n, Ref: t.Ends[n].Ref, State: model.TurnUnknown, Status: model.StatusReady}
	var notes [2]string
	var failed [2]error
	turn.End, notes[1], failed[1] = s.boundary(ctx, t.Ends[n])
	if turn.End != nil && !turn.End.CapturedAt.IsZero() {
		turn.CompletedAt, turn.StartedAt = &turn.End.CapturedAt, turn.End.CapturedAt
	}
	if b, ok := t.Before(n); ok {
		turn.Start, notes[0], failed[0] = s.boundary(ctx, b)
	} else {
		failed[0] = fmt.Errorf("boundary %d was not captured, or its ref was deleted", n-1)
	}
	if turn.Start != nil && !turn.Start.CapturedAt.IsZero() {
		turn.StartedAt = turn.Start.CapturedAt
	}
	switch {
	case failed[1] != nil:
		turn.Status, turn.StatusReason = model.StatusError, "its end: "+failed[1].Error()
	case failed[0] != nil:
		turn.Status, turn.StatusReason = model.StatusMissing, "its start: "+failed[0].Error()
	case notes[1] != "":
		turn.StatusReason = "its end: " + notes[1]
	case notes[0] != "":
		turn.StatusReason = "its start: " + notes[0]
	}
	return turn
}

func (s *T3) boundary(ctx context.Context, b t3.Boundary) (*model.Boundary, string, error) {
	snap, err := s.reader.Snapshot(ctx, b)
	if err != nil {
		return nil, "", err
	}
	return &model.Boundary{Ref: b.Ref, Commit: b.Commit, Tree: snap.Tree, CapturedAt: snap.At}, snap.Note, nil
}

// Baseline is boundary 0.
func (s *T3) Baseline(ctx context.Context, id model.ThreadID) (model.Boundary, error) {
	t, _, err := s.thread(ctx, id)
	if err != nil {
		return model.Boundary{}, err
	}
	at, ok := t.Ends[0]
	if !ok {
		return model.Boundary{}, model.Errorf(model.CodeFailed, "the baseline of thread %q was not captured, or its ref was deleted", id).
			WithHint("choose a turn or a range; `overturn turns --thread %s` lists them", id.Word())
	}
	b, _, err := s.boundary(ctx, at)
	if err != nil {
		return model.Boundary{}, err
	}
	return *b, nil
}

// Files is what turn changed in the folder that T3 Code captured.
func (s *T3) Files(ctx context.Context, turn *model.Turn, exact bool) ([]model.FileChange, error) {
	_, l, err := s.thread(ctx, turn.Thread)
	if err != nil {
		return nil, err
	}
	_, within := l.where(turn.Thread)
	c := changes{objects: s.objs, exact: exact}
	return c.between(ctx, turn.Start.Tree, turn.End.Tree, within)
}

// Evidence: edits between turns belong to the next turn of T3 Code's, unless it captured
// that turn's own start, as late versions do. Turns of its other threads that ran at the
// same time, and may have been in the same work tree, are overlaps.
func (s *T3) Evidence(ctx context.Context, id model.ThreadID, n int) (ledger.Evidence, error) {
	t, l, err := s.thread(ctx, id)
	if err != nil {
		return ledger.Evidence{}, err
	}
	own, ok := t.Starts[n]
	if !ok || own.Broken != "" {
		return ledger.Evidence{Gone: true}, nil
	}
	turn := s.turn(ctx, t, n)
	if turn.Start == nil || turn.CompletedAt == nil || turn.Start.CapturedAt.IsZero() {
		return ledger.Evidence{Gone: true}, nil
	}
	var ev ledger.Evidence
	here, _ := l.where(id)
	for _, other := range l.threads {
		if there, _ := l.where(other.ID); other == t || here != "" && there != "" && here != there {
			continue
		}
		for _, m := range other.Turns() {
			o := s.turn(ctx, other, m)
			if o.CompletedAt == nil || !o.CompletedAt.Before(turn.StartedAt) && o.StartedAt.Before(*turn.CompletedAt) {
				ev.Overlaps = append(ev.Overlaps, ledger.Overlap{Thread: other.ID, Turn: m})
			}
		}
	}
	return ev, ctx.Err()
}
