package restore

import (
	"path"

	"overturn/gitops/worktree"
	"overturn/model"
)

// spot is where a step works: the path and the names beside it, in a folder that is
// held open where that can be. What was begun in a folder is ended in it, whatever
// name it has by then: a folder that is moved while a rollback is under way takes
// along what lies in it, and without a hold on it nothing there could be put back.
type spot struct {
	tree                  *worktree.Tree
	target, beside, aside model.Path
}

// heldFolders is how many folders are held open at most; steps in others go by
// their paths.
const heldFolders = 128

func (b *Batch) spot(s *Step) spot {
	at := spot{b.tree, s.Path, b.beside(s), b.aside(s)}
	if folder := b.holds(s); folder != nil {
		name := func(p model.Path) model.Path { return model.Path(path.Base(string(p))) }
		return spot{folder, name(at.target), name(at.beside), name(at.aside)}
	}
	return at
}

// Name is the name of the file that lies beside the step's target.
func (b *Batch) Name(s *Step) string { return path.Base(string(b.beside(s))) }

// holds is the hold on a step's folder, nil where there is none. A step whose files
// lie in another folder than its path goes by paths.
func (b *Batch) holds(s *Step) *worktree.Tree {
	if b.home(s) != s.Path {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held[worktree.Dir(s.Path)]
}

// hold takes hold of a step's folder, which must be there.
func (b *Batch) hold(s *Step) error {
	dir := worktree.Dir(s.Path)
	if dir == "" || b.home(s) != s.Path {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held[dir] != nil || len(b.held) >= heldFolders {
		return nil
	}
	folder, err := b.tree.Sub(dir)
	if err == nil {
		b.held[dir] = folder
	}
	return err
}

// inPlace is a difference when the folder that the step works in is not, or not any
// more, the one that its path leads to.
func (b *Batch) inPlace(s *Step) error {
	folder := b.holds(s)
	if folder == nil {
		return nil
	}
	leads, err := b.tree.Leads(worktree.Dir(s.Path), folder)
	if err == nil && !leads {
		err = &Differs{Path: s.Path, Reason: "its folder was moved or replaced meanwhile"}
	}
	return err
}

// Shelved is a file in the kept folder that is to stay as it was Left: one that was
// displaced, or a new one of overturn's own that was taken out again after it had
// been at its path.
type Shelved struct {
	Path model.Path
	Name string // absolute
	Left model.FileState
}

// Shelved lists what Keep, Back and Discard have put into the kept folder and what
// nobody need be told of, unless a program that has it open went on writing to it.
func (b *Batch) Shelved() []Shelved { return b.shelved }

// keepOwn puts a new file that has been at its path into the kept folder, for a
// program may have opened it there.
func (b *Batch) keepOwn(s *Step) error {
	at := b.spot(s)
	name, err := b.keep(s, at.tree, at.beside)
	if err == nil {
		b.shelved = append(b.shelved, Shelved{s.Path, name, s.To})
	}
	return err
}
