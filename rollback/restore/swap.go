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
	if s.create() && b.home(s) == s.Path {
		if err := b.makeFolders(s); err != nil {
			return named(blocked(s, err), s)
		}
	}
	err := b.tree.Write(b.beside(s), s.content())
	if errors.Is(err, fs.ErrExist) {
		err = b.adopt(s, err)
	}
	if err != nil {
		return named(blocked(s, err), s)
	}
	s.written = true
	durable.Point("restore.written")
	return nil
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
	found, err := b.tree.State(b.beside(s))
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
	var err error
	switch {
	case s.create():
		err = b.create(s)
	case s.delete():
		err = b.remove(s)
	case s.modeOnly():
		err = b.chmod(s, s.From, s.To)
	default:
		err = b.replace(s)
	}
	s.swapped = err == nil
	return named(blocked(s, err), s)
}

// create moves the new file in; a file that appeared is never replaced. Empty
// folders that the rollback may remove make room.
func (b *Batch) create(s *Step) error {
	if err := b.makeFolders(s); err != nil {
		return err
	}
	err := b.tree.Move(b.beside(s), s.Path)
	if errors.Is(err, fs.ErrExist) {
		if err := b.makeRoom(s); err != nil {
			return err
		}
		err = b.tree.Move(b.beside(s), s.Path)
	}
	if errors.Is(err, fs.ErrExist) {
		found, serr := b.tree.State(s.Path)
		return errors.Join(serr, b.differs(s, s.From, found))
	}
	return err
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
	return b.takeAside(s, b.beside(s), s.From)
}

// takeAside moves the path to own and compares; what is not want goes back, or,
// where something new stands there by then, is kept.
func (b *Batch) takeAside(s *Step, own model.Path, want model.FileState) error {
	err := b.tree.Move(s.Path, own)
	if errors.Is(err, fs.ErrNotExist) {
		return b.differs(s, want, model.Absent())
	}
	if err != nil {
		return err
	}
	durable.Point("restore.moved")
	found, err := b.tree.State(own)
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
	err := b.tree.Move(own, s.Path)
	if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	kept, err := b.keep(s, own)
	return []string{kept}, err
}

func (b *Batch) chmod(s *Step, from, to model.FileState) error {
	err := b.tree.Chmod(s.Path, from, worktree.Perm(to))
	if errors.Is(err, worktree.ErrChanged) {
		found, serr := b.tree.State(s.Path)
		return errors.Join(serr, b.differs(s, from, found))
	}
	return err
}

// replace exchanges the new file with the one at the path.
func (b *Batch) replace(s *Step) error {
	if err := b.expect(s, s.From); err != nil {
		return err
	}
	err := b.trade(s, s.From, s.To)
	if errors.Is(err, worktree.ErrNoExchange) {
		return b.replacePlain(s)
	}
	return err
}

// trade exchanges the path with the file beside it and compares what came out
// with want. When it differs it goes back; a save that landed in between, on
// ours, is the newest and stays, and what it replaced is kept.
func (b *Batch) trade(s *Step, want, ours model.FileState) error {
	own := b.beside(s)
	if err := b.exchange(s, own, want); err != nil {
		return err
	}
	durable.Point("restore.exchanged")
	found, err := b.tree.State(own)
	if err == nil && found == want {
		return nil
	}
	for range 3 {
		if xerr := b.exchange(s, own, want); xerr != nil {
			return errors.Join(err, xerr)
		}
		out, oerr := b.tree.State(own)
		if err != nil || oerr != nil {
			return errors.Join(err, oerr)
		}
		if out == ours {
			return b.differs(s, want, found)
		}
	}
	kept, err := b.keep(s, own)
	s.written = false
	if err != nil {
		return err
	}
	return b.differs(s, want, found, kept)
}

func (b *Batch) exchange(s *Step, own model.Path, want model.FileState) error {
	err := b.tree.Exchange(own, s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return b.differs(s, want, model.Absent())
	}
	return err
}

// replacePlain is replace where names cannot be exchanged.
func (b *Batch) replacePlain(s *Step) error {
	if err := b.takeAside(s, b.aside(s), s.From); err != nil {
		return err
	}
	err := b.tree.Move(b.beside(s), s.Path)
	if errors.Is(err, fs.ErrExist) {
		kept, kerr := b.keep(s, b.aside(s))
		return errors.Join(kerr, b.differs(s, s.From, model.FileState{Kind: model.KindFile}, kept))
	}
	if err != nil {
		_, berr := b.giveBack(s, b.aside(s))
		return errors.Join(err, berr)
	}
	durable.Point("restore.placed")
	return b.tree.Move(b.aside(s), b.beside(s))
}

// expect looks before anything is touched: most differences that are there already
// need not be swapped out and back. Only what comes out is read.
func (b *Batch) expect(s *Step, want model.FileState) error {
	found, err := b.tree.Glance(s.Path)
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
