package review

import (
	"cmp"
	"context"
	"path"
	"slices"

	"overturn/model"
	"overturn/review/patch"
)

// RenameLimit bounds the search for similar files as git's diff.renameLimit does:
// no more than RenameLimit² pairs are compared (default of git since 2.32). Files
// with equal content are paired whatever their number.
const RenameLimit = 1000

// maxSimilar is the largest file in bytes that is compared for similarity.
const maxSimilar = 1 << 20

// Renames is the list as a view shows it: a deleted and an added file of equal or
// at least half equal content are one row, renamed, at the place of the new name.
// Equal content goes first (of several, equal base names), then the most similar.
// The rows of cs are not changed; staging and plans know the exact list alone.
func (e *Engine) Renames(ctx context.Context, cs *ChangeSet) ([]*File, error) {
	var gone, come []*File
	for _, f := range cs.Files {
		switch {
		case f.Change == model.Deleted && !f.ReadOnly():
			gone = append(gone, f)
		case f.Change == model.Added && !f.ReadOnly():
			come = append(come, f)
		}
	}
	if len(gone) == 0 || len(come) == 0 {
		return cs.Files, nil
	}
	p := pairs{from: map[*File]match{}, taken: map[*File]bool{}}
	p.equal(gone, come)
	if err := p.similar(ctx, e, cs, p.left(gone), p.left(come)); err != nil {
		return nil, err
	}
	return p.rows(cs.Files), nil
}

// pairs holds which deleted file each added one came from.
type pairs struct {
	from  map[*File]match
	taken map[*File]bool
}

func (p *pairs) join(m match) { p.from[m.now], p.taken[m.old], p.taken[m.now] = m, true, true }

func (p *pairs) left(files []*File) []*File {
	return slices.DeleteFunc(slices.Clone(files), func(f *File) bool { return p.taken[f] })
}

// equal pairs files of one content, those with equal base names first.
func (p *pairs) equal(gone, come []*File) {
	byID := map[string][]*File{}
	for _, f := range gone {
		key := contentKey(f.Old)
		byID[key] = append(byID[key], f)
	}
	for _, byName := range []bool{true, false} {
		for _, now := range come {
			if p.taken[now] {
				continue
			}
			for _, old := range byID[contentKey(now.New)] {
				if !p.taken[old] && (!byName || baseName(old) == baseName(now)) {
					p.join(match{old, now, 1})
					break
				}
			}
		}
	}
}

func contentKey(en Entry) string { return string(en.Kind) + cmp.Or(en.RawOID, en.OID) }

func baseName(f *File) string { return path.Base(string(f.Path)) }

// match is a pair of similar files: 1 where the content is the same.
type match struct {
	old, now *File
	score    float64
}

// similar pairs what is left by similarity, the best pairs first.
func (p *pairs) similar(ctx context.Context, e *Engine, cs *ChangeSet, gone, come []*File) error {
	if len(gone) == 0 || len(come) == 0 || len(gone)*len(come) > RenameLimit*RenameLimit {
		return nil
	}
	before, err := e.sketches(ctx, cs, gone, BaseSide)
	if err != nil {
		return err
	}
	after, err := e.sketches(ctx, cs, come, TargetSide)
	if err != nil {
		return err
	}
	var found []match
	for i, now := range come {
		if err := ctx.Err(); err != nil {
			return err
		}
		for j, old := range gone {
			if score := before[j].similarity(after[i]); score >= 0.5 {
				found = append(found, match{old, now, score})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b match) int {
		same := func(m match) int {
			if baseName(m.old) == baseName(m.now) {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(same(b), same(a)))
	})
	for _, m := range found {
		if !p.taken[m.old] && !p.taken[m.now] {
			p.join(m)
		}
	}
	return nil
}

func (e *Engine) sketches(ctx context.Context, cs *ChangeSet, files []*File, name SideName) ([]*sketch, error) {
	list := make([]*sketch, len(files))
	for i, f := range files {
		_, _, en := cs.at(f, name)
		if en.Kind != model.KindFile {
			continue
		}
		size, err := e.deps.Objects.Size(ctx, cmp.Or(en.RawOID, en.OID))
		if err != nil {
			return nil, err
		}
		if size > maxSimilar {
			continue
		}
		data, err := e.text(ctx, cs, f, name)
		if err != nil {
			return nil, err
		}
		list[i] = newSketch(data, patch.IsBinary(data))
	}
	return list, nil
}

// rows replaces the two rows of each pair by one.
func (p *pairs) rows(files []*File) []*File {
	list := make([]*File, 0, len(files))
	for _, f := range files {
		m := p.from[f]
		old := m.old
		switch {
		case old != nil:
			r := *f
			r.Change, r.OldPath, r.Old, r.Similarity = model.Renamed, old.Path, old.Old, int(m.score*100)
			r.Committed, r.Uncommitted, r.Staged = f.Committed || old.Committed, f.Uncommitted || old.Uncommitted, f.Staged || old.Staged
			list = append(list, &r)
		case !p.taken[f]:
			list = append(list, f)
		}
	}
	return list
}
