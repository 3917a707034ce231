package snapshot

import (
	"context"
	"encoding/json"
	"path"

	"overturn/gitops/objects"
	"overturn/model"
)

// What git ignores is not in a tree, so that a file that stood there all along
// comes into the trees when the rules, or the names in the index, let it in, and
// goes out of them when they shut it out. The table remembers such entries for as
// long as they stand (fTurned): other captures may lie between the moment and the
// boundary that needs to know.

// unsureReason says why a path that turned is no difference of two trees.
const unsureReason = "git ignored it at one end: what stood there then is not known"

// differ is what compares trees: objects.Store.
type differ interface {
	DiffFunc(ctx context.Context, oldTree, newTree string, yield func(objects.TreeChange) error) error
}

// Unsure lists, of a later snapshot's Turned, what is no difference between the
// tree base and its own tree target though it stands in one of them alone: it was
// on disk at both ends, or may have been.
func Unsure(ctx context.Context, objs differ, base, target string, turned []model.Path) ([]model.Noted, error) {
	if len(turned) == 0 {
		return nil, nil
	}
	unsure := make(map[model.Path]bool, len(turned))
	for _, p := range turned {
		unsure[p] = false
	}
	err := objs.DiffFunc(ctx, base, target, func(c objects.TreeChange) error {
		if c.OldMode != 0 && c.NewMode != 0 {
			return nil
		}
		for p := c.Path; p != "."; p = model.Path(path.Dir(string(p))) {
			if _, ok := unsure[p]; ok {
				unsure[p] = true
			}
		}
		return nil
	})
	if err != nil {
		return nil, model.Failf(err, "cannot tell what git ignored")
	}
	var list []model.Noted
	for _, p := range turned {
		if unsure[p] {
			list = append(list, model.Noted{Path: p, Reason: unsureReason})
		}
	}
	return list, nil
}

// forgetIgnored takes the ignored files of a directory out of the table, so that
// its next listing finds them as new names.
func (t *table) forgetIgnored(d int32) {
	ents := t.dirs[d].ents
	kept := ents[:0]
	for k := range ents {
		if e := &ents[k]; e.dir >= 0 || !e.is(fIgnored) || e.is(fTracked) {
			kept = append(kept, *e)
		}
	}
	t.dirs[d].ents = kept
	t.touch(d)
}

func writeTurned(w *objects.Writer, turned []model.Path) (string, error) {
	paths := make([][]byte, len(turned))
	for i, p := range turned {
		paths[i] = []byte(p)
	}
	data, err := json.Marshal(paths)
	if err != nil {
		return "", err
	}
	return w.Write(objects.TypeBlob, data)
}

func (s *Stored) readTurned(ctx context.Context, id string) error {
	data, err := s.objs.Blob(ctx, id)
	if err != nil {
		return err
	}
	var paths [][]byte
	if err := json.Unmarshal(data, &paths); err != nil {
		return err
	}
	for _, p := range paths {
		s.Turned = append(s.Turned, model.Path(p))
	}
	return nil
}
