package cli

import (
	"context"
	"slices"

	"overturn/ui/view"
)

// Threads lists the threads, the newest first.
func (s *screen) Threads(ctx context.Context) ([]view.Thread, error) {
	threads, _, err := s.book.All(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]view.Thread, len(threads))
	for i, t := range threads {
		list[i] = view.Thread{ID: t.ID, Agent: t.Agent, WorkTree: t.WorkTree, Title: t.Title, Turns: t.Turns, LastAt: t.LastAt, Source: s.book.Recorder(ctx, t.ID)}
	}
	return list, nil
}

// Timeline merges the turns of all threads of this work tree. A thread whose newest
// turn is older than all that are shown is not read.
func (s *screen) Timeline(ctx context.Context, limit int) (list []view.Turn, more bool, err error) {
	threads, _, err := s.book.All(ctx)
	if err != nil {
		return nil, false, err
	}
	for _, t := range threads {
		if t.WorkTree != s.repo.WorkTree {
			continue
		}
		if len(list) >= limit && t.LastAt.Before(list[limit-1].StartedAt) {
			more = true
			break
		}
		turns, err := s.book.Briefs(ctx, t.ID, limit+1)
		if err != nil {
			return nil, false, err
		}
		s.book.Check(ctx, turns)
		var cells []view.Turn
		for i := range slices.Backward(turns) {
			cells = append(cells, timelineCell(&turns[i]))
		}
		list = mergeTurns(list, cells)
		if len(list) > limit {
			list, more = list[:limit], true
		}
	}
	return list, more, ctx.Err()
}

// mergeTurns merges two lists by when turns began, the newest first. Each keeps its
// own order, which holds even where the clock jumped.
func mergeTurns(a, b []view.Turn) []view.Turn {
	list := make([]view.Turn, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].StartedAt.After(a[0].StartedAt) {
			list, b = append(list, b[0]), b[1:]
			continue
		}
		list, a = append(list, a[0]), a[1:]
	}
	return append(append(list, a...), b...)
}
