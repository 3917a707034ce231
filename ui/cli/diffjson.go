package cli

import (
	"context"
	"errors"
	"strings"

	"overturn/model"
	"overturn/review"
	"overturn/review/patch"
)

// diffHunk is a hunk in overturn.diff/1.
type diffHunk struct {
	ID       int            `json:"id"`
	Header   string         `json:"header"`
	OldStart int            `json:"old_start"`
	OldLines int            `json:"old_lines"`
	NewStart int            `json:"new_start"`
	NewLines int            `json:"new_lines"`
	Owner    model.Owner    `json:"owner"`
	Turns    []int          `json:"turns"`
	Thread   model.ThreadID `json:"thread"` // that counts Turns; "" where they are of several
}

// diffFile is FILE with its hunks; ModeOwner is set where the mode changed.
type diffFile struct {
	model.FileChange
	Hunks       []diffHunk
	ModeOwner   model.Owner
	Committed   bool
	Uncommitted bool
	Lost        string // why it could not be compared, or ""
}

// MarshalJSON puts the hunks among the members of FILE.
func (f diffFile) MarshalJSON() ([]byte, error) {
	return joinJSON(f.FileChange, struct {
		Hunks       []diffHunk  `json:"hunks"`
		ModeOwner   model.Owner `json:"mode_owner,omitempty"`
		Committed   bool        `json:"committed"`
		Uncommitted bool        `json:"uncommitted"`
		Lost        string      `json:"lost,omitempty"`
	}{model.NotNil(f.Hunks), f.ModeOwner, f.Committed, f.Uncommitted, f.Lost})
}

// diffWire is overturn.diff/1: hunks and counts are exact, whatever a view hides.
type diffWire struct {
	Scope   string        `json:"scope"`
	Thread  string        `json:"thread"`
	Base    diffSide      `json:"base"`
	Target  diffSide      `json:"target"`
	Files   []diffFile    `json:"files"`
	Hidden  model.Paths   `json:"hidden_whitespace_only"`
	LeftOut []model.Noted `json:"left_out"`
}

type diffSide struct {
	Label  string `json:"label"`
	Ref    string `json:"ref"`
	Commit string `json:"commit"`
	Tree   string `json:"tree"`
}

func (e *engines) diffJSON(ctx context.Context, cs *review.ChangeSet, files []*review.File) error {
	side := func(s review.Side) diffSide { return diffSide{s.Label, s.Ref, s.Commit, s.Tree} }
	wire := diffWire{
		Scope: cs.Scope.String(), Thread: string(cs.Thread), Base: side(cs.Base), Target: side(cs.Target),
		Files: []diffFile{}, LeftOut: model.NotNil(cs.LeftOut),
	}
	hidden, err := e.reading().HiddenSpace(ctx, cs, nil)
	if err != nil && ctx.Err() != nil {
		return err
	}
	var lost []string
	shown := map[model.Path]bool{}
	for _, f := range files {
		shown[f.Path] = true
		file, err := e.diffFile(ctx, cs, f)
		if err != nil && ctx.Err() == nil {
			file = diffFile{FileChange: model.FileChange{Path: f.Path, OldPath: f.OldPath, Change: f.Change, Additions: -1, Deletions: -1}, Lost: err.Error()}
			lost, err = append(lost, patch.Quote(f.Path)), e.cannotShow(err)
		}
		if err != nil {
			return err
		}
		wire.Files = append(wire.Files, file)
	}
	for _, p := range hidden {
		if shown[p] {
			wire.Hidden = append(wire.Hidden, p)
		}
	}
	return errors.Join(e.app.emit("overturn.diff/1", wire, nil), partOf(lost, len(files), cs.Plain))
}

// renames pairs the files that were renamed; where content that this compares is
// lost, they stay as deleted and added.
func (e *engines) renames(ctx context.Context, cs *review.ChangeSet) ([]*review.File, error) {
	files, err := e.reading().Renames(ctx, cs)
	if err != nil && ctx.Err() == nil {
		return cs.Files, nil
	}
	return files, err
}

// cannotShow says why one file is not shown; the others are.
func (e *engines) cannotShow(err error) error {
	e.app.say("%s", safe(err.Error()))
	return nil
}

// partOf is the error of a comparison of so many files without those that could not
// be read; plain: they are of another program's turns.
func partOf(lost []string, of int, plain bool) error {
	code := model.CodePartial
	switch len(lost) {
	case 0:
		return nil
	case of:
		code = model.CodeFailed
	}
	hint := "run git fsck; a clone or another copy of the repository may still hold what is lost"
	if plain {
		hint = review.NotHere
	}
	return model.Errorf(code, "%s not shown: %s", count(len(lost), "file"), strings.Join(lost, ", ")).WithHint("%s", hint)
}

func (e *engines) diffFile(ctx context.Context, cs *review.ChangeSet, f *review.File) (diffFile, error) {
	row, err := e.reading().Row(ctx, cs, f)
	if err != nil {
		return diffFile{}, err
	}
	out := diffFile{FileChange: row, Committed: f.Committed, Uncommitted: f.Uncommitted}
	owners, err := e.reading().Owners(ctx, cs, f)
	if err != nil {
		return diffFile{}, err
	}
	by := map[int]review.HunkOwner{}
	for _, h := range owners.Hunks {
		by[h.Number] = h
	}
	if mode, ok := by[0]; ok {
		out.ModeOwner = mode.Owner
	}
	d, err := e.reading().Diff(ctx, cs, f, patch.Options{})
	if err != nil || d == nil {
		return out, err
	}
	for _, h := range d.Exact() {
		out.Hunks = append(out.Hunks, diffHunk{
			h.Number, strings.TrimSuffix(d.Header(h), "\n"), h.OldStart, h.OldLines, h.NewStart, h.NewLines,
			by[h.Number].Owner, model.NotNil(by[h.Number].Turns), by[h.Number].In,
		})
	}
	return out, nil
}
