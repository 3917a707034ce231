package ledger

import (
	"context"
	"slices"
	"time"

	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
)

// The trailers of a boundary's snapshot beside thread, turn and boundary.
const (
	trailerWorkTree   = "Overturn-Work-Tree"
	trailerCheckpoint = "Overturn-Checkpoint"
)

// The boundaries as trailers name them.
const (
	boundaryBaseline = "baseline"
	boundaryStart    = "start"
	boundaryEnd      = "end"
)

// origin is what a snapshot commit says of where it was made.
type origin struct {
	stored   *snapshot.Stored
	workTree string
}

// trailer is one of the snapshot's own trailers, "" where there is no snapshot.
func (o origin) trailer(name string) string {
	if o.stored == nil {
		return ""
	}
	return o.stored.Trailers.Extra[name]
}

// originOf reads the commit of a boundary; false when it is not a snapshot of
// that thread and turn, whoever put it there.
func (l *Ledger) originOf(ctx context.Context, commit string, thread model.ThreadID, n int) (origin, bool) {
	stored, err := snapshot.Read(ctx, l.d.Objects, commit)
	if err != nil || stored.Trailers.Thread != thread || stored.Trailers.Turn != n {
		return origin{}, false
	}
	return origin{stored, stored.Trailers.Extra[trailerWorkTree]}, true
}

func storedBoundary(s *snapshot.Stored, ref string) *model.Boundary {
	return &model.Boundary{
		Ref: ref, Commit: s.Commit, Tree: s.Tree, Head: s.Head.Commit, Branch: s.Head.Branch,
		Operation: s.Operation, CapturedAt: s.CapturedAt, Inventory: s.Inventory,
	}
}

// recoverTurn stands in for a lost or damaged <n>.json: from the record that the
// end snapshot names, else from the refs alone, else it says that it is lost.
// Never from the present content of the work tree.
func (l *Ledger) recoverTurn(ctx context.Context, thread model.ThreadID, n int) *turnFile {
	t := &turnFile{Turn: model.Turn{
		Thread: thread, WorkTree: l.d.Repo.WorkTree, Number: n, State: model.TurnUnknown,
		Status: model.StatusMissing, StatusReason: "the local file of the turn was lost",
	}}
	commit, err := l.d.Refs.Read(ctx, endRef(thread, n))
	if err != nil || commit == "" {
		l.recoverStart(ctx, t)
		return t
	}
	from, ok := l.originOf(ctx, commit, thread, n)
	if !ok {
		t.Turn.Status = model.StatusError
		t.Turn.StatusReason = "the local file of the turn was lost, and " + endRef(thread, n) + " holds a commit that is not its snapshot"
		return t
	}
	t.Beside, t.Turn.WorkTree = besideOf(from.stored), or(from.workTree, t.Turn.WorkTree)
	if id := model.ID(from.stored.Trailers.Extra[trailerCheckpoint]); id != "" && l.d.Records != nil {
		if rec, err := l.d.Records.Read(ctx, id); err == nil && rec.Turn.Thread == thread && rec.Turn.Number == n {
			t.Turn = rec.Turn
			return t
		}
		t.Turn.Checkpoint = id
	}
	l.recoverStart(ctx, t)
	t.Turn.Ref = endRef(thread, n)
	t.Turn.End = storedBoundary(from.stored, t.Turn.Ref)
	t.Turn.CompletedAt = &t.Turn.End.CapturedAt
	if t.Turn.Start == nil {
		l.recoverStartFromEnd(ctx, t)
	}
	t.Turn.StatusReason = "the record of the turn was lost; its snapshots are there"
	if t.Turn.Start != nil {
		t.Turn.Status = model.StatusReady
	}
	return t
}

func (l *Ledger) recoverStart(ctx context.Context, t *turnFile) {
	name := startRef(t.Turn.Thread, t.Turn.Number)
	commit, err := l.d.Refs.Read(ctx, name)
	if err != nil || commit == "" {
		return
	}
	if from, ok := l.originOf(ctx, commit, t.Turn.Thread, t.Turn.Number); ok {
		t.Turn.WorkTree = or(from.workTree, t.Turn.WorkTree)
		t.setStart(storedBoundary(from.stored, name))
	}
}

// recoverStartFromEnd takes the end of the turn before as the start: that is what
// the absence of a start ref means.
func (l *Ledger) recoverStartFromEnd(ctx context.Context, t *turnFile) {
	name := endRef(t.Turn.Thread, t.Turn.Number-1)
	commit, err := l.d.Refs.Read(ctx, name)
	if err != nil || commit == "" {
		return
	}
	if from, ok := l.originOf(ctx, commit, t.Turn.Thread, t.Turn.Number-1); ok {
		t.setStart(storedBoundary(from.stored, name))
	}
}

func (t *turnFile) setStart(b *model.Boundary) {
	t.Turn.Start, t.Turn.Base = b, b.Head
	if t.Turn.StartedAt.IsZero() {
		t.Turn.StartedAt = b.CapturedAt
	}
}

// rebuild makes the local files of a thread anew from its refs and records, after
// the state folder was lost. A folder that was never there has nothing to rebuild.
func (l *Ledger) rebuild(ctx context.Context, thread model.ThreadID) error {
	all, err := l.d.Refs.List(ctx, threadRefs(thread))
	if err != nil || len(all) == 0 {
		return err
	}
	dir := dirOf(l.d.Repo.StateDir(), thread)
	for _, ref := range all {
		_, n, start, err := ParseRef(ref.Name)
		if err != nil || n == 0 {
			continue
		}
		if _, ours := l.originOf(ctx, ref.OID, thread, n); !ours {
			continue // not made by us: the turn of that number will find it in its way
		}
		if start && hasRef(all, endRef(thread, n)) {
			continue
		}
		t := l.recoverTurn(ctx, thread, n)
		if err := dir.writeTurn(t, false); err != nil {
			return err
		}
	}
	return nil
}

func hasRef(all []refs.Ref, name string) bool {
	return slices.ContainsFunc(all, func(r refs.Ref) bool { return r.Name == name })
}

// newThread is thread.json of a thread at its first turn.
func (l *Ledger) newThread(thread model.ThreadID, agent, prompt string, at time.Time) threadFile {
	return threadFile{Thread: thread, Agent: agent, WorkTree: l.d.Repo.WorkTree, Title: titleOf(prompt), CreatedAt: at}
}
