package restore

import (
	"errors"
	"io/fs"
	"slices"

	"overturn/gitops/worktree"
	"overturn/model"
)

// Back puts a carried out step back: the displaced file itself returns to its
// path. When the path is no longer as the step left it, what stands there stays,
// the displaced file is kept, and the error is *Differs.
func (b *Batch) Back(s *Step) error {
	if !s.swapped {
		return nil
	}
	var err error
	switch {
	case s.create():
		if err = b.expect(s, s.To); err == nil {
			err = b.takeAside(s, b.spot(s).beside, s.To)
		}
		s.written = err == nil
	case s.delete():
		err = b.returnDeleted(s)
	default:
		err = b.returnReplaced(s)
	}
	err = blocked(s, err)
	var differs *Differs
	if errors.As(err, &differs) && s.displaces() {
		err = b.keepDisplaced(s, differs)
	}
	if err == nil || errors.As(err, &differs) {
		s.swapped = false
	}
	return err
}

func (b *Batch) returnDeleted(s *Step) error {
	if b.holds(s) == nil { // a folder that is held is there, wherever it is
		if err := b.makeFolders(s); err != nil {
			return err
		}
	}
	if err := b.makeRoom(s); err != nil {
		return err
	}
	kept, err := b.giveBack(s, b.spot(s).beside)
	if err == nil && len(kept) > 0 {
		return b.differs(s, s.To, model.FileState{Kind: model.KindFile}, kept...)
	}
	return err
}

func (b *Batch) makeFolders(s *Step) error {
	missing, err := b.tree.MissingParents(s.Path)
	if err != nil {
		return err
	}
	for _, folder := range missing {
		if _, err := b.tree.MakeFolder(folder, b.perm[folder]); err != nil {
			return err
		}
	}
	return nil
}

// returnReplaced exchanges the displaced file back.
func (b *Batch) returnReplaced(s *Step) error {
	err := b.expect(s, s.To)
	if err == nil {
		err = b.trade(s, s.To, s.From)
		if errors.Is(err, worktree.ErrNoExchange) {
			err = b.returnPlain(s)
		}
	}
	return err
}

func (b *Batch) returnPlain(s *Step) error {
	at := b.spot(s)
	if err := b.takeAside(s, at.aside, s.To); err != nil {
		return err
	}
	kept, err := b.giveBack(s, at.beside)
	if err == nil && len(kept) > 0 {
		err = b.differs(s, s.To, model.FileState{Kind: model.KindFile}, kept...)
	}
	name, kerr := b.keep(s, at.tree, at.aside)
	if kerr == nil {
		b.shelved = append(b.shelved, Shelved{s.Path, name, s.To})
	}
	return errors.Join(err, kerr)
}

// keepDisplaced takes what lies beside the target out of the work tree, if
// anything still does, and names it in the difference.
func (b *Batch) keepDisplaced(s *Step, d *Differs) error {
	at := b.spot(s)
	found, err := at.tree.State(at.beside)
	if err != nil || found.Kind == model.KindAbsent {
		return errors.Join(err, d)
	}
	kept, err := b.keep(s, at.tree, at.beside)
	if err != nil {
		return errors.Join(err, d)
	}
	s.written = false
	d.Kept = append(d.Kept, kept)
	return d
}

// Discard takes the new file of a step that is not (or no longer) carried out out of
// the work tree. It is removed if it never was at its path. Content that is not
// overturn's own is kept, and its name returned.
func (b *Batch) Discard(s *Step) (string, error) {
	if s.swapped || !s.written {
		return "", nil
	}
	at := b.spot(s)
	found, err := at.tree.State(at.beside)
	var blocked *worktree.Blocked
	if errors.As(err, &blocked) {
		return "", nil // it went with its folder
	}
	if err != nil || found.Kind == model.KindAbsent {
		return "", err
	}
	s.written = false
	switch {
	case found == s.To && !s.stood:
		return "", at.tree.Remove(at.beside)
	case found == s.To:
		return "", b.keepOwn(s)
	}
	return b.keep(s, at.tree, at.beside)
}

// displaces: the step took a file out that lies beside or in the kept folder.
func (s *Step) displaces() bool { return s.swapped && !s.create() }

// Moved says why a carried out step has to be put back, "" where it has not: the
// displaced file changed since it came out, because a program had it open and went
// on writing, or the folder is another by now.
func (b *Batch) Moved(s *Step) (string, error) {
	if !s.swapped {
		return "", nil
	}
	var differs *Differs
	if err := b.inPlace(s); errors.As(err, &differs) {
		return differs.Reason, nil
	} else if err != nil {
		return "", err
	}
	if !s.displaces() {
		return "", nil
	}
	at := b.spot(s)
	found, err := at.tree.State(at.beside)
	if err == nil && found != s.From {
		return "it was written while it was being rolled back", nil
	}
	return "", err
}

// Keep moves the displaced file of a carried out step to the kept folder. Where
// somebody removed it, with the folder that it lay in, there is none to keep.
func (b *Batch) Keep(s *Step) error {
	if !s.displaces() {
		return nil
	}
	at := b.spot(s)
	name, err := b.keep(s, at.tree, at.beside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		b.shelved = append(b.shelved, Shelved{s.Path, name, s.From})
	}
	return err
}

// Shelf is the kept folder of a rollback, to look at what lies in it.
type Shelf struct{ tree *worktree.Tree }

// OpenShelf opens a kept folder that exists.
func OpenShelf(folder string) (*Shelf, error) {
	tree, err := worktree.Open(folder)
	return &Shelf{tree}, err
}

// Holds tells whether the kept file is in one of the states, e.g. still in that in
// which it was kept. It may be called for several files at once.
func (s *Shelf) Holds(name string, states ...model.FileState) (bool, error) {
	found, err := s.tree.State(model.Path(name))
	return err == nil && slices.Contains(states, found), err
}

// Close gives the folder back.
func (s *Shelf) Close() error { return s.tree.Close() }
