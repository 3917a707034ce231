package snapshot

import (
	"errors"
	"strings"

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
	if e.has(fSeed|fIn) && e.base == baseOf(&e.oid, e.mode) {
		return // neither only meant to be added nor another stage of a merge
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

// reindexed marks what is to be read again because the index, or HEAD, holds other
// content at its path than oldIndex and oldHead did: text that git finds to be text
// keeps its CRLF only where it was stored with it (cleanEOL).
func (c *capture) reindexed(oldIndex, oldHead string) error {
	t := c.t
	if !t.aux.Attrs.Active || oldIndex == "" {
		return nil // nothing was converted yet
	}
	for _, pair := range [][2]string{{oldIndex, t.aux.IndexTree}, {oldHead, t.aux.HeadTree}} {
		err := c.e.objs.DiffFunc(c.ctx, pair[0], pair[1], func(ch objects.TreeChange) error {
			c.rereadAuto(string(ch.Path))
			return nil
		})
		if errors.Is(err, objects.ErrNotFound) { // gc took the old one: it may have held anything
			c.eachEntry(func(d int32, e *entry) { c.reread(d, e) })
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *capture) rereadAuto(path string) {
	parent, name := "", path
	if k := strings.LastIndexByte(path, '/'); k >= 0 {
		parent, name = path[:k], path[k+1:]
	}
	if d, ok := c.t.dirOf(parent); ok {
		if at := c.t.find(d, name, false); at >= 0 {
			c.reread(d, &c.t.dirs[d].ents[at])
		}
	}
}

// reread marks an entry whose conversion looks at what is stored.
func (c *capture) reread(d int32, e *entry) {
	if (e.conv == convAuto || e.conv == convGitAuto) && e.is(fIn) && !e.is(fAbsent|fOut) {
		e.flags |= fTodo
		c.todo = append(c.todo, d)
	}
}
