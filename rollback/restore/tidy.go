package restore

import (
	"errors"
	"io/fs"

	"overturn/gitops/worktree"
	"overturn/model"
)

// Besides says what a crash may have left beside the targets.
type Besides int

const (
	// BesidesCut: new files of the rollback, any of them cut short; nothing was
	// swapped yet.
	BesidesCut Besides = iota
	// BesidesWhole: new files that were whole before the crash, or what they
	// displaced, which may have been written to since.
	BesidesWhole
	// BesidesAgain: an attempt to settle had tidied up, and wrote new files of its
	// own, any of them cut short; nothing was swapped since.
	BesidesAgain
)

// Tidy brings what a crash left beside a step's target into order and says what
// stands at the path then. With unwind a displaced file returns to its path if
// that is still as the step left it; otherwise displaced files, and whatever is
// neither end of the step, go to the kept folder (the names returned). A new file
// that may be cut short is removed.
func (b *Batch) Tidy(s *Step, unwind bool, left Besides) (model.FileState, []string, error) {
	err := b.hold(s)
	var in *worktree.Blocked
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &in) {
		return model.FileState{}, nil, err
	}
	kept, err := b.tidyAside(s)
	if err != nil {
		return model.FileState{}, kept, blocked(s, err)
	}
	more, err := b.tidyBeside(s, unwind, left)
	kept = append(kept, more...)
	if err != nil {
		return model.FileState{}, kept, blocked(s, err)
	}
	found, _, err := b.stands(s)
	return found, kept, err
}

// stands is what stands at the path: nothing, and in is true, where a parent is no
// folder.
func (b *Batch) stands(s *Step) (found model.FileState, in bool, err error) {
	at := b.spot(s)
	found, err = at.tree.State(at.target)
	var blocked *worktree.Blocked
	if errors.As(err, &blocked) {
		return model.Absent(), true, nil
	}
	return found, false, err
}

// tidyAside ends a move that was cut in two.
func (b *Batch) tidyAside(s *Step) ([]string, error) {
	spot := b.spot(s)
	aside, err := spot.tree.State(spot.aside)
	if err != nil || aside.Kind == model.KindAbsent {
		return nil, err
	}
	at, in, err := b.stands(s)
	if err != nil {
		return nil, err
	}
	if at.Kind == model.KindAbsent && !in {
		return b.giveBack(s, spot.aside)
	}
	beside, err := spot.tree.State(spot.beside)
	if err != nil {
		return nil, err
	}
	if beside.Kind == model.KindAbsent {
		return nil, spot.tree.Move(spot.aside, spot.beside)
	}
	kept, err := b.keep(s, spot.tree, spot.aside)
	return []string{kept}, err
}

func (b *Batch) tidyBeside(s *Step, unwind bool, left Besides) ([]string, error) {
	spot := b.spot(s)
	beside, err := spot.tree.State(spot.beside)
	if err != nil || beside.Kind == model.KindAbsent {
		return nil, err
	}
	cut := left == BesidesCut && !s.delete() || left == BesidesAgain
	own := beside == s.To || cut && beside != s.From
	switch {
	case own && cut:
		return nil, spot.tree.Remove(spot.beside)
	case own:
		return nil, b.keepOwn(s)
	}
	at, in, err := b.stands(s)
	if err != nil {
		return nil, err
	}
	mine := unwind && at == s.To && !s.create()
	if mine && (s.delete() || left == BesidesAgain) && beside == s.From {
		return nil, nil // what the step back to there writes lies there already; it is synced with the others
	}
	if mine && !in {
		s.written, s.swapped, s.stood = true, true, true
		if err := b.Back(s); err != nil {
			return nil, err
		}
		kept, err := b.Discard(s)
		return listed(kept), err
	}
	kept, err := b.keep(s, spot.tree, spot.beside)
	return listed(kept), err
}

func listed(kept string) []string {
	if kept == "" {
		return nil
	}
	return []string{kept}
}
