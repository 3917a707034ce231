package review

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"

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
		return nil, model.FileState{}, model.Failf(err, "cannot read %q as of %s", p, cs.label(name))
	}
	return data, stateOf(en, data), nil
}

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
	case en.RawOID != "":
		return e.deps.Objects.Blob(ctx, en.RawOID)
	case en.Kind == model.KindLink || side.kept != nil:
		return e.deps.Objects.Blob(ctx, en.OID)
	}
	converts, err := cs.converts.of(ctx, e, p)
	if err != nil {
		return nil, err
	}
	if converts {
		return e.deps.Snapshots.Smudge(ctx, p, en.OID)
	}
	return e.deps.Objects.Blob(ctx, en.OID)
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
	if d := cs.last.of(f); d != nil {
		return d.As(o), nil
	}
	old, err := e.text(ctx, cs, f, BaseSide)
	if err != nil {
		return nil, err
	}
	now, err := e.text(ctx, cs, f, TargetSide)
	if err != nil || patch.IsBinary(old) || patch.IsBinary(now) {
		return nil, err
	}
	d := patch.Compare(old, now, o)
	cs.last.keep(f, d, len(old)+len(now))
	return d, nil
}

// lastDiff is the comparison that was made last: a file's counts, its owners and
// its hunks are asked for one after the other, and texts of a hundred thousand lines
// take seconds to line up.
type lastDiff struct {
	mu   sync.Mutex
	file *File
	diff *patch.Diff
}

// lastDiffSize bounds what stays in memory for it, in bytes of both texts.
const lastDiffSize = 16 << 20

func (l *lastDiff) of(f *File) *patch.Diff {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != f {
		return nil
	}
	return l.diff
}

func (l *lastDiff) keep(f *File, d *patch.Diff, size int) {
	if size > lastDiffSize {
		f, d = nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.file, l.diff = f, d
}

// text is Content without the state, which costs a hash.
func (e *Engine) text(ctx context.Context, cs *ChangeSet, f *File, name SideName) ([]byte, error) {
	side, p, en := cs.at(f, name)
	data, err := e.bytes(ctx, cs, side, p, en)
	if err != nil {
		return nil, model.Failf(err, "cannot read %q as of %s", p, cs.label(name))
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
