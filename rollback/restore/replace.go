package restore

import (
	"errors"
	"io/fs"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/durable"
)

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
	at := b.spot(s)
	if err := b.exchange(s, at, want); err != nil {
		return err
	}
	s.stood = true
	durable.Point("restore.exchanged")
	found, err := at.tree.State(at.beside)
	if err == nil && found == want {
		return nil
	}
	for range 3 {
		if xerr := b.exchange(s, at, want); xerr != nil {
			return errors.Join(err, xerr)
		}
		out, oerr := at.tree.State(at.beside)
		if err != nil || oerr != nil {
			return errors.Join(err, oerr)
		}
		if out == ours {
			return b.differs(s, want, found)
		}
	}
	kept, err := b.keep(s, at.tree, at.beside)
	s.written = false
	if err != nil {
		return err
	}
	return b.differs(s, want, found, kept)
}

func (b *Batch) exchange(s *Step, at spot, want model.FileState) error {
	err := at.tree.Exchange(at.beside, at.target)
	if errors.Is(err, fs.ErrNotExist) {
		return b.differs(s, want, model.Absent())
	}
	return err
}

// replacePlain is replace where names cannot be exchanged.
func (b *Batch) replacePlain(s *Step) error {
	at := b.spot(s)
	if err := b.takeAside(s, at.aside, s.From); err != nil {
		return err
	}
	err := at.tree.Move(at.beside, at.target)
	if errors.Is(err, fs.ErrExist) {
		kept, kerr := b.keep(s, at.tree, at.aside)
		return errors.Join(kerr, b.differs(s, s.From, model.FileState{Kind: model.KindFile}, kept))
	}
	if err != nil {
		_, berr := b.giveBack(s, at.aside)
		return errors.Join(err, berr)
	}
	s.stood = true
	durable.Point("restore.placed")
	return at.tree.Move(at.aside, at.beside)
}
