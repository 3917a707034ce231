package review

import (
	"context"
	"strings"

	"overturn/gitops/objects"
	"overturn/gitops/snapshot"
	"overturn/model"
)

// side loads one end of a comparison.
func (e *Engine) side(ctx context.Context, at end) (Side, error) {
	s := Side{Label: at.label, Ref: at.ref, Commit: at.commit}
	switch {
	case at.present:
		return e.present(ctx, s)
	case at.project:
		return e.project(ctx, s)
	}
	stored, err := snapshot.Read(ctx, e.deps.Objects, at.commit)
	if err != nil {
		return s, model.Failf(err, "cannot read the snapshot of %s", at.label).
			WithHint("`overturn turns` lists what is recorded")
	}
	s.Tree, s.Head, s.At = stored.Tree, stored.Head, stored.CapturedAt
	s.kept = &kept{raw: stored.Raw, perm: stored.Perm, index: stored.IndexTree, leftOut: stored.LeftOut, empty: stored.Empty, turned: stored.Turned,
		submodules: pathsOf(stored.Inventory.Submodules)}
	return s, nil
}

// present captures what is on disk. Nothing is published: the objects stay
// unreferenced, and git removes them in its own time.
func (e *Engine) present(ctx context.Context, s Side) (Side, error) {
	w := e.deps.Objects.NewWriter()
	snap, err := e.deps.Snapshots.Capture(ctx, w)
	if err != nil {
		return s, model.Failf(err, "cannot capture the work tree as it is now")
	}
	if err := w.Flush(ctx); err != nil {
		return s, model.Failf(err, "cannot store the work tree as it is now").
			WithHint("check that %s can be written", e.deps.Repo.CommonDir)
	}
	// What was learnt is a saving for the next capture alone.
	_ = snap.Discarded()
	s.Present, s.Tree, s.Head, s.At = true, snap.Tree, snap.Head, snap.CapturedAt
	s.kept = &kept{raw: snap.Raw, perm: snap.Perm, index: snap.IndexTree, leftOut: snap.LeftOut, empty: snap.Empty, turned: snap.Turned,
		submodules: pathsOf(snap.Inventory.Submodules)}
	return s, nil
}

func pathsOf(list []model.Submodule) []model.Path {
	paths := make([]model.Path, len(list))
	for i, s := range list {
		paths[i] = s.Path
	}
	return paths
}

// project is a commit of the project, or the empty tree on an unborn branch.
func (e *Engine) project(ctx context.Context, s Side) (Side, error) {
	if s.Commit == "" {
		s.Tree = e.deps.Objects.EmptyTree()
		return s, nil
	}
	commit, err := e.deps.Objects.Commit(ctx, s.Commit)
	if err != nil {
		return s, model.Failf(err, "cannot read commit %s", s.Commit)
	}
	s.Tree = commit.Tree
	return s, nil
}

// entry is what stands at a path of the side, from its tree entry; mode 0 is
// nothing.
func (s *Side) entry(p model.Path, mode uint32, oid string) Entry {
	en := Entry{Mode: octal(mode), OID: oid}
	switch mode {
	case 0:
		return Entry{Kind: model.KindAbsent, Mode: model.Absent().Mode}
	case objects.ModeLink:
		en.Kind = model.KindLink
		return en
	case objects.ModeGitlink:
		en.Kind = model.KindGitlink
		return en
	}
	en.Kind = model.KindFile
	if s.kept != nil {
		en.RawOID = s.kept.raw[p]
		if perm, ok := s.kept.perm[p]; ok {
			en.Mode = octal(0o100000 | perm)
		}
	}
	return en
}

// octal is a mode in CONTRACT's six digits.
func octal(mode uint32) string {
	const digits = 6
	var b [digits]byte
	for i := digits - 1; i >= 0; i-- {
		b[i] = '0' + byte(mode&7)
		mode >>= 3
	}
	return string(b[:])
}

// outside tells which paths neither side vouches for: what a capture left out,
// and all below it.
type outside map[model.Path]bool

func newOutside(list []model.Noted) outside {
	o := make(outside, len(list))
	for _, n := range list {
		o[model.Path(strings.TrimSuffix(string(n.Path), "/"))] = true
	}
	return o
}

func (o outside) has(p model.Path) bool {
	if len(o) == 0 {
		return false
	}
	for {
		if o[p] {
			return true
		}
		cut := strings.LastIndexByte(string(p), '/')
		if cut < 0 {
			return false
		}
		p = p[:cut]
	}
}
