package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/patch"
)

// at is the side of that name with the path and the entry of f at it.
func (cs *ChangeSet) at(f *File, name SideName) (*Side, model.Path, Entry) {
	if name == TargetSide {
		return &cs.Target, f.Path, f.New
	}
	if f.OldPath != "" {
		return &cs.Base, f.OldPath, f.Old
	}
	return &cs.Base, f.Path, f.Old
}

// Content is the bytes of f on disk at a side, and its state there: of a link its
// text, nil of a gitlink and of what is absent. Snapshots keep the bytes; of a commit of
// the project they are what a checkout writes, by the rules of today.
func (e *Engine) Content(ctx context.Context, cs *ChangeSet, f *File, name SideName) ([]byte, model.FileState, error) {
	side, p, en := cs.at(f, name)
	data, err := e.bytes(ctx, cs, side, p, en)
	if err != nil {
		return nil, model.FileState{}, cs.unread(err, p, name)
	}
	return data, stateOf(en, data), nil
}

// unread is the error for a path whose bytes cannot be read. Of turns that were recorded
// elsewhere the lists of changes came, and the contents only where they were shared.
func (cs *ChangeSet) unread(err error, p model.Path, name SideName) error {
	if cs.Plain && errors.Is(err, objects.ErrNotFound) {
		return model.Errorf(model.CodeFailed, "the contents of %q as of %s are not here", p, cs.label(name)).WithHint("%s", NotHere)
	}
	return model.Failf(err, "cannot read %q as of %s", p, cs.label(name))
}

// NotHere is the next step where contents of a turn of another program, or of another
// repository, are not here.
const NotHere = "they are where the turn was recorded; a commit that holds them brings them when it is fetched"

func (cs *ChangeSet) label(name SideName) string {
	if name == BaseSide {
		return cs.Base.Label
	}
	return cs.Target.Label
}

func (e *Engine) bytes(ctx context.Context, cs *ChangeSet, side *Side, p model.Path, en Entry) ([]byte, error) {
	switch {
	case en.Kind == model.KindAbsent || en.Kind == model.KindGitlink:
		return nil, nil
	case en.Kind == model.KindLink:
		return e.deps.Objects.Blob(ctx, en.OID)
	case side.kept != nil:
		oid := cmp.Or(en.RawOID, en.OID)
		if side.Present {
			if data := e.onDisk(p, oid); data != nil {
				return data, nil
			}
		}
		return e.deps.Objects.Blob(ctx, oid)
	}
	data, converts, err := e.unlessConverted(ctx, cs, p, en.OID)
	if err == nil && converts {
		return e.deps.Snapshots.Smudge(ctx, p, en.OID)
	}
	return data, err
}

// unlessConverted is the blob of p, unless git stores p otherwise than it stands on disk.
// The blob is read while git is still being asked: mostly it is wanted as it is.
func (e *Engine) unlessConverted(ctx context.Context, cs *ChangeSet, p model.Path, oid string) (data []byte, converts bool, err error) {
	if converts, known := cs.converts.answer(p); known && converts {
		return nil, true, nil
	} else if known {
		data, err = e.deps.Objects.Blob(ctx, oid)
		return data, false, err
	}
	var asking sync.WaitGroup
	var unasked error
	asking.Go(func() { converts, unasked = cs.converts.of(ctx, e, p) })
	data, err = e.deps.Objects.Blob(ctx, oid)
	asking.Wait()
	switch {
	case unasked != nil:
		return nil, false, unasked
	case converts:
		return nil, true, nil
	}
	return data, false, err
}

func stateOf(en Entry, data []byte) model.FileState {
	switch en.Kind {
	case model.KindAbsent:
		return model.Absent()
	case model.KindGitlink:
		return model.FileState{Kind: en.Kind, Mode: en.Mode}
	}
	sum := sha256.Sum256(data)
	return model.FileState{Kind: en.Kind, Mode: en.Mode, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
}

// Diff compares the two sides of f by lines. It is nil for what is not compared so:
// binary content, and submodules, whose Counts say so. A link counts as a line.
func (e *Engine) Diff(ctx context.Context, cs *ChangeSet, f *File, o patch.Options) (*patch.Diff, error) {
	if f.ReadOnly() {
		return nil, nil
	}
	d, err := cs.last.of(ctx, f, func() (*patch.Diff, error) { return e.lineUp(ctx, cs, f, o) })
	if d == nil || err != nil {
		return nil, err
	}
	return d.AsContext(ctx, o)
}

// text is Content without the state, which costs a hash.
func (e *Engine) text(ctx context.Context, cs *ChangeSet, f *File, name SideName) ([]byte, error) {
	side, p, en := cs.at(f, name)
	data, err := e.bytes(ctx, cs, side, p, en)
	if err != nil {
		return nil, cs.unread(err, p, name)
	}
	return data, nil
}

// Counts is the number of lines added and deleted, white space included. Binary
// content and submodules have none: -1.
type Counts struct {
	Additions, Deletions int
	Binary               bool
}

// Counts counts the lines of f.
func (e *Engine) Counts(ctx context.Context, cs *ChangeSet, f *File) (Counts, error) {
	if f.Old.OID == f.New.OID && f.Old.RawOID == f.New.RawOID {
		return Counts{}, nil
	}
	d, err := e.Diff(ctx, cs, f, patch.Options{})
	switch {
	case err != nil:
		return Counts{}, err
	case d == nil:
		return Counts{Additions: -1, Deletions: -1, Binary: !f.ReadOnly()}, nil
	}
	return Counts{Additions: d.Adds, Deletions: d.Dels}, nil
}

// Row is f as CONTRACT's FILE, counted and with its owner.
func (e *Engine) Row(ctx context.Context, cs *ChangeSet, f *File) (model.FileChange, error) {
	row := model.FileChange{Path: f.Path, OldPath: f.OldPath, Change: f.Change}
	n, err := e.Counts(ctx, cs, f)
	if err != nil {
		return row, err
	}
	row.Additions, row.Deletions, row.Binary = n.Additions, n.Deletions, n.Binary
	row.Owner, _, err = e.Owner(ctx, cs, f)
	return row, err
}
