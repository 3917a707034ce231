package snapshot

import (
	"bytes"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"

	"overturn/gitops/objects"
)

// appendRow adds one entry to the bytes of a tree object.
func (c *capture) appendRow(raw []byte, mode uint32, name string, id *oid) []byte {
	raw = strconv.AppendUint(raw, uint64(mode), 8)
	raw = append(raw, ' ')
	raw = append(raw, name...)
	raw = append(raw, 0)
	return append(raw, id[:c.e.repo.HashSize()]...)
}

// writeTree adds a tree to the writer; the store can read it from then on.
func (c *capture) writeTree(raw []byte) (string, error) { return c.w.Write(objects.TypeTree, raw) }

// treeBuilder makes trees of paths that come in the order of the index, which
// is that of trees.
type treeBuilder struct {
	c       *capture
	open    []level
	folders map[string]bool // paths that the index also has files below
}

type level struct {
	name string
	raw  []byte
}

func (c *capture) newTreeBuilder() *treeBuilder { return &treeBuilder{c: c, open: []level{{}}} }

// stands tells which entries of the index the tree takes: intents are left out, and
// of what is unmerged our side stands for the file.
func (i *indexEntry) stands() bool {
	return i.flags&indexIntent == 0 && (i.stage == 0 || i.stage == 2)
}

// unmerged prepares for an index that is unmerged: only there may one path be a file
// and a folder at once, at two stages. The folder stands.
func (b *treeBuilder) unmerged(list listing) error {
	b.folders = map[string]bool{}
	return list.each(func(i *indexEntry) error {
		if !i.stands() {
			return nil
		}
		for end := bytes.LastIndexByte(i.path, '/'); end > 0 && !b.folders[string(i.path[:end])]; end = bytes.LastIndexByte(i.path[:end], '/') {
			b.folders[string(i.path[:end])] = true
		}
		return nil
	})
}

// staged adds an entry of the index as write-tree would.
func (b *treeBuilder) staged(i *indexEntry) error {
	if !i.stands() || b.folders[string(i.path)] {
		return nil
	}
	rest, depth := i.path, 1
	for {
		slash := bytes.IndexByte(rest, '/')
		if slash < 0 || depth >= len(b.open) || string(rest[:slash]) != b.open[depth].name {
			break
		}
		rest, depth = rest[slash+1:], depth+1
	}
	if err := b.closeTo(depth); err != nil {
		return err
	}
	for {
		slash := bytes.IndexByte(rest, '/')
		if slash < 0 {
			break
		}
		b.open = append(b.open, level{name: string(rest[:slash])})
		rest = rest[slash+1:]
	}
	top := &b.open[len(b.open)-1]
	top.raw = b.c.appendRow(top.raw, i.mode, string(rest), &i.oid)
	return nil
}

func (b *treeBuilder) closeTo(depth int) error {
	for len(b.open) > depth {
		top := b.open[len(b.open)-1]
		b.open = b.open[:len(b.open)-1]
		id, err := b.c.writeTree(top.raw)
		if err != nil {
			return err
		}
		bin, err := b.c.unhex(id)
		if err != nil {
			return err
		}
		up := &b.open[len(b.open)-1]
		up.raw = b.c.appendRow(up.raw, objects.ModeTree, top.name, &bin)
	}
	return nil
}

func (b *treeBuilder) finish() (string, error) {
	if err := b.closeTo(1); err != nil {
		return "", err
	}
	return b.c.writeTree(b.open[0].raw)
}

// buildTrees makes the trees of all directories that changed and returns the
// root's. The deepest come first, and those of one depth at once.
func (c *capture) buildTrees() (string, error) {
	t := c.t
	levels := t.dirtyLevels()
	for n := len(levels) - 1; n >= 0; n-- {
		if err := c.buildLevel(levels[n]); err != nil {
			return "", err
		}
	}
	for d := range t.dirs {
		t.dirs[d].flags &^= dDirty
	}
	return c.hex(&t.dirs[0].oid), nil
}

// dirtyLevels lists the directories whose trees must be built by how deep they lie.
// Parents come before their children in the table.
func (t *table) dirtyLevels() [][]int32 {
	var levels [][]int32
	depth := make([]int32, len(t.dirs))
	for d := range t.dirs {
		dir := &t.dirs[d]
		if dir.parent >= 0 {
			depth[d] = depth[dir.parent] + 1
		}
		if dir.flags&dGone != 0 || dir.flags&dDirty == 0 {
			continue
		}
		for len(levels) <= int(depth[d]) {
			levels = append(levels, nil)
		}
		levels[depth[d]] = append(levels[depth[d]], int32(d))
	}
	return levels
}

// buildLevel makes the trees of directories that do not lie within one another.
func (c *capture) buildLevel(dirs []int32) error {
	var next atomic.Int64
	var mu sync.Mutex
	var failed error
	const enough = 16 // for a second goroutine to be worth its start
	share(min(c.e.opts.Workers, 1+len(dirs)/enough), func() {
		var raw []byte
		for {
			i := int(next.Add(1)) - 1
			if i >= len(dirs) {
				return
			}
			raw = c.rawTree(raw[:0], dirs[i])
			if err := c.setTree(dirs[i], raw); err != nil {
				mu.Lock()
				failed = errors.Join(failed, err)
				mu.Unlock()
				return
			}
		}
	})
	return failed
}

// setTree stores the tree of a directory. There are no empty ones but at the top.
func (c *capture) setTree(d int32, raw []byte) error {
	var id oid
	if len(raw) > 0 || d == 0 {
		name, err := c.writeTree(raw)
		if err != nil {
			return err
		}
		if id, err = c.unhex(name); err != nil {
			return err
		}
	}
	if dir := &c.t.dirs[d]; dir.oid != id {
		dir.oid = id
		dir.flags |= dUnpinned
	}
	return nil
}

// rawTree renders one directory. Where a path is a file on disk and a folder in
// what sparse checkout left out, or the other way round, the one on disk stands.
func (c *capture) rawTree(raw []byte, d int32) []byte {
	t := c.t
	ents := t.dirs[d].ents
	for k := range ents {
		e := &ents[k]
		name := t.name(e)
		if e.dir >= 0 {
			sub := &t.dirs[e.dir]
			if sub.oid.isZero() || sub.flags&dAbsent != 0 && c.standsAs(d, name, false) {
				continue
			}
			raw = c.appendRow(raw, objects.ModeTree, name, &sub.oid)
			continue
		}
		if !e.is(fIn) || e.is(fAbsent|fOut) && c.standsAs(d, name, true) {
			continue
		}
		raw = c.appendRow(raw, treeMode(e.mode), name, &e.oid)
	}
	return raw
}

// standsAs tells whether name is on disk as a directory with content, or as
// another file, captured or not.
func (c *capture) standsAs(d int32, name string, dir bool) bool {
	at := c.t.find(d, name, dir)
	if at < 0 {
		return false
	}
	e := &c.t.dirs[d].ents[at]
	if dir {
		return e.dir >= 0 && c.t.dirs[e.dir].flags&dAbsent == 0 && !c.t.dirs[e.dir].oid.isZero()
	}
	return !e.is(fAbsent)
}
