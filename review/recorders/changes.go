package recorders

import (
	"context"
	"fmt"
	"sync"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/patch"
)

// The bounds of what is counted of one turn; past them counts are -1, as in a summary of
// our own (review/ledger).
const (
	countedFiles = 500
	countedSize  = 1 << 20  // of one side of one file, in bytes
	countedTotal = 16 << 20 // of all files together, in bytes
)

// changes lists what differs between two trees at and below a folder ("" is the root).
type changes struct {
	objects *objects.Store
	exact   bool
	except  model.Path // where not "": a folder that is another program's own
	total   int64
	files   []model.FileChange
}

func (c *changes) between(ctx context.Context, old, now string, within model.Path) ([]model.FileChange, error) {
	c.files = []model.FileChange{}
	err := c.objects.DiffFunc(ctx, old, now, func(t objects.TreeChange) error {
		if !t.Path.Under(within) || c.except != "" && t.Path.Under(c.except) {
			return nil
		}
		f := model.FileChange{Path: t.Path, Change: t.Change(), Additions: -1, Deletions: -1}
		if c.exact && len(c.files) < countedFiles {
			if err := c.count(ctx, t, &f); err != nil {
				return err
			}
		}
		c.files = append(c.files, f)
		return nil
	})
	return c.files, err
}

func (c *changes) count(ctx context.Context, t objects.TreeChange, f *model.FileChange) error {
	if t.OldMode == objects.ModeGitlink || t.NewMode == objects.ModeGitlink {
		return nil
	}
	var texts [2][]byte
	for i, oid := range []string{t.OldOID, t.NewOID} {
		if oid == "" {
			continue
		}
		size, err := c.objects.Size(ctx, oid)
		if err != nil {
			return err
		}
		if c.total += size; size > countedSize || c.total > countedTotal {
			return nil
		}
		if texts[i], err = c.objects.Blob(ctx, oid); err != nil {
			return err
		}
	}
	if f.Binary = patch.IsBinary(texts[0]) || patch.IsBinary(texts[1]); !f.Binary {
		d, err := patch.CompareContext(ctx, texts[0], texts[1], patch.Options{})
		if err != nil {
			return err
		}
		f.Additions, f.Deletions = d.Adds, d.Dels
	}
	return nil
}

// filled keeps what turns changed: a review asks again whenever it looks, and two trees
// stay what they are.
type filled struct {
	mu   sync.Mutex
	kept map[string][]model.FileChange
}

func (k *filled) of(ctx context.Context, s Source, turn *model.Turn, exact bool) ([]model.FileChange, error) {
	key := fmt.Sprint(turn.Thread, " ", turn.Start.Tree, " ", turn.End.Tree, " ", exact)
	k.mu.Lock()
	files, ok := k.kept[key]
	k.mu.Unlock()
	if ok {
		return files, nil
	}
	files, err := s.Files(ctx, turn, exact)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil {
		k.kept = map[string][]model.FileChange{}
	}
	k.kept[key] = files
	return files, nil
}
