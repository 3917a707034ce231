package rollback

import (
	"context"

	"overturn/model"
	"overturn/rollback/plan"
)

// lose stages a file of which the scope's content cannot be read any more: every
// plan names it as a conflict, with the reason, and the other files can go back
// without it (--partial). cause is the failed reading. Parts of such a file cannot
// be chosen.
func (s *stager) lose(ctx context.Context, p pick, owners Owners, cause error) error {
	if ctx.Err() != nil || s.request.parts() {
		return cause
	}
	entry := stagedEntry{
		Path: p.file.Path, Scope: s.scope, Method: s.request.Method, Discard: s.request.Discard,
		Owner: owners.Owner, Turns: owners.Turns, Thread: owners.In, Whole: true, Lost: cause.Error(),
	}
	entry.First.State, entry.Last.State = model.Absent(), model.Absent()
	if i, found := s.set.find(entry.Path); found {
		if err := s.join(&entry, s.set.Entries[i], plan.Version{}, plan.Version{}); err != nil {
			return err
		}
	}
	s.set.dropKept(func(p model.Path) bool { return p == entry.Path })
	s.set.put(entry)
	s.staged = append(s.staged, entry.Path)
	return nil
}

// lost tells why item i cannot be worked out, "" when it can: what was staged of it
// could not be read then, or cannot be now.
func (w *planner) lost(ctx context.Context, i int, item *plan.Item) (string, error) {
	entry := &w.set.Entries[i]
	if entry.Lost != "" {
		return entry.Lost, nil
	}
	var err error
	if item.First, err = w.version(ctx, entry.Path, entry.First); err == nil {
		item.Last, err = w.version(ctx, entry.Path, entry.Last)
	}
	if err != nil && ctx.Err() == nil {
		item.First, item.Last = plan.Version{State: entry.First.State}, plan.Version{State: entry.Last.State}
		item.Chosen = plan.Chosen{Whole: true} // nothing is left to choose parts of
		return err.Error(), nil
	}
	return "", err
}
