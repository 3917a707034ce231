package restore

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/durable"
)

// Step takes one path from one state to another. N is its number in the journal.
type Step struct {
	N        int
	Path     model.Path
	From, To model.FileState
	Content  []byte // what To is made of: bytes of a file, text of a link

	written bool // the new file lies beside
	swapped bool // the path is in the state To
	stood   bool // the new file has been at the path, if only for a moment
}

// Swapped tells whether the step was carried out and not put back.
func (s *Step) Swapped() bool { return s.swapped }

func (s *Step) create() bool { return s.From.Kind == model.KindAbsent }
func (s *Step) delete() bool { return s.To.Kind == model.KindAbsent }

// Deletes tells whether nothing stands at the path after the step.
func (s *Step) Deletes() bool { return s.delete() }

// needsFile: the step puts a new file or link into place. One whose mode alone
// changes is a new file too: only by an exchange is it seen when another process
// changes the mode at the same moment, and a second name of the old file, which may
// lie outside the work tree, keeps its mode.
func (s *Step) needsFile() bool { return !s.delete() }

// Reachable is the state that writing can bring about: set-uid, set-gid and sticky
// bits are not given back to a file from a recording.
func Reachable(s model.FileState) model.FileState {
	if s.Kind == model.KindFile {
		s.Mode = fmt.Sprintf("%06o", 0o100000|worktree.Perm(s)&0o777)
	}
	return s
}

// Differs says that the path was not in the state that the step expected, and
// was left, or put back, as it was found. Kept names files outside the work tree
// that hold content which came out and could not stay.
type Differs struct {
	Path   model.Path
	Reason string
	Kept   []string
}

func (d *Differs) Error() string { return fmt.Sprintf("%s: %s", d.Path, d.Reason) }

// Batch is the steps of one rollback. Write, Moved and their like may be called for
// several steps at once, all else is for one goroutine.
type Batch struct {
	tree      *worktree.Tree
	id        model.ID
	kept      string
	perm      map[model.Path]uint32
	removable []model.Path
	targets   map[model.Path]bool
	gone      []worktree.Folder
	shelf     *os.File // the kept folder, once it was needed
	shelved   []Shelved

	mu   sync.Mutex // guards held
	held map[model.Path]*worktree.Tree
}

// Options of a Batch. Kept is the folder for displaced files; it is made when it
// is needed. Perm is the permission bits of folders that are made again (others
// get what the umask leaves). Removable folders may be removed, when empty, to
// make room for a file. Targets is the path of every target of the rollback, the
// same for each attempt to carry it out or to settle it.
type Options struct {
	Kept      string
	Perm      map[model.Path]uint32
	Removable []model.Path
	Targets   []model.Path
}

// New returns the batch of the rollback id.
func New(tree *worktree.Tree, id model.ID, o Options) *Batch {
	b := &Batch{tree: tree, id: id, kept: o.Kept, perm: map[model.Path]uint32{}, removable: o.Removable, targets: map[model.Path]bool{}, held: map[model.Path]*worktree.Tree{}}
	maps.Copy(b.perm, o.Perm)
	for _, p := range o.Targets {
		b.targets[p] = true
	}
	return b
}

// Gone is the folders that made room for a file so far.
func (b *Batch) Gone() []worktree.Folder { return b.gone }

// home is the path next to which a step's files lie: its own, or, below a path
// that is itself a target, that one. There a folder becomes a file or a file a
// folder, so nothing of ours may lie within.
func (b *Batch) home(s *Step) model.Path {
	home := s.Path
	for dir := worktree.Dir(s.Path); dir != ""; dir = worktree.Dir(dir) {
		if b.targets[dir] {
			home = dir
		}
	}
	return home
}

func (b *Batch) beside(s *Step) model.Path { return worktree.Beside(b.home(s), b.id, 2*s.N) }
func (b *Batch) aside(s *Step) model.Path  { return worktree.Beside(b.home(s), b.id, 2*s.N+1) }

// content is what Write is given for the state To.
func (s *Step) content() worktree.Content {
	c := worktree.Content{Kind: s.To.Kind, Perm: worktree.Perm(s.To), Data: s.Content}
	if !s.create() {
		c.Like = s.Path
	}
	return c
}

// differs describes what was found instead of what was expected.
func (b *Batch) differs(s *Step, want, found model.FileState, kept ...string) error {
	reason := "it changed while it was being rolled back"
	switch {
	case want.Kind == model.KindAbsent:
		reason = "something stands there that was not there before"
	case found.Kind == model.KindAbsent:
		reason = "it is gone"
	case found.Kind != want.Kind:
		reason = fmt.Sprintf("a %s stands there, a %s was expected", found.Kind, want.Kind)
	}
	return &Differs{Path: s.Path, Reason: reason, Kept: kept}
}

// blocked turns a parent that is no folder into a difference; other errors pass.
func blocked(s *Step, err error) error {
	var b *worktree.Blocked
	if errors.As(err, &b) {
		return &Differs{Path: s.Path, Reason: b.Error()}
	}
	return err
}

// named says which target a failure is about; differences do already.
func named(err error, s *Step) error {
	var differs *Differs
	if err == nil || errors.As(err, &differs) {
		return err
	}
	return model.Failf(err, "%q cannot be replaced", string(s.Path))
}

// keep moves one of overturn's own names out of the work tree, whole, to a file
// of its own in the kept folder, and returns its name.
func (b *Batch) keep(s *Step, tree *worktree.Tree, own model.Path) (string, error) {
	if b.shelf == nil {
		durable.Point("restore.keep.mkdir")
		err := os.MkdirAll(b.kept, 0o700)
		if err == nil {
			b.shelf, err = os.Open(b.kept)
		}
		if err != nil {
			return "", model.Failf(err, "cannot make the folder for displaced files")
		}
	}
	for i := 0; ; i++ {
		base := strconv.Itoa(s.N)
		if i > 0 {
			base += "." + strconv.Itoa(i)
		}
		name := filepath.Join(b.kept, base)
		err := tree.Keep(own, b.shelf, base)
		if errors.Is(err, worktree.ErrOtherDevice) {
			err = keepCopy(tree, own, name)
		}
		if !errors.Is(err, os.ErrExist) {
			return name, err
		}
	}
}

// Close gives back what the batch holds open.
func (b *Batch) Close() error {
	var errs []error
	for _, folder := range b.held {
		errs = append(errs, folder.Close())
	}
	if b.shelf != nil {
		errs = append(errs, b.shelf.Close())
	}
	return errors.Join(errs...)
}

// keepCopy is keep across file systems: the copy is durable before the name in
// the work tree goes.
func keepCopy(tree *worktree.Tree, own model.Path, name string) error {
	data, state, err := tree.Read(own, 0)
	if err != nil {
		return err
	}
	if state.Kind == model.KindLink {
		durable.Point("restore.keepcopy.symlink")
		err = os.Symlink(string(data), name)
	} else {
		err = writeNew(name, data)
	}
	if err != nil {
		return model.Failf(err, "cannot keep %q", string(own))
	}
	return tree.Remove(own)
}

func writeNew(name string, data []byte) error {
	durable.Point("restore.writenew.open")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	durable.Point("restore.writenew.write")
	_, err = f.Write(data)
	if err == nil {
		durable.Point("restore.writenew.sync")
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
