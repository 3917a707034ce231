package review

import (
	"cmp"
	"context"
	"slices"

	"overturn/model"
)

func cmpPath(a, b model.Path) int { return cmp.Compare(a, b) }

// beside lists, in order, the paths whose raw bytes or permission bits differ
// between two snapshots: their trees may agree all the same. A commit of the
// project knows of neither.
func beside(base, target *Side) []model.Path {
	if base.kept == nil || target.kept == nil {
		return nil
	}
	set := map[model.Path]bool{}
	differing(base.kept.raw, target.kept.raw, set)
	differing(base.kept.perm, target.kept.perm, set)
	list := make([]model.Path, 0, len(set))
	for p := range set {
		list = append(list, p)
	}
	slices.SortFunc(list, cmpPath)
	return list
}

func differing[V comparable](a, b map[model.Path]V, into map[model.Path]bool) {
	for p, v := range a {
		if w, ok := b[p]; !ok || w != v {
			into[p] = true
		}
	}
	for p := range b {
		if _, ok := a[p]; !ok {
			into[p] = true
		}
	}
}

// sameOnDisk tells of a file whose blobs differ between two snapshots though its
// bytes on disk do not: the rules by which git stores it changed, not the file.
func (l *lister) sameOnDisk(f *File) bool {
	return l.cs.Base.kept != nil && f.Old.Kind == model.KindFile && f.New.Kind == model.KindFile && f.Old.Mode == f.New.Mode &&
		l.sameContent(f)
}

// sameContent compares bytes on disk where both sides know of these, else what git
// stores.
func (l *lister) sameContent(f *File) bool {
	if l.cs.Base.kept == nil || l.cs.Target.kept == nil {
		return f.Old.OID == f.New.OID
	}
	return cmp.Or(f.Old.RawOID, f.Old.OID) == cmp.Or(f.New.RawOID, f.New.OID)
}

// live tells committed, uncommitted and staged changes apart in a comparison that
// ends at the present. A nil live marks nothing.
type live struct {
	e           *Engine
	cs          *ChangeSet
	head, index *cursor
}

func newLive(e *Engine, cs *ChangeSet) *live { return &live{e: e, cs: cs} }

func (v *live) open(ctx context.Context) error {
	if v == nil {
		return nil
	}
	head := v.cs.Base.Tree
	if v.cs.Base.Commit != v.cs.Target.Head.Commit {
		side, err := v.e.project(ctx, Side{Commit: v.cs.Target.Head.Commit})
		if err != nil {
			return err
		}
		head = side.Tree
	}
	v.head = &cursor{objs: v.e.deps.Objects, tree: head}
	if index := v.cs.Target.kept.index; index != "" {
		v.index = &cursor{objs: v.e.deps.Objects, tree: index}
	}
	return nil
}

// mark compares by what git stores: bits that git does not know do not count.
func (v *live) mark(ctx context.Context, f *File) error {
	if v == nil {
		return nil
	}
	mode, oid, err := v.head.find(ctx, f.Path)
	if err != nil {
		return err
	}
	head := (&Side{}).entry(f.Path, mode, oid)
	f.Committed = !sameForGit(head, f.Old)
	f.Uncommitted = !sameForGit(head, f.New)
	if v.index == nil {
		return nil
	}
	mode, oid, err = v.index.find(ctx, f.Path)
	f.Staged = head != (&Side{}).entry(f.Path, mode, oid)
	return err
}

// sameForGit compares a project entry with one on disk as git does.
func sameForGit(head, disk Entry) bool {
	return head.Kind == disk.Kind && head.OID == disk.OID && executable(head.Mode) == executable(disk.Mode)
}

// plainBase gives the base of a project commit the permission bits of the disk
// where git sees no difference: it has none of its own to go back to.
func (f *File) plainBase() {
	if f.Old.Kind == model.KindFile && f.New.Kind == model.KindFile && executable(f.Old.Mode) == executable(f.New.Mode) {
		f.Old.Mode = f.New.Mode
	}
}

// executable is git's one bit: whether the owner may execute.
func executable(mode string) bool { return len(mode) == 6 && (mode[3]-'0')&1 == 1 }
