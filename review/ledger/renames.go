package ledger

import (
	"context"
	"slices"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/patch"
	"overturn/review/similar"
)

// countedRenames bounds the search for similar files of a turn: no more than its square
// of pairs. Files of one content are paired whatever their number.
const countedRenames = 100

// rename makes one file of each pair of files that went and came with at least half of
// the content in common, as a comparison of the turn lists them.
func (s *summary) rename(ctx context.Context) error {
	var gone, come []objects.TreeChange
	var old, now []similar.File
	for _, c := range s.moved {
		switch {
		case c.OldMode == objects.ModeGitlink || c.NewMode == objects.ModeGitlink:
		case c.OldOID == "":
			come, now = append(come, c), append(now, similar.File{Path: c.Path, Key: kindKey(c.NewMode, c.NewOID)})
		default:
			gone, old = append(gone, c), append(old, similar.File{Path: c.Path, Key: kindKey(c.OldMode, c.OldOID)})
		}
	}
	if len(gone) == 0 || len(come) == 0 {
		return nil
	}
	found, err := similar.Pair(ctx, old, now, countedRenames,
		func(ctx context.Context, i int) (*similar.Sketch, error) {
			return s.sketch(ctx, gone[i].OldMode, gone[i].OldOID)
		},
		func(ctx context.Context, i int) (*similar.Sketch, error) {
			return s.sketch(ctx, come[i].NewMode, come[i].NewOID)
		})
	if err != nil {
		return err
	}
	return s.join(ctx, gone, come, found)
}

// kindKey tells contents apart; a link and a file of the same bytes are not the same.
func kindKey(mode uint32, oid string) string {
	const link = 0o120000
	if mode == link {
		return "link " + oid
	}
	return oid
}

// sketch is nil for what is no file, and past the bounds of the summary.
func (s *summary) sketch(ctx context.Context, mode uint32, oid string) (*similar.Sketch, error) {
	const typeBits, file = 0o170000, 0o100000
	if mode&typeBits != file || s.spent > countedTime {
		return nil, nil
	}
	began := s.p.l.d.Clock()
	defer func() { s.spent += s.p.l.d.Clock().Sub(began) }()
	data, ok, err := s.side(ctx, oid)
	if err != nil || !ok {
		return nil, err
	}
	return similar.New(data, patch.IsBinary(data)), nil
}

// join makes one row of each pair, at the new name.
func (s *summary) join(ctx context.Context, gone, come []objects.TreeChange, found []similar.Match) error {
	at, went := make(map[model.Path]int, len(s.files)), make(map[model.Path]bool, len(found))
	for i, f := range s.files {
		at[f.Path] = i
	}
	for _, m := range found {
		row, old := &s.files[at[come[m.Come].Path]], gone[m.Gone]
		row.Change, row.OldPath = model.Renamed, old.Path
		went[old.Path] = true
		if err := s.recount(ctx, row, old.OldOID, come[m.Come].NewOID); err != nil {
			return err
		}
	}
	s.files = slices.DeleteFunc(s.files, func(f model.FileChange) bool { return went[f.Path] && f.Change == model.Deleted })
	return nil
}

// recount counts the lines of a renamed file anew: an added one counted all of it.
func (s *summary) recount(ctx context.Context, row *model.FileChange, oldID, newID string) error {
	switch {
	case row.Binary:
		return nil
	case oldID == newID:
		row.Additions, row.Deletions = 0, 0
		return nil
	}
	counted := row.Additions >= 0
	row.Additions, row.Deletions = -1, -1
	old, okOld, err := s.side(ctx, oldID)
	if err != nil || !okOld || !counted {
		return err
	}
	now, okNew, err := s.side(ctx, newID)
	if err != nil || !okNew || tooLong(old, now) {
		return err
	}
	if row.Binary = patch.IsBinary(old); !row.Binary {
		diff, err := patch.CompareContext(ctx, old, now, patch.Options{})
		if err != nil {
			return err
		}
		row.Additions, row.Deletions = diff.Adds, diff.Dels
	}
	return nil
}
