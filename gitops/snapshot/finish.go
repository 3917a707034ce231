package snapshot

import (
	"bytes"
	"path"
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
	c.knownRaw(s)
	s.save = c.saver()
	return s, nil
}

// collect gathers what lies beside the tree.
func (c *capture) collect(s *Snapshot) {
	t := c.t
	for d := range t.dirs {
		dir := &t.dirs[d]
		switch {
		case dir.flags&dGone != 0:
			continue
		case dir.flags&dOut != 0:
			s.LeftOut = append(s.LeftOut, model.Noted{Path: model.Path(strings.Clone(dir.path)), Reason: whyUnreadable.String()})
		case dir.flags&dAbsent != 0 && !dir.oid.isZero() && !c.inside(dir.parent) && !c.standsAs(dir.parent, path.Base(dir.path), false):
			s.LeftOut = append(s.LeftOut, model.Noted{Path: model.Path(strings.Clone(dir.path)), Reason: sparseReason})
		}
		if d > 0 && dir.flags&(dOut|dAbsent|dIgnored) == 0 && t.empty(dir) {
			s.Empty = append(s.Empty, model.Path(strings.Clone(dir.path)))
		}
		for k := range dir.ents {
			c.collectEntry(s, int32(d), &dir.ents[k])
		}
	}
	inv := &s.Inventory
	inv.Staged = append(inv.Staged, t.aux.Staged...)
	inv.More = t.aux.StagedMore
	inv.Unstaged, inv.Untracked = cut(inv.Unstaged, &inv.More), cut(inv.Untracked, &inv.More)
	slices.Sort(s.Empty)
	slices.Sort(s.Turned)
	slices.SortFunc(s.LeftOut, func(a, b model.Noted) int { return strings.Compare(string(a.Path), string(b.Path)) })
}

// empty tells whether nothing in the directory is on disk; the index may name files
// in it all the same.
func (t *table) empty(dir *directory) bool {
	for k := range dir.ents {
		e := &dir.ents[k]
		if e.dir >= 0 && t.dirs[e.dir].flags&dAbsent == 0 || e.dir < 0 && !e.is(fAbsent) {
			return false
		}
	}
	return true
}

// knownRaw finds the tree of Raw that the last snapshot holds, if it is the same.
func (c *capture) knownRaw(s *Snapshot) {
	var sum []byte
	if len(s.Raw) > 0 {
		sum = sumRaw(s.Raw)
	}
	if bytes.Equal(sum, c.t.aux.RawSum) && c.t.anchor != "" {
		s.rawTree = c.t.aux.RawTree
	}
	c.t.aux.RawSum = sum
}

const sparseReason = "outside the sparse checkout"

// inside tells whether a directory is itself listed as left out, with all below.
func (c *capture) inside(d int32) bool {
	return c.t.dirs[d].flags&(dAbsent|dOut) != 0
}

func (c *capture) collectEntry(s *Snapshot, d int32, e *entry) {
	if e.dir < 0 && e.is(fTurned) && !e.is(fAbsent) {
		s.Turned = append(s.Turned, model.Path(c.t.pathOf(d, e)))
	}
	if e.dir >= 0 || e.is(fIgnored) {
		return
	}
	if e.base == 0 || !e.is(fIn) || baseOf(&e.oid, e.mode) != e.base {
		c.difference(&s.Inventory, d, e)
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
		if e.is(fIn) && !c.inside(d) && !c.standsAs(d, c.t.name(e), true) {
			s.LeftOut = append(s.LeftOut, model.Noted{Path: p, Reason: sparseReason})
		}
	case e.mode&typeMask == typeGit:
		s.Inventory.Submodules = append(s.Inventory.Submodules, model.Submodule{Path: p, Head: c.nestedHead(path)})
	case !plain:
		s.Perm[p] = uint32(e.mode) & 0o7777
	}
	if e.is(fRaw) && !e.is(fAbsent|fOut) {
		s.Raw[p] = c.hex(c.t.raw(e))
	}
}

// difference notes in the inventory how an entry differs from the index.
func (c *capture) difference(inv *model.Inventory, d int32, e *entry) {
	list, change := &inv.Unstaged, model.Modified
	switch {
	case !e.is(fIn):
		if e.base == 0 {
			return
		}
		change = model.Deleted
	case e.base == 0:
		change = model.Added
		if !e.is(fTracked) || e.is(fHead) {
			list = &inv.Untracked
		}
	default:
		now := baseOf(&e.oid, e.mode)
		switch {
		case now == e.base:
			return
		case now>>1 == e.base>>1 && now&2 == 0:
			change = model.ModeOnly
		case now&2 != e.base&2 || now&2 != 0 && now&1 != e.base&1:
			change = model.Retyped
		}
	}
	*list = append(*list, model.Noted{Path: model.Path(c.t.pathOf(d, e)), Reason: string(change)})
}

// cut sorts a list and cuts it at the limit.
func cut(list []model.Noted, more *int) []model.Noted {
	slices.SortFunc(list, func(a, b model.Noted) int { return strings.Compare(string(a.Path), string(b.Path)) })
	if len(list) > InventoryLimit {
		*more += len(list) - InventoryLimit
		list = slices.Clip(list[:InventoryLimit])
	}
	return list
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
func (c *capture) saver() func(commit, rawTree string) error {
	t, path, hash := c.t, c.e.tablePath(), c.e.repo.HashSize()
	known := t.aux.RawTree
	return func(commit, rawTree string) error {
		defer t.close()
		if commit == "" && rawTree != known {
			rawTree = "" // nothing holds it
		}
		t.aux.RawTree, t.changed = rawTree, t.changed || rawTree != known
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
