package recorders

import (
	"context"
	"fmt"
	"strings"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/model"
)

// fewBuilt is up to how many turns have their boundaries made readable when they are
// listed: nobody compares more at once by their numbers.
const fewBuilt = 32

// Turns lists the turns that have a record here.
func (s *Elsewhere) Turns(ctx context.Context, id model.ThreadID, from, to int) ([]model.Turn, error) {
	rows, err := s.rows(ctx, id)
	if err != nil {
		return nil, err
	}
	build := to > 0 && to-from < fewBuilt
	var list []model.Turn
	for _, row := range rows {
		if row.Turn < from || to > 0 && row.Turn > to {
			continue
		}
		rec, err := s.records.Read(ctx, row.ID)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			list = append(list, model.Turn{Thread: id, Agent: row.Agent, WorkTree: model.WorkTreeElsewhere, Number: row.Turn, Checkpoint: row.ID,
				State: model.TurnUnknown, Status: model.StatusError, StatusReason: err.Error(), StartedAt: row.At})
			continue
		}
		turn := turnOf(id, rec)
		if build {
			if err := s.open(ctx, &turn, rec); err != nil {
				return nil, err
			}
		}
		list = append(list, turn)
	}
	return list, nil
}

// turnOf is the turn of a record as this repository lists it.
func turnOf(id model.ThreadID, rec *checkpoint.Record) model.Turn {
	t := rec.Turn
	t.Thread, t.WorkTree, t.Ref = id, model.WorkTreeElsewhere, "" // the refs of its snapshots are not here
	for _, b := range []**model.Boundary{&t.Start, &t.End} {
		if *b != nil {
			there := **b
			there.Ref = ""
			*b = &there
		}
	}
	if a := rec.Attribution; a != nil && a.Files != nil {
		t.Files = a.Files
	}
	return t
}

// open gives a turn boundaries that can be compared, or none and the reason.
func (s *Elsewhere) open(ctx context.Context, turn *model.Turn, rec *checkpoint.Record) error {
	start, end := turn.Start, turn.End
	turn.Start, turn.End = nil, nil
	note := func(text string) {
		turn.StatusReason = strings.TrimPrefix(turn.StatusReason+"; "+text, "; ")
	}
	if turn.Status != model.StatusReady {
		return nil
	}
	st, err := s.states(ctx, turn.Thread)
	if err != nil {
		return err
	}
	moment, ok := st.moments[turn.Number]
	if !ok {
		turn.Status = model.StatusMissing
		note("recorded elsewhere, and its record has no list of changes that can be read")
		return nil
	}
	turn.Start, turn.End = boundaryAt(start, moment.start), boundaryAt(end, moment.end)
	if moment.skipped > 0 {
		note(fmt.Sprintf("%d of its changes cannot be read", moment.skipped))
	}
	lacking, of, err := s.lacking(ctx, rec.Changes)
	if err != nil {
		return err
	}
	if lacking > 0 {
		note(fmt.Sprintf("recorded elsewhere: the contents of %d of its %d files are not here, as its snapshots were not shared and no commit here has them", lacking, of))
	}
	return nil
}

// boundaryAt is a recorded boundary with the commit that stands for it here.
func boundaryAt(recorded *model.Boundary, commit string) *model.Boundary {
	b := model.Boundary{}
	if recorded != nil {
		b = *recorded
	}
	b.Commit = commit
	return &b
}

// lacking counts the files of which a side is not here.
func (s *Elsewhere) lacking(ctx context.Context, raw []byte) (lacking, of int, err error) {
	list, _ := parseChanges(raw, len(s.objs.EmptyTree()))
	for _, c := range list {
		for _, side := range []objects.TreeEntry{c.old, c.now} {
			if side.Mode == 0 || side.Mode == objects.ModeGitlink {
				continue
			}
			here, err := s.objs.Has(ctx, side.OID)
			if err != nil {
				return 0, 0, err
			}
			if !here {
				lacking++
				break
			}
		}
	}
	return lacking, len(list), nil
}
