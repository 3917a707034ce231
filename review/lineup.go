package review

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/patch"
)

// largeText is the size in bytes from which it pays to work at one text while the other
// one is being read, and to look for the present one on the disk.
const largeText = 1 << 20

// oneSide is a text that was read.
type oneSide struct {
	name SideName
	data []byte
	err  error
}

// lineUp compares the texts of f; nil where one is binary. Of large ones that which is
// there first is split and numbered while the other one is inflated.
func (e *Engine) lineUp(ctx context.Context, cs *ChangeSet, f *File, o patch.Options) (*patch.Diff, error) {
	read := make(chan oneSide, 2)
	for _, name := range []SideName{BaseSide, TargetSide} {
		go func() {
			data, err := e.text(ctx, cs, f, name)
			read <- oneSide{name, data, err}
		}()
	}
	first := <-read
	var half *patch.Half
	var err error
	if first.err == nil && len(first.data) >= largeText && len(read) == 0 && !patch.IsBinary(first.data) {
		half, err = patch.Prepare(ctx, first.data)
	}
	second := <-read
	old, now := first, second
	if first.name == TargetSide {
		old, now = second, first
	}
	switch {
	case old.err != nil:
		return nil, old.err
	case now.err != nil:
		return nil, now.err
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case patch.IsBinary(old.data) || patch.IsBinary(now.data):
		return nil, nil
	case half == nil:
		return patch.CompareContext(ctx, old.data, now.data, o)
	case first.name == BaseSide:
		return half.WithNew(ctx, now.data, o)
	}
	return half.WithOld(ctx, old.data, o)
}

// onDisk is the bytes of a large file as they lie in the work tree, where they still are
// those with the id; else nil. To read them and to work out their id takes a part of what
// it takes to inflate them.
func (e *Engine) onDisk(p model.Path, oid string) []byte {
	name := filepath.Join(e.deps.Repo.Root, filepath.FromSlash(string(p)))
	info, err := os.Lstat(name)
	if err != nil || info.Mode()&fs.ModeType != 0 || info.Size() < largeText {
		return nil
	}
	data, err := gitops.ReadFile(name)
	if err != nil || e.deps.Objects.Hash(objects.TypeBlob, data) != oid {
		return nil
	}
	return data
}
