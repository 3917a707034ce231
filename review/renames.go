package review

import (
	"cmp"
	"context"

	"overturn/model"
	"overturn/review/patch"
	"overturn/review/similar"
)

// RenameLimit bounds the search for similar files as git's diff.renameLimit does:
// no more than RenameLimit² pairs are compared (default of git since 2.32). Files
// with equal content are paired whatever their number.
const RenameLimit = 1000

// Renames is the list as a view shows it: a deleted and an added file of equal or
// at least half equal content are one row, renamed, at the place of the new name.
// Equal content goes first (of several, equal base names), then the most similar.
// The rows of cs are not changed; staging and plans know the exact list alone.
func (e *Engine) Renames(ctx context.Context, cs *ChangeSet) ([]*File, error) {
	var gone, come []*File
	var old, now []similar.File
	for _, f := range cs.Files {
		switch {
		case f.Change == model.Deleted && !f.ReadOnly():
			gone, old = append(gone, f), append(old, similar.File{Path: f.Path, Key: contentKey(f.Old)})
		case f.Change == model.Added && !f.ReadOnly():
			come, now = append(come, f), append(now, similar.File{Path: f.Path, Key: contentKey(f.New)})
		}
	}
	if len(gone) == 0 || len(come) == 0 {
		return cs.Files, nil
	}
	found, err := similar.Pair(ctx, old, now, RenameLimit,
		func(ctx context.Context, i int) (*similar.Sketch, error) { return e.sketch(ctx, cs, gone[i], BaseSide) },
		func(ctx context.Context, i int) (*similar.Sketch, error) {
			return e.sketch(ctx, cs, come[i], TargetSide)
		})
	if err != nil {
		return nil, err
	}
	return renamed(cs.Files, gone, come, found), nil
}

func contentKey(en Entry) string { return string(en.Kind) + cmp.Or(en.RawOID, en.OID) }

func (e *Engine) sketch(ctx context.Context, cs *ChangeSet, f *File, name SideName) (*similar.Sketch, error) {
	_, _, en := cs.at(f, name)
	if en.Kind != model.KindFile {
		return nil, nil
	}
	size, err := e.deps.Objects.Size(ctx, cmp.Or(en.RawOID, en.OID))
	if err != nil || size > similar.MaxSize {
		return nil, err
	}
	data, err := e.text(ctx, cs, f, name)
	if err != nil {
		return nil, err
	}
	return similar.New(data, patch.IsBinary(data)), nil
}

// renamed replaces the two rows of each pair by one.
func renamed(files, gone, come []*File, found []similar.Match) []*File {
	from, went := make(map[*File]similar.Match, len(found)), make(map[*File]bool, len(found))
	for _, m := range found {
		from[come[m.Come]], went[gone[m.Gone]] = m, true
	}
	list := make([]*File, 0, len(files)-len(found))
	for _, f := range files {
		m, ok := from[f]
		switch {
		case ok:
			old, r := gone[m.Gone], *f
			r.Change, r.OldPath, r.Old, r.Similarity = model.Renamed, old.Path, old.Old, int(m.Score*100)
			r.Committed, r.Uncommitted, r.Staged = f.Committed || old.Committed, f.Uncommitted || old.Uncommitted, f.Staged || old.Staged
			list = append(list, &r)
		case !went[f]:
			list = append(list, f)
		}
	}
	return list
}
