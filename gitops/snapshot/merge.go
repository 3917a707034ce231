package snapshot

import (
	"slices"
	"strings"
)

// merger brings names into the table, in the order of paths.
type merger struct {
	c    *capture
	dir  int32  // of the last path
	path string // of that directory
	add  map[int32][]entry
}

func (c *capture) newMerger() *merger { return &merger{c: c, add: map[int32][]entry{}} }

// dirFor is the directory that holds path, made where needed.
func (m *merger) dirFor(path string) int32 {
	parent := ""
	if k := strings.LastIndexByte(path, '/'); k >= 0 {
		parent = path[:k]
	}
	if parent != m.path {
		m.dir, m.path = m.ensure(parent), strings.Clone(parent)
	}
	return m.dir
}

func (m *merger) ensure(path string) int32 {
	t := m.c.t
	if d, ok := t.dirOf(path); ok {
		return d
	}
	parentPath, name := "", path
	if k := strings.LastIndexByte(path, '/'); k >= 0 {
		parentPath, name = path[:k], path[k+1:]
	}
	parent := m.ensure(parentPath)
	flags := t.dirs[parent].flags & (dIgnored | dAbsent)
	if at := t.find(parent, name, true); at >= 0 {
		e := &t.dirs[parent].ents[at]
		if e.is(fIgnored) {
			flags |= dIgnored
		}
		e.flags &^= fIgnored | fOut | fTurned
		e.dir = t.newDir(parent, name, flags)
		return e.dir
	}
	d := t.newDir(parent, name, flags)
	e := t.newEntry(name, typeDir)
	e.dir = d
	m.add[parent] = append(m.add[parent], e)
	t.dirs[parent].mtime = -1
	return d
}

// entry is the entry at path, made where needed; fresh tells so. What it points
// at holds only until the next call.
func (m *merger) entry(path string) (e *entry, d int32, fresh bool) {
	t := m.c.t
	d = m.dirFor(path)
	name := path[strings.LastIndexByte(path, '/')+1:]
	if at := t.find(d, name, false); at >= 0 {
		return &t.dirs[d].ents[at], d, false
	}
	if added := m.add[d]; len(added) > 0 {
		if last := &added[len(added)-1]; !last.isDir() && t.name(last) == name {
			return last, d, false
		}
	}
	m.add[d] = append(m.add[d], t.newEntry(name, typeFile))
	return &m.add[d][len(m.add[d])-1], d, true
}

// done hangs the new entries into their directories.
func (m *merger) done() {
	for d, added := range m.add {
		old := m.c.t.dirs[d].ents
		m.c.t.setEntries(d, append(slices.Clip(old), added...))
	}
}

// take brings one index entry into the table's entry e.
func (m *merger) take(e *entry, d int32, i *indexEntry, fresh bool, racy int64) {
	e.flags |= fTracked
	if i.flags&indexSkip != 0 {
		e.flags |= fSkip
	}
	if i.flags&indexIntent != 0 {
		e.flags |= fIntent
	}
	if i.flags&indexIntent == 0 && (i.stage == 0 || i.stage == 2) {
		e.base = baseOf(&i.oid, i.stat.mode)
	}
	if !fresh && !e.is(fAbsent|fOut|fIgnored) {
		return
	}
	e.setStat(&i.stat)
	e.oid = i.oid
	switch {
	case fresh, e.is(fIgnored):
		if e.is(fIgnored) || m.c.t.dirs[d].flags&dIgnored != 0 {
			e.flags |= fTurned
		}
		e.flags = e.flags&^fIgnored | fSeed | fIn
		if m.c.distrust || i.flags&indexIntent != 0 || i.stage > 0 || i.stat.ctime >= racy || i.stat.mtime >= racy {
			e.mtime = -1 // its content is looked at
		}
		m.c.t.dirs[d].mtime = -1
		if m.c.t.dirs[d].flags&dAbsent != 0 {
			e.flags |= fAbsent
			if !e.is(fSkip) || e.is(fIntent) {
				e.flags &^= fIn
			}
		}
	case e.has(fAbsent|fSkip) && !e.is(fIntent):
		e.flags |= fIn
		m.c.t.touch(d)
	default:
		if e.is(fAbsent) {
			e.flags &^= fIn // no longer kept for sparse checkout's sake
		}
		m.c.t.touch(d)
	}
}

// takeHead is take for a file that HEAD has and the index does not.
func (m *merger) takeHead(e *entry, d int32, mode uint16, id oid, fresh bool) {
	t := m.c.t
	switch {
	case fresh || e.is(fIgnored):
		turned := e.flags & fIgnored
		e.mode, e.mtime, e.oid, e.flags = mode, -1, id, fSeed|fIn
		if turned != 0 {
			e.flags |= fTurned
		}
		if t.dirs[d].flags&dAbsent != 0 {
			e.flags = e.flags&^fIn | fAbsent
		}
		t.dirs[d].mtime = -1
		t.touch(d)
	case e.has(fAbsent | fIn): // it was kept for sparse checkout's sake, which only the index can ask for
		e.flags &^= fIn
		t.touch(d)
	}
	e.flags |= fTracked | fHead
}
