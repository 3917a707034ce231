package snapshot

// lost deals with an entry that is not on disk; false when it is to be
// forgotten. Tracked names are kept, and what sparse checkout left out stays in
// the tree as the index has it.
func (c *capture) lost(d int32, e *entry) bool {
	t := c.t
	if e.dir >= 0 {
		if t.dirs[e.dir].flags&dAbsent == 0 {
			c.vanishBelow(e.dir)
		}
		if t.tracks(e.dir) {
			return true
		}
		t.drop(e.dir)
		t.touch(d)
		return false
	}
	if !e.is(fTracked) {
		c.steers(t.name(e))
		return false
	}
	if e.is(fAbsent) {
		return true
	}
	c.steers(t.name(e))
	e.flags = e.flags&^(fIn|fOut|fRacy|fTodo|fRaw|fTurned) | fAbsent
	if e.is(fSkip) && !e.is(fIntent) {
		c.keepIndexed(d, e)
	}
	e.flags &^= fSeed
	e.mtime = -1
	t.touch(d)
	return true
}

// vanish is lost for a directory that is gone before its parent said so.
func (c *capture) vanish(d int32) {
	parent := c.t.dirs[d].parent
	c.vanishBelow(d)
	c.t.dirs[parent].mtime = -1
	if c.t.tracks(d) {
		return
	}
	ents := c.t.dirs[parent].ents
	kept := ents[:0]
	for k := range ents {
		if ents[k].dir != d {
			kept = append(kept, ents[k])
		}
	}
	c.t.drop(d)
	c.t.dirs[parent].ents = kept
	c.t.touch(parent)
}

func (c *capture) vanishBelow(d int32) {
	dir := &c.t.dirs[d]
	dir.flags = dir.flags&^(dOut|dRelist) | dAbsent
	dir.mtime = -1
	ents := dir.ents
	kept := ents[:0]
	for k := range ents {
		if c.lost(d, &ents[k]) {
			kept = append(kept, ents[k])
		}
	}
	if len(kept) < len(ents) {
		dir.ents = kept
	}
	c.t.touch(d)
}

// shut leaves out a directory that cannot be read: what is tracked in it stays
// as the index has it.
func (c *capture) shut(d int32) {
	dir := &c.t.dirs[d]
	if dir.flags&dOut == 0 {
		dir.flags |= dOut
		dir.mtime = -1
		c.t.touch(d)
	}
	ents := dir.ents
	kept := ents[:0]
	for k := range ents {
		e := &ents[k]
		switch {
		case e.dir >= 0 && !c.t.tracks(e.dir):
			c.t.drop(e.dir)
			continue
		case e.dir >= 0:
			c.shut(e.dir)
			c.t.dirs[e.dir].flags |= dAbsent // nothing there can be looked at
			c.t.dirs[e.dir].flags &^= dOut
		case !e.is(fTracked):
			continue
		case !e.has(fAbsent | fIn):
			c.keepIndexed(d, e)
			e.flags = e.flags&^(fOut|fRacy|fTodo|fRaw|fSeed) | fAbsent
			e.mtime = -1
			c.t.touch(d)
		}
		kept = append(kept, *e)
	}
	if len(kept) < len(ents) {
		dir.ents = kept
		c.t.touch(d)
	}
}
