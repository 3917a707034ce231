package snapshot

import (
	"overturn/gitops/objects"
	"overturn/model"
)

// indexed is the content that the user's index, or HEAD, holds at path, or nil.
func (c *capture) indexed(path string) []byte {
	found, ok := c.base(path)
	if !ok || found.Mode == objects.ModeGitlink {
		return nil
	}
	data, err := c.e.objs.Blob(c.ctx, found.OID)
	if err != nil {
		return nil
	}
	return data
}

// base is what the user's index holds at path, or else HEAD.
func (c *capture) base(path string) (objects.TreeEntry, bool) {
	for _, tree := range []string{c.t.aux.IndexTree, c.t.aux.HeadTree} {
		if tree == "" {
			continue
		}
		found, ok, err := c.e.objs.Lookup(c.ctx, tree, model.Path(path))
		if err == nil && ok && found.Mode != objects.ModeTree {
			return found, true
		}
	}
	return objects.TreeEntry{}, false
}

// keepIndexed gives an entry that cannot be captured what the index, or HEAD,
// holds at its path; then it never reads as deleted.
func (c *capture) keepIndexed(d int32, e *entry) {
	if e.has(fSeed | fIn) {
		return
	}
	e.flags &^= fIn
	found, ok := c.base(c.t.pathOf(d, e))
	if !ok {
		return
	}
	if id, err := c.unhex(found.OID); err == nil {
		e.oid, e.mode = id, indexMode(found.Mode)
		e.flags |= fIn
	}
}
