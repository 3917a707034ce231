package snapshot

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"overturn/gitops/objects"
	"overturn/model"
)

// sumRaw is a digest of what Raw lists; it tells whether a tree of it that is
// stored already will do. There may be one line for each file of the work tree.
func sumRaw(raw map[model.Path]string) []byte {
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(raw)) {
		fmt.Fprintf(h, "%s\x00%s\x00", path, raw[path])
	}
	return h.Sum(nil)
}

// storeRaw makes the tree of Raw, unless the snapshot before this one holds it.
func (s *Snapshot) storeRaw(w *objects.Writer) error {
	if s.rawTree != "" {
		return nil
	}
	files := make(map[string]string, len(s.Raw))
	for path, id := range s.Raw {
		files[string(path)] = id
	}
	id, err := writeNested(w, files)
	s.rawTree = id
	return err
}

// writeNested writes blobs as files at their paths.
func writeNested(w *objects.Writer, files map[string]string) (string, error) {
	below := map[string]map[string]string{}
	var list []objects.TreeEntry
	for path, id := range files {
		step, rest, deeper := cutPath(path)
		if !deeper {
			list = append(list, objects.TreeEntry{Mode: objects.ModeFile, Name: step, OID: id})
			continue
		}
		if below[step] == nil {
			below[step] = map[string]string{}
		}
		below[step][rest] = id
	}
	for name, files := range below {
		id, err := writeNested(w, files)
		if err != nil {
			return "", err
		}
		list = append(list, objects.TreeEntry{Mode: objects.ModeTree, Name: name, OID: id})
	}
	return w.WriteTree(list)
}

// readRaw reads the tree that writeNested made into Raw.
func (s *Stored) readRaw(ctx context.Context, tree, prefix string) error {
	list, err := s.objs.Tree(ctx, tree)
	for _, entry := range list {
		path := prefix + entry.Name
		if entry.IsTree() {
			if err := s.readRaw(ctx, entry.OID, path+"/"); err != nil {
				return err
			}
			continue
		}
		s.Raw[model.Path(path)] = entry.OID
	}
	return err
}
