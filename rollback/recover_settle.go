package rollback

import (
	"context"
	"errors"
	"slices"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/journal"
	"overturn/rollback/restore"
)

// settling brings one interrupted entry to an end.
type settling struct {
	e        *Engine
	entry    *journal.Entry
	log      *journal.Writer
	unwind   bool
	result   *model.Result
	restored model.Paths
	skipped  []model.Noted
	kept     []model.Noted
	reached  map[int]bool
	keep     bool // leave the conversation as it is
}

func (s *settling) run(ctx context.Context) error {
	perm := map[model.Path]uint32{}
	for _, f := range append(s.entry.Make, s.entry.Removed...) {
		perm[f.Path] = f.Perm
	}
	s.reached = map[int]bool{}
	if s.entry.Revert != nil && s.unwind {
		if err := s.beyond(ctx); err != nil {
			return err
		}
	}
	batch := s.e.batch(&s.entry.Prepared, perm, s.unwind)
	defer batch.Close()
	steps, err := s.steps(ctx, batch)
	if err != nil {
		return err
	}
	if err := s.log.Commit(journal.Record{Type: journal.TypeTidied}); err != nil {
		return err
	}
	durable.Point("recover.tidied")
	if err := s.swapAll(batch, steps); err != nil {
		return err
	}
	durable.Point("recover.swapped")
	if err := s.tail(ctx, batch, steps); err != nil {
		return err
	}
	durable.Point("recover.settled")
	late, err := lateWrites(batch, s.e.keptFolder(s.entry.ID))
	if err != nil {
		return err
	}
	s.kept = append(s.kept, late...)
	if s.entry.Revert != nil && !s.unwind {
		if err := s.beyond(ctx); err != nil {
			return err
		}
	}
	return s.end()
}

// besides is what lies beside the targets, by what the journal says. The lines it
// goes by are synced before what comes after them: a new file cut short must never
// be taken for one that came out.
func (s *settling) besides() restore.Besides {
	switch {
	case s.entry.Beside:
		return restore.BesidesWhole
	case s.entry.Tidied:
		return restore.BesidesAgain
	}
	return restore.BesidesCut
}

// steps tidies up beside every target and makes the steps that are still to do.
func (s *settling) steps(ctx context.Context, batch *restore.Batch) ([]*restore.Step, error) {
	var steps []*restore.Step
	for n, t := range s.entry.Targets {
		forward := &restore.Step{N: n, Path: t.Target.Path, From: t.Target.From, To: t.Target.To}
		found, kept, err := batch.Tidy(forward, s.unwind, s.besides())
		s.noteKept(t.Target.Path, kept)
		var differs *restore.Differs
		if errors.As(err, &differs) {
			s.noteKept(t.Target.Path, differs.Kept)
			found, err = s.e.present(t.Target.Path, s.entry.Targets)
		}
		if err == nil && found.Kind == model.KindOther {
			found, err = s.e.present(t.Target.Path, s.entry.Targets)
		}
		if err != nil {
			return nil, err
		}
		if err := s.noteMoved(batch, forward); err != nil {
			return nil, err
		}
		step, err := s.step(ctx, n, t, found)
		if err != nil {
			return nil, err
		}
		if step != nil {
			steps = append(steps, step)
		}
	}
	return steps, nil
}

// noteMoved names what lay beside a target whose folder is gone since the crash: if it
// was moved, the file went along, to where nobody can find it from here. A folder that
// the rollback had yet to make, when it was cut short, is no sign of that; another
// thing in its place is.
func (s *settling) noteMoved(batch *restore.Batch, step *restore.Step) error {
	missing, err := s.e.Tree.MissingParents(step.Path)
	var in *worktree.Blocked
	if err != nil && !errors.As(err, &in) {
		return err
	}
	if step.Deletes() && (in == nil && len(missing) > 0 && slices.Contains(folderPaths(s.entry.Removed), missing[0]) || !s.entry.Beside) {
		return nil // it went when it was empty, or nothing was put beside yet
	}
	if in != nil || len(missing) > 0 && (s.entry.Beside || !s.makes(missing[0])) {
		s.kept = append(s.kept, model.Noted{Path: step.Path, Reason: "its folder is not there any more; if it was moved, the file " + batch.Name(step) + " in it is overturn's own"})
	}
	return nil
}

// makes tells whether the rollback had to make a folder itself.
func (s *settling) makes(folder model.Path) bool {
	return slices.ContainsFunc(s.entry.Make, func(f journal.Folder) bool { return f.Path == folder })
}

// ends is a target in the direction that is being settled.
type ends struct{ from, to model.FileState }

func (s *settling) ends(t model.Target) ends {
	if s.unwind {
		return ends{t.To, t.From}
	}
	return ends{t.From, t.To}
}

// step decides by what stands at the path.
func (s *settling) step(ctx context.Context, n int, t journal.Target, found model.FileState) (*restore.Step, error) {
	way := s.ends(t.Target)
	oid := t.After
	if s.unwind {
		oid = t.Before
	}
	switch found {
	case way.to, restore.Reachable(way.to):
		s.reached[n] = true
		return nil, nil
	case way.from:
		data, err := s.e.bytesOf(ctx, oid, t.Target.Path, way.to)
		return &restore.Step{N: n, Path: t.Target.Path, From: way.from, To: restore.Reachable(way.to), Content: data}, err
	}
	s.skip(t.Target.Path, "it was changed since the crash and stays as it is")
	return nil, nil
}

func (s *settling) skip(p model.Path, reason string) {
	s.skipped = append(s.skipped, model.Noted{Path: p, Reason: reason})
}

func (s *settling) noteKept(p model.Path, files []string) {
	for _, name := range files {
		s.kept = append(s.kept, model.Noted{Path: p, Reason: "what was found there is kept in " + name})
	}
}

func (s *settling) swapAll(batch *restore.Batch, steps []*restore.Step) error {
	order := swapOrder(steps)
	for _, step := range order {
		if err := s.leave(step, batch.Write(step)); err != nil {
			return err
		}
	}
	if err := batch.Sync(order); err != nil {
		return err
	}
	if err := s.log.Commit(journal.Record{Type: journal.TypeBeside}); err != nil {
		return err
	}
	durable.Point("recover.beside")
	for _, step := range order {
		if err := s.leave(step, batch.Swap(step)); err != nil {
			return err
		}
		if step.Swapped() {
			s.reached[step.N] = true
			s.restored = append(s.restored, step.Path)
			durable.Point("recover.marked")
		} else if name, err := batch.Discard(step); err != nil {
			return err
		} else if name != "" {
			s.noteKept(step.Path, []string{name})
		}
	}
	return nil
}

// leave notes a path that changes while it is being settled.
func (s *settling) leave(step *restore.Step, err error) error {
	var differs *restore.Differs
	if !errors.As(err, &differs) {
		return err
	}
	s.skip(step.Path, differs.Reason)
	s.noteKept(step.Path, differs.Kept)
	return nil
}

// tail is what follows the swaps: index, displaced files, folders, syncs.
func (s *settling) tail(ctx context.Context, batch *restore.Batch, steps []*restore.Step) error {
	changes, remove := s.entry.Index, s.entry.Remove
	if s.unwind {
		changes, remove = reversed(s.entry.Index), s.entry.Make
	}
	if err := s.e.dropDeadLock(s.entry); err != nil {
		return err
	}
	left, err := s.e.moveIndex(ctx, changes)
	if err != nil {
		return err
	}
	s.kept = append(s.kept, left...)
	if err := s.log.Mark(journal.Record{Type: journal.TypeIndex}); err != nil {
		return err
	}
	for _, step := range steps {
		if err := batch.Keep(step); err != nil {
			return err
		}
	}
	gone, err := s.e.Tree.RemoveEmptyDirs(folderPaths(remove))
	if err != nil {
		return err
	}
	if err := s.markRemoved(append(batch.Gone(), gone...)); err != nil {
		return err
	}
	return batch.SyncFolders(steps, append(folderPaths(s.entry.Make), folderPaths(s.entry.Remove)...))
}

func (s *settling) markRemoved(gone []worktree.Folder) error {
	if s.unwind || len(gone) == 0 {
		return nil
	}
	var folders []journal.Folder
	for _, f := range gone {
		folders = append(folders, journal.Folder{Path: f.Path, Perm: f.Perm})
	}
	return s.log.Mark(journal.Record{Type: journal.TypeRemoved, Folders: folders})
}
