package recorders

import (
	"context"
	"io"

	"overturn/model"
	"overturn/review/ledger"
)

// Between is the turns from one number to another, without their lists.
func (b *Book) Between(ctx context.Context, id model.ThreadID, from, to int) ([]model.Turn, error) {
	s := b.source(ctx, id)
	if s == nil {
		return b.Ledger.Between(ctx, id, from, to)
	}
	return s.Turns(ctx, id, from, to)
}

// Briefs is the newest turns (0: all) without their lists; what files add up to is told.
func (b *Book) Briefs(ctx context.Context, id model.ThreadID, limit int) ([]model.Turn, error) {
	if b.source(ctx, id) == nil {
		return b.Ledger.Briefs(ctx, id, limit)
	}
	turns, err := b.listed(ctx, id, limit, false)
	for i := range turns {
		turns[i].Sum = model.SumOf(turns[i].Files)
		turns[i].Files = nil
	}
	return turns, err
}

// Turns is the newest turns (0: all) with what they changed.
func (b *Book) Turns(ctx context.Context, id model.ThreadID, limit int) ([]model.Turn, error) {
	if b.source(ctx, id) == nil {
		return b.Ledger.Turns(ctx, id, limit)
	}
	return b.listed(ctx, id, limit, true)
}

// listed is the newest turns of another program's thread with their files.
func (b *Book) listed(ctx context.Context, id model.ThreadID, limit int, exact bool) ([]model.Turn, error) {
	s := b.source(ctx, id)
	turns, err := s.Turns(ctx, id, 1, 0)
	if err != nil {
		return nil, err
	}
	if limit > 0 && len(turns) > limit {
		turns = turns[len(turns)-limit:]
	}
	for i := range turns {
		if err := b.fill(ctx, s, &turns[i], exact); err != nil {
			return nil, err
		}
	}
	return turns, nil
}

// fill adds the files of a turn, and who made them.
func (b *Book) fill(ctx context.Context, s Source, turn *model.Turn, exact bool) error {
	if turn.Files != nil || turn.Status != model.StatusReady {
		return nil
	}
	files, err := b.filled.of(ctx, s, turn, exact)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		turn.StatusReason = "its files cannot be listed: " + err.Error()
		return nil
	}
	ev, err := b.Evidence(ctx, turn.Thread, turn.Number)
	if err != nil {
		return err
	}
	owner := model.OwnerAgent
	if ev.Gone || len(ev.Overlaps) > 0 {
		owner = model.OwnerUnknown
	}
	turn.Files = make([]model.FileChange, len(files))
	for i, f := range files {
		f.Owner = owner
		turn.Files[i] = f
	}
	return nil
}

// Turn is one turn with what it changed (CodeUsage when there is none).
func (b *Book) Turn(ctx context.Context, id model.ThreadID, n int) (model.Turn, error) {
	s := b.source(ctx, id)
	if s == nil {
		return b.Ledger.Turn(ctx, id, n)
	}
	turn, err := b.Brief(ctx, id, n)
	if err == nil {
		err = b.fill(ctx, s, &turn, true)
	}
	return turn, err
}

// Brief is one turn without its lists.
func (b *Book) Brief(ctx context.Context, id model.ThreadID, n int) (model.Turn, error) {
	s := b.source(ctx, id)
	if s == nil {
		return b.Ledger.Brief(ctx, id, n)
	}
	if n > 0 {
		turns, err := s.Turns(ctx, id, n, n)
		if err != nil {
			return model.Turn{}, err
		}
		if len(turns) == 1 {
			return turns[0], nil
		}
	}
	return model.Turn{}, model.Usagef("thread %q has no turn %d", id, n).WithHint("`overturn turns --thread %s` lists them", id.Word())
}

// Boundary is the commit of boundary n.
func (b *Book) Boundary(ctx context.Context, id model.ThreadID, n int) (string, error) {
	s := b.source(ctx, id)
	switch {
	case s == nil:
		return b.Ledger.Boundary(ctx, id, n)
	case n == 0:
		base, err := s.Baseline(ctx, id)
		return base.Commit, err
	}
	turn, err := b.Brief(ctx, id, n)
	if err != nil {
		return "", err
	}
	if turn.End == nil {
		return "", model.Errorf(model.CodeFailed, "the end of turn %d was not captured: %s", n, turn.StatusReason)
	}
	return turn.End.Commit, nil
}

// Evidence is what tells who made turn n. A turn of ours that ran at the same time, in
// the same work tree, is an overlap.
func (b *Book) Evidence(ctx context.Context, id model.ThreadID, n int) (ledger.Evidence, error) {
	s := b.source(ctx, id)
	if s == nil {
		return b.Ledger.Evidence(ctx, id, n)
	}
	ev, err := s.Evidence(ctx, id, n)
	if err != nil || ev.Gone || len(ev.Overlaps) > 0 {
		return ev, err
	}
	turn, err := b.Brief(ctx, id, n)
	if err != nil {
		return ev, err
	}
	ev.Overlaps, err = b.beside(ctx, &turn)
	return ev, err
}

// WriteLog writes the agent's own log of a turn of another program; false where that
// keeps none.
func (b *Book) WriteLog(ctx context.Context, id model.ThreadID, n int, w io.Writer) (bool, error) {
	if s, ok := b.source(ctx, id).(Logger); ok {
		return s.WriteLog(ctx, id, n, w)
	}
	return false, nil
}

// Check looks whether the objects of turns of ours are still stored; those of others were
// read as they were listed.
func (b *Book) Check(ctx context.Context, turns []model.Turn) {
	if len(turns) > 0 && b.source(ctx, turns[0].Thread) == nil {
		b.Ledger.Check(ctx, turns)
	}
}

// Seen notes that turns of ours were shown.
func (b *Book) Seen(ctx context.Context, id model.ThreadID, from, to int) error {
	if b.source(ctx, id) != nil {
		return nil
	}
	return b.Ledger.Seen(ctx, id, from, to)
}
