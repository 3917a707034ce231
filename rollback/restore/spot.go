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

// keptOwn is a new file of overturn's own that was taken out again after it had
// been at its path.
type keptOwn struct {
	path model.Path
	name string
	left model.FileState
}

// keepOwn puts a new file that has been at its path into the kept folder, for a
// program may have opened it there and go on writing to it.
func (b *Batch) keepOwn(s *Step) error {
	at := b.spot(s)
	name, err := b.keep(s, at.tree, at.beside)
	if err == nil {
		b.own = append(b.own, keptOwn{s.Path, name, s.To})
	}
	return err
}

// Late lists new files of overturn's own that somebody wrote to after they had been
// taken out again: by path, the names in the kept folder.
func (b *Batch) Late() (map[model.Path][]string, error) {
	late := map[model.Path][]string{}
	if len(b.own) == 0 {
		return late, nil
	}
	shelf, err := OpenShelf(b.kept)
	if err != nil {
		return nil, err
	}
	defer shelf.Close()
	for _, own := range b.own {
		same, err := shelf.Holds(path.Base(own.name), own.left)
		if err != nil {
			return nil, err
		}
		if !same {
			late[own.path] = append(late[own.path], own.name)
		}
	}
	return late, nil
}
