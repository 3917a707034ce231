package ledger

import (
	"cmp"
	"context"

	"overturn/gitops/objects"
	"overturn/gitops/snapshot"
	"overturn/model"
)

// onDisk tells what a turn did to bytes on disk, where trees hold others: a rule by
// which git stores a file may come or go with no change of the file, and a file may
// change with none of what git stores.
type onDisk struct {
	differ map[model.Path]rawIDs // kept bytes that are others at the end, or at one side only
	end    map[model.Path]string
}

type rawIDs struct{ start, end string }

// readOnDisk compares what both ends of the turn keep beside their trees. Where
// neither keeps anything, which is where git converts nothing, nothing is read.
func (s *summary) readOnDisk(ctx context.Context, end *snapshot.Stored) (*onDisk, error) {
	o := &onDisk{differ: map[model.Path]rawIDs{}, end: end.Raw}
	if len(end.Raw) == 0 && !s.t.StartRaw {
		return o, nil
	}
	var trees [2]string
	for i, commit := range []string{s.t.Turn.Start.Commit, end.Commit} {
		tree, err := snapshot.RawTree(ctx, s.p.l.d.Objects, commit)
		if err != nil {
			return nil, err
		}
		trees[i] = tree
	}
	err := s.p.l.d.Objects.DiffFunc(ctx, trees[0], trees[1], func(c objects.TreeChange) error {
		o.differ[c.Path] = rawIDs{c.OldOID, c.NewOID}
		return nil
	})
	return o, err
}

// change is a change of trees as one of bytes on disk; the path is answered for
// then.
func (o *onDisk) change(c objects.TreeChange) objects.TreeChange {
	ids, differs := o.differ[c.Path]
	if delete(o.differ, c.Path); !differs {
		ids = rawIDs{o.end[c.Path], o.end[c.Path]}
	}
	if c.OldOID != "" {
		c.OldOID = cmp.Or(ids.start, c.OldOID)
	}
	if c.NewOID != "" {
		c.NewOID = cmp.Or(ids.end, c.NewOID)
	}
	return c
}

// rest adds the files of which trees hold the same and disks did not.
func (s *summary) rest(ctx context.Context, o *onDisk) error {
	for path := range o.differ {
		entry, ok, err := s.p.l.d.Objects.Lookup(ctx, s.t.Turn.End.Tree, path)
		if err != nil {
			return err
		}
		if !ok || s.wasLeftOut(path) {
			continue
		}
		c := o.change(objects.TreeChange{Path: path, OldMode: entry.Mode, NewMode: entry.Mode, OldOID: entry.OID, NewOID: entry.OID})
		if err := s.add(ctx, c); err != nil {
			return err
		}
	}
	return nil
}
