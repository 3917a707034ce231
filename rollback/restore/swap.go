package restore

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/durable"
)

// Write puts the new file of a step beside its target, and makes the folders
// that it needs there. It is durable after Sync.
func (b *Batch) Write(s *Step) error {
	if !s.needsFile() || s.written {
		return nil
	}
	err := b.goThere(s)
	if err == nil {
		at := b.spot(s)
		err = at.tree.Write(at.beside, s.content())
	}
	if errors.Is(err, fs.ErrExist) {
		err = b.adopt(s, err)
	} else if err != nil && b.holds(s) != nil {
		// What a recovery found there, in a folder that moved since, is not left in it.
		at := b.spot(s)
		lies, lerr := at.tree.Glance(at.beside)
		s.written = lerr == nil && lies.Kind != model.KindAbsent
		s.stood = s.stood || s.written
	}
	if err != nil {
		return named(blocked(s, err), s)
	}
	s.written = true
	durable.Point("restore.written")
	return nil
}

// goThere makes the folders that a step needs and takes hold of its own.
func (b *Batch) goThere(s *Step) error {
	if s.create() && b.home(s) == s.Path {
		if err := b.makeFolders(s); err != nil {
			return err
		}
	}
	if err := b.hold(s); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = b.differs(s, s.From, model.Absent())
		}
		return err
	}
	return b.inPlace(s)
}

// writers is how many files WriteAll makes at once: making a file is work for the
// kernel, which a second core halves.
const writers = 4

// WriteAll is Write for many steps at once; the errors go with the steps. The end
// of ctx is the error of those that were not begun.
func (b *Batch) WriteAll(ctx context.Context, steps []*Step) []error {
	errs := make([]error, len(steps))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(writers, len(steps)) {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(steps) {
					return
				}
				if errs[i] = ctx.Err(); errs[i] == nil {
					errs[i] = b.Write(steps[i])
				}
			}
		})
	}
	group.Wait()
	return errs
}

// adopt takes what an interrupted attempt left beside the target for the new file,
// if it is that to the byte; otherwise taken is the failure.
func (b *Batch) adopt(s *Step, taken error) error {
	at := b.spot(s)
	found, err := at.tree.State(at.beside)
	if err == nil && Reachable(found) != s.To {
		err = taken
	}
	return err
}

// Sync makes what lies beside the steps' targets durable.
func (b *Batch) Sync(steps []*Step) error {
	var files []model.Path
	for _, s := range steps {
		if s.written && s.To.Kind == model.KindFile {
			files = append(files, b.beside(s))
		}
	}
	return b.tree.Sync(files, nil)
}

// SyncFolders makes the names in the folders of the steps' targets durable, and
// in those above that may be new.
func (b *Batch) SyncFolders(steps []*Step, more []model.Path) error {
	seen := map[model.Path]bool{}
	var folders []model.Path
	add := func(p model.Path) {
		if !seen[p] {
			seen[p] = true
			folders = append(folders, p)
		}
	}
	for _, s := range steps {
		add(worktree.Dir(s.Path))
		add(worktree.Dir(b.home(s)))
	}
	for _, p := range more {
		add(worktree.Dir(p))
	}
	return b.tree.Sync(nil, folders)
}

// Swap carries out a step that was written. When the path is not in the state From, before or
// at the moment of the swap, it is left as it was found and the error is *Differs.
func (b *Batch) Swap(s *Step) error {
	if s.swapped {
		return nil
	}
	err := b.swap(s)
	s.swapped = err == nil
	if err == nil {
		err = b.stayed(s)
	}
	return named(blocked(s, err), s)
}

func (b *Batch) swap(s *Step) error {
	if s.delete() {
		if err := b.goThere(s); err != nil {
			return err
		}
	} else if err := b.inPlace(s); err != nil {
		return err
	}
	switch {
	case s.create():
		return b.create(s)
	case s.delete():
		return b.remove(s)
	}
	return b.replace(s)
}

// stayed puts back what was done in a folder that had been moved by then.
func (b *Batch) stayed(s *Step) error {
	moved := b.inPlace(s)
	if moved == nil {
		return nil
	}
	err := b.Back(s)
	var differs *Differs
	if errors.As(err, &differs) {
		return err // says more: it was changed as well
	}
	return errors.Join(err, moved)
}

// create moves the new file in; a file that appeared is never replaced. Empty
// folders that the rollback may remove make room.
func (b *Batch) create(s *Step) error {
	if err := b.makeFolders(s); err != nil {
		return err
	}
	at := b.spot(s)
	err := at.tree.Move(at.beside, at.target)
	if errors.Is(err, fs.ErrExist) {
		if err := b.makeRoom(s); err != nil {
			return err
		}
		err = at.tree.Move(at.beside, at.target)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		found, serr := at.tree.State(at.target)
		return errors.Join(serr, b.differs(s, s.From, found))
	case errors.Is(err, fs.ErrNotExist):
		return b.lostOwn(s)
	}
	s.stood = s.stood || err == nil
	return err
}

// lostOwn says that somebody took away what lay beside the path.
func (b *Batch) lostOwn(s *Step) error {
	return &Differs{Path: s.Path, Reason: "the file beside it, or its folder, was taken away meanwhile"}
}

// makeRoom removes the removable folders at the path, as far as they are empty.
func (b *Batch) makeRoom(s *Step) error {
	var below []model.Path
	for _, folder := range b.removable {
		if folder.Under(s.Path) {
			below = append(below, folder)
		}
	}
	gone, err := b.tree.RemoveEmptyDirs(below)
	for _, folder := range gone {
		b.perm[folder.Path] = folder.Perm
	}
	b.gone = append(b.gone, gone...)
	return err
}

// remove moves the file aside, to where a displaced file lies.
func (b *Batch) remove(s *Step) error {
	if err := b.expect(s, s.From); err != nil {
		return err
	}
	return b.takeAside(s, b.spot(s).beside, s.From)
}

// takeAside moves the path to own and compares; what is not want goes back, or,
// where something new stands there by then, is kept.
func (b *Batch) takeAside(s *Step, own model.Path, want model.FileState) error {
	at := b.spot(s)
	err := at.tree.Move(at.target, own)
	if errors.Is(err, fs.ErrNotExist) {
		return b.differs(s, want, model.Absent())
	}
	if err != nil {
		return err
	}
	durable.Point("restore.moved")
	found, err := at.tree.State(own)
	if err == nil && found == want {
		return nil
	}
	kept, berr := b.giveBack(s, own)
	if err != nil || berr != nil {
		return errors.Join(err, berr)
	}
	return b.differs(s, want, found, kept...)
}

// giveBack moves own to the path, or keeps it where the path is taken.
func (b *Batch) giveBack(s *Step, own model.Path) ([]string, error) {
	at := b.spot(s)
	err := at.tree.Move(own, at.target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, b.lostOwn(s)
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	kept, err := b.keep(s, at.tree, own)
	return []string{kept}, err
}

// expect looks before anything is touched: most differences that are there already
// need not be swapped out and back. Only what comes out is read.
func (b *Batch) expect(s *Step, want model.FileState) error {
	at := b.spot(s)
	found, err := at.tree.Glance(at.target)
	if err != nil {
		return err
	}
	if found.Kind == model.KindFile {
		found.SHA256 = want.SHA256
	}
	if found != want {
		return b.differs(s, want, found)
	}
	return nil
}
