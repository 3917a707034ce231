package snapshot

import (
	"slices"
	"strings"

	"overturn/gitops/objects"
	"overturn/model"
)

// finish builds the trees and the snapshot.
func (c *capture) finish() (*Snapshot, error) {
	tree, err := c.buildTrees()
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Tree: tree, Head: c.head, Operation: c.e.repo.Operation(), IndexTree: c.t.aux.IndexTree,
		Unmerged: slices.Clone(c.t.aux.Unmerged), Notes: c.notes, Raw: map[model.Path]string{}, Perm: map[model.Path]uint32{}}
	s.besides = c.t.aux.IndexTree
	if len(s.Unmerged) > 0 {
		s.IndexTree = ""
	}
	c.collect(s)
	if err := c.inventory(s); err != nil {
		return nil, err
	}
	s.save = c.saver()
	return s, nil
}

// collect gathers what lies beside the tree.
func (c *capture) collect(s *Snapshot) {
	t := c.t
	c.t.aux.Raw = c.t.aux.Raw[:0]
	for d := range t.dirs {
		dir := &t.dirs[d]
		switch {
		case dir.flags&dGone != 0:
			continue
		case dir.flags&dOut != 0:
			s.LeftOut = append(s.LeftOut, model.Noted{Path: model.Path(strings.Clone(dir.path)), Reason: whyUnreadable.String()})
		case dir.flags&dAbsent != 0 && !dir.oid.isZero() && !c.inside(dir.parent):
			s.LeftOut = append(s.LeftOut, model.Noted{Path: model.Path(strings.Clone(dir.path)), Reason: sparseReason})
		}
		if len(dir.ents) == 0 && dir.flags&(dOut|dAbsent|dIgnored) == 0 && d > 0 {
			s.Empty = append(s.Empty, model.Path(strings.Clone(dir.path)))
		}
		for k := range dir.ents {
			c.collectEntry(s, int32(d), &dir.ents[k])
		}
	}
	slices.Sort(s.Empty)
	slices.SortFunc(s.LeftOut, func(a, b model.Noted) int { return strings.Compare(string(a.Path), string(b.Path)) })
	slices.SortFunc(t.aux.Raw, func(a, b rawFile) int { return strings.Compare(string(a.Path), string(b.Path)) })
}

const sparseReason = "outside the sparse checkout"

// inside tells whether a directory is itself listed as left out, with all below.
func (c *capture) inside(d int32) bool {
	return c.t.dirs[d].flags&(dAbsent|dOut) != 0
}

func (c *capture) collectEntry(s *Snapshot, d int32, e *entry) {
	if e.dir >= 0 || e.is(fIgnored) {
		return
	}
	plain := e.mode&typeMask != typeFile || e.mode == typeFile|0o644 || e.mode == typeFile|0o755
	if plain && !e.is(fOut|fRaw|fAbsent) && e.mode&typeMask != typeGit {
		return
	}
	path := c.t.pathOf(d, e)
	p := model.Path(path)
	switch {
	case e.is(fOut):
		reason := e.why.String()
		if e.why == whySize {
			reason = c.sizeReason()
		}
		s.LeftOut = append(s.LeftOut, model.Noted{Path: p, Reason: reason})
	case e.is(fAbsent):
		if e.is(fIn) && !c.inside(d) {
			s.LeftOut = append(s.LeftOut, model.Noted{Path: p, Reason: sparseReason})
		}
	case e.mode&typeMask == typeGit:
		s.Inventory.Submodules = append(s.Inventory.Submodules, model.Submodule{Path: p, Head: c.nestedHead(path)})
	case !plain:
		s.Perm[p] = uint32(e.mode) & 0o7777
	}
	if e.is(fRaw) && !e.is(fAbsent|fOut) {
		s.Raw[p] = c.raw[path]
		c.t.aux.Raw = append(c.t.aux.Raw, rawFile{Path: []byte(path), OID: c.raw[path]})
	}
}

// inventory tells what is staged, unstaged and untracked, from the three trees.
func (c *capture) inventory(s *Snapshot) error {
	inv := &s.Inventory
	add := func(list *[]model.Noted, ch objects.TreeChange, reason string) {
		if len(*list) >= InventoryLimit {
			inv.More++
			return
		}
		*list = append(*list, model.Noted{Path: ch.Path, Reason: reason})
	}
	err := c.e.objs.DiffFunc(c.ctx, c.t.aux.HeadTree, c.t.aux.IndexTree, func(ch objects.TreeChange) error {
		add(&inv.Staged, ch, changeOf(ch))
		return nil
	})
	if err != nil {
		return err
	}
	return c.e.objs.DiffFunc(c.ctx, c.t.aux.IndexTree, s.Tree, func(ch objects.TreeChange) error {
		if ch.OldMode == 0 && !c.inIndex(string(ch.Path)) {
			add(&inv.Untracked, ch, changeOf(ch))
		} else {
			add(&inv.Unstaged, ch, changeOf(ch))
		}
		return nil
	})
}

// inIndex tells whether the index names the path at all, as intent or unmerged.
func (c *capture) inIndex(path string) bool {
	dir, name := "", path
	if k := strings.LastIndexByte(path, '/'); k >= 0 {
		dir, name = path[:k], path[k+1:]
	}
	d, ok := c.t.dirOf(dir)
	if !ok {
		return false
	}
	at := c.t.find(d, name, false)
	return at >= 0 && c.t.dirs[d].ents[at].is(fTracked) && !c.t.dirs[d].ents[at].is(fHead)
}

func changeOf(ch objects.TreeChange) string {
	const kind = 0o170000
	switch {
	case ch.OldMode == 0:
		return string(model.Added)
	case ch.NewMode == 0:
		return string(model.Deleted)
	case ch.OldMode&kind != ch.NewMode&kind:
		return string(model.Retyped)
	case ch.OldOID == ch.NewOID:
		return string(model.ModeOnly)
	}
	return string(model.Modified)
}

// saver returns what Published and Discarded do: keep the table for the next
// capture. Whoever saves last wins; any table is right for the moment it is of.
func (c *capture) saver() func(commit string) error {
	t, path, hash := c.t, c.e.tablePath(), c.e.repo.HashSize()
	return func(commit string) error {
		defer t.close()
		if !t.changed && t.file != nil {
			if commit == "" || commit == t.anchor {
				return nil
			}
			return t.saveAnchor(commit)
		}
		if commit != "" {
			t.aux.IndexLoose = false
		}
		return t.saveTable(path, hash, commit)
	}
}
