package review

import (
	"context"
	"errors"
	"slices"

	"overturn/gitops/objects"
	"overturn/gitops/snapshot"
	"overturn/model"
)

// errStop ends a stream that its reader has had enough of.
var errStop = errors.New("stopped")

// Compare compares the two states of a scope. The list is exact and in order of
// paths; contents are not read.
func (e *Engine) Compare(ctx context.Context, s model.Scope) (*ChangeSet, error) {
	return e.CompareFunc(ctx, s, nil)
}

// CompareFunc is Compare that hands out each file as it is found. The change set
// that each is given serves Content, Diff and Counts at once; its Files are complete
// when CompareFunc returns. A false from each ends the comparison: the files found
// so far are returned. Each is called by one goroutine, in order.
func (e *Engine) CompareFunc(ctx context.Context, s model.Scope, each func(*ChangeSet, *File) bool) (*ChangeSet, error) {
	r, err := e.Resolve(ctx, s)
	if err != nil {
		return nil, err
	}
	cs, err := e.open(ctx, s, &r)
	if err != nil {
		return nil, err
	}
	l := newLister(e, cs, each)
	if err := l.run(ctx); err != nil && !errors.Is(err, errStop) {
		return nil, err
	}
	cs.Files = l.files
	cs.converts.complete(l.files)
	return cs, nil
}

// open loads the sides of a resolved scope and all that is known before the list.
func (e *Engine) open(ctx context.Context, asked model.Scope, r *Resolved) (*ChangeSet, error) {
	cs := &ChangeSet{Scope: r.Scope, Asked: asked, WorkTree: e.deps.Repo.WorkTree, Turns: r.Turns, BaseFrom: r.BaseFrom}
	if r.Thread != nil {
		cs.Thread = r.Thread.ID
		if r.Scope.OfTurns() {
			cs.WorkTree = r.Thread.WorkTree
		}
	}
	cs.Foreign = cs.WorkTree != e.deps.Repo.WorkTree
	var err error
	if cs.Base, err = e.side(ctx, r.base); err != nil {
		return nil, err
	}
	if cs.Target, err = e.side(ctx, r.target); err != nil {
		return nil, err
	}
	cs.HeadMoved = r.Scope.OfTurns() && cs.Base.Head.Commit != cs.Target.Head.Commit
	if cs.Plain = r.Scope.OfTurns() && r.Thread.Plain; cs.Plain {
		err = cs.openPlain(ctx, e, r.Thread)
	} else {
		err = cs.sortOut(ctx, e)
	}
	if err != nil {
		return nil, err
	}
	cs.outside = newOutside(cs.LeftOut)
	for _, p := range submodules(&cs.Base, &cs.Target) {
		cs.LeftOut = append(cs.LeftOut, model.Noted{Path: p, Reason: noteCommit})
	}
	cs.order, cs.lines, cs.converts, cs.staged = &ownerIndex{}, &lineIndex{}, &conversions{}, &indexLine{}
	return cs, nil
}

// sortOut finds what neither side vouches for. What git ignored at one end and not
// at the other is not captured at both; a commit of the project stands for itself,
// so that it is a row there, of no known owner.
func (cs *ChangeSet) sortOut(ctx context.Context, e *Engine) error {
	cs.LeftOut = leftOut(&cs.Base, &cs.Target)
	if cs.Base.kept != nil && cs.Target.kept != nil {
		gone, err := snapshot.Gone(ctx, e.deps.Objects, cs.Base.kept.leftOut, cs.Target.kept.leftOut, cs.Target.Tree)
		if err != nil {
			return err
		}
		cs.Moved = joinNoted(snapshot.Came(cs.Base.kept.leftOut, cs.Target.kept.leftOut), gone)
		cs.LeftOut = joinNoted(cs.LeftOut, cs.Moved)
	}
	if cs.Target.kept == nil {
		return nil
	}
	unsure, err := snapshot.Unsure(ctx, e.deps.Objects, cs.Base.Tree, cs.Target.Tree, cs.Target.kept.turned)
	switch {
	case err != nil:
		return err
	case cs.Base.kept == nil:
		cs.unsure = newOutside(unsure)
		return nil
	case len(unsure) > 0:
		cs.LeftOut = append(cs.LeftOut, unsure...)
		slices.SortStableFunc(cs.LeftOut, func(a, b model.Noted) int { return cmpPath(a.Path, b.Path) })
		cs.LeftOut = slices.CompactFunc(cs.LeftOut, func(a, b model.Noted) bool { return a.Path == b.Path })
	}
	return nil
}

// leftOut joins what the captures of both sides left out, in order of paths. The
// reason of the later one holds.
func leftOut(base, target *Side) []model.Noted {
	var lists [2][]model.Noted
	for i, s := range []*Side{base, target} {
		if s.kept != nil {
			lists[i] = s.kept.leftOut
		}
	}
	return joinNoted(lists[0], lists[1])
}

// joinNoted joins two lists, in order of paths; the reason of the later one holds.
func joinNoted(earlier, later []model.Noted) []model.Noted {
	byPath := make(map[model.Path]model.Noted, len(earlier)+len(later))
	for _, n := range slices.Concat(earlier, later) {
		byPath[n.Path] = n
	}
	list := make([]model.Noted, 0, len(byPath))
	for _, n := range byPath {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b model.Noted) int { return cmpPath(a.Path, b.Path) })
	return list
}

// lister turns the differences of two trees into rows.
type lister struct {
	e      *Engine
	cs     *ChangeSet
	each   func(*ChangeSet, *File) bool
	files  []*File
	beside []model.Path // differ beside the trees alone: raw bytes, permission bits, submodules inside
	inside []model.Path // submodules that changed inside
	live   *live
	noExec bool // git is told not to trust executable bits (core.fileMode)
}

func newLister(e *Engine, cs *ChangeSet, each func(*ChangeSet, *File) bool) *lister {
	l := &lister{e: e, cs: cs, each: each, beside: beside(&cs.Base, &cs.Target)}
	if cs.Target.Present {
		l.live = newLive(e, cs)
		mode, _ := e.deps.Repo.Config("core.filemode")
		l.noExec = mode == "false"
	}
	return l
}

func (l *lister) run(ctx context.Context) error {
	if err := l.live.open(ctx); err != nil {
		return err
	}
	if err := l.lookInside(ctx); err != nil {
		return err
	}
	err := walk(ctx, l.e.deps.Objects, l.cs.Base.Tree, l.cs.Target.Tree, func(c objects.TreeChange) error {
		for len(l.beside) > 0 && l.beside[0] < c.Path {
			if err := l.unchanged(ctx, l.beside[0]); err != nil {
				return err
			}
			l.beside = l.beside[1:]
		}
		if len(l.beside) > 0 && l.beside[0] == c.Path {
			l.beside = l.beside[1:]
		}
		return l.row(ctx, c)
	})
	for err == nil && len(l.beside) > 0 {
		err = l.unchanged(ctx, l.beside[0])
		l.beside = l.beside[1:]
	}
	if err != nil && !errors.Is(err, errStop) && model.CodeOf(err) == model.CodeFailed {
		return model.Failf(err, "cannot compare %s with %s", l.cs.Base.Label, l.cs.Target.Label)
	}
	return err
}

// lookInside adds the submodules whose commit may be the same while their files are
// not.
func (l *lister) lookInside(ctx context.Context) error {
	if !l.cs.Target.Present {
		return nil
	}
	dirty, err := l.e.changedInside(ctx, l.cs.Target.kept.submodules)
	l.inside = dirty
	l.beside = append(l.beside, dirty...)
	slices.SortFunc(l.beside, cmpPath)
	return err
}

// unchanged makes a row of a path whose tree entries are equal.
func (l *lister) unchanged(ctx context.Context, p model.Path) error {
	e, ok, err := l.e.deps.Objects.Lookup(ctx, l.cs.Target.Tree, p)
	if err != nil || !ok {
		return err
	}
	return l.row(ctx, objects.TreeChange{Path: p, OldMode: e.Mode, NewMode: e.Mode, OldOID: e.OID, NewOID: e.OID})
}

func (l *lister) row(ctx context.Context, c objects.TreeChange) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.cs.outside.has(c.Path) || l.noExec && onlyExec(c) {
		return nil
	}
	f := &File{Path: c.Path, Old: l.cs.Base.entry(c.Path, c.OldMode, c.OldOID), New: l.cs.Target.entry(c.Path, c.NewMode, c.NewOID)}
	if l.sameOnDisk(f) {
		return nil
	}
	if l.cs.Base.kept == nil {
		f.plainBase()
	}
	if l.cs.Plain {
		l.diskModes(f)
	}
	f.Change = l.changeOf(f)
	if err := l.live.mark(ctx, f); err != nil {
		return err
	}
	if f.ReadOnly() {
		f.Note = noteCommit
		if slices.Contains(l.inside, f.Path) {
			f.Note, f.Uncommitted = noteInside, true
		}
	}
	l.files = append(l.files, f)
	if l.each != nil && !l.each(l.cs, f) {
		return errStop
	}
	return nil
}

// onlyExec tells of a change of nothing but the executable bit.
func onlyExec(c objects.TreeChange) bool {
	return c.OldOID == c.NewOID && c.OldMode^c.NewMode == objects.ModeFile^objects.ModeExec
}

func (l *lister) changeOf(f *File) model.Change {
	switch {
	case f.Old.Kind == model.KindAbsent:
		return model.Added
	case f.New.Kind == model.KindAbsent:
		return model.Deleted
	case f.Old.Kind != f.New.Kind:
		return model.Retyped
	case l.sameContent(f) && !f.ReadOnly():
		return model.ModeOnly
	default:
		return model.Modified
	}
}
