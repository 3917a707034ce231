package snapshot

import (
	"bytes"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/model"
)

// indexStamp tells one state of the user's index file from another: git always
// replaces it, so the inode moves with every write.
func (c *capture) indexStamp() []int64 {
	st, ok := stampOf(filepath.Join(c.e.repo.GitDir, "index"))
	if !ok {
		return []int64{}
	}
	return []int64{int64(st.ino), st.size, st.mtime, st.ctime}
}

// readIndex brings the names of the user's index and of HEAD into the table,
// when either moved. It reads the index through git, whatever its format, and
// writes the tree of the index.
func (c *capture) readIndex() error {
	t := c.t
	head, err := c.e.repo.Head(c.ctx)
	if err != nil {
		return err
	}
	c.head = head
	headTree := t.aux.HeadTree
	if head.Commit != t.aux.HeadCommit {
		headTree = ""
		if head.Commit != "" {
			commit, err := c.e.objs.Commit(c.ctx, head.Commit)
			if err != nil {
				return model.Failf(err, "cannot read HEAD's commit %s", head.Commit)
			}
			headTree = commit.Tree
		}
		t.aux.HeadCommit, t.changed = head.Commit, true
	}
	stamp := c.indexStamp()
	if slices.Equal(stamp, t.aux.Index) && headTree == t.aux.HeadTree && t.aux.Index != nil && c.indexTreeStands() {
		return nil
	}
	if t.anchor == "" && t.aux.Index != nil {
		c.unpinAll()
	}
	oldIndex, oldHead := t.aux.IndexTree, t.aux.HeadTree
	t.aux.HeadTree, t.changed = headTree, true
	if err := c.indexAnswers(); err != nil {
		return err
	}
	list, err := c.listIndex()
	if err != nil {
		return err
	}
	if err := c.mergeIndex(list, stamp); err != nil {
		return err
	}
	if err := c.mergeHead(); err != nil {
		return err
	}
	return c.reindexed(oldIndex, oldHead)
}

// indexAnswers finds a FIFO or device where git would read the index or the shared
// base that the index names: git would wait on it for ever.
func (c *capture) indexAnswers() error {
	dir := c.e.repo.GitDir
	entries, err := os.ReadDir(dir)
	if err != nil {
		return model.Failf(err, "cannot read the index")
	}
	for _, e := range entries {
		base, shared := strings.CutPrefix(e.Name(), "sharedindex.")
		if !shared && e.Name() != "index" || e.Type()&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeSocket) == 0 {
			continue
		}
		if !shared || c.indexNames(base) {
			return model.Errorf(model.CodeFailed, "cannot read the index: %s is no file", filepath.Join(dir, e.Name())).
				WithHint("remove it, then `git reset` makes the index anew")
		}
	}
	return nil
}

// indexNames tells whether the index may have that shared base: its id stands in it.
func (c *capture) indexNames(base string) bool {
	id, err := hex.DecodeString(base)
	if err != nil || len(id) != c.e.repo.HashSize() {
		return false
	}
	data, err := gitops.ReadFile(filepath.Join(c.e.repo.GitDir, "index"))
	return err == nil && bytes.Contains(data, id)
}

// indexTreeStands tells whether the tree of the index is still stored; no
// snapshot may hold it yet.
func (c *capture) indexTreeStands() bool {
	if !c.t.aux.IndexLoose {
		return true
	}
	has, err := c.e.objs.Has(c.ctx, c.t.aux.IndexTree)
	return err == nil && has
}

// mergeIndex takes the listing of the index over.
func (c *capture) mergeIndex(list listing, stamp []int64) error {
	t := c.t
	c.eachEntry(func(d int32, e *entry) {
		e.flags &^= fWas
		if e.is(fTracked) {
			e.flags |= fWas
		}
		e.flags &^= fTracked | fSkip | fIntent | fHead
		e.base = 0
	})
	racy := int64(0)
	if len(stamp) > 0 {
		racy = min(stamp[2], stamp[3]) - c.grain
	}
	m, b := c.newMerger(), c.newTreeBuilder()
	t.aux.Unmerged = nil
	last := []byte(nil)
	err := list.each(func(i *indexEntry) error {
		if i.stage > 0 {
			c.noteUnmerged(i)
		}
		if i.stage != 2 && bytes.Equal(last, i.path) {
			return nil
		}
		fresh := !bytes.Equal(last, i.path)
		last = i.path
		e, d, added := m.entry(string(i.path))
		m.take(e, d, i, fresh && added, racy)
		return nil
	})
	if err != nil {
		return err
	}
	m.done()
	if len(t.aux.Unmerged) > 0 {
		if err := b.unmerged(list); err != nil {
			return err
		}
	}
	if err := list.each(b.staged); err != nil {
		return err
	}
	tree, err := b.finish()
	if err != nil {
		return err
	}
	t.aux.IndexLoose = t.aux.IndexLoose || tree != t.aux.IndexTree
	t.aux.Index, t.aux.IndexTree = stamp, tree
	return nil
}

func (c *capture) noteUnmerged(i *indexEntry) {
	c.t.aux.Unmerged = append(c.t.aux.Unmerged, Unmerged{Path: model.Path(i.path), Stage: i.stage, Mode: i.mode, OID: c.hex(&i.oid)})
}

// mergeHead notes what is staged, and marks what HEAD has and the index does not as tracked too: it is
// captured while it is on disk, ignored or not.
func (c *capture) mergeHead() error {
	m := c.newMerger()
	c.t.aux.Staged, c.t.aux.StagedMore = nil, 0
	err := c.e.objs.DiffFunc(c.ctx, c.t.aux.HeadTree, c.t.aux.IndexTree, func(ch objects.TreeChange) error {
		if len(c.t.aux.Staged) < InventoryLimit {
			c.t.aux.Staged = append(c.t.aux.Staged, model.Noted{Path: model.Path(ch.Path), Reason: changeOf(ch)})
		} else {
			c.t.aux.StagedMore++
		}
		if ch.NewMode != 0 {
			return nil
		}
		id, err := c.unhex(ch.OldOID)
		if err != nil {
			return err
		}
		e, d, fresh := m.entry(string(ch.Path))
		m.takeHead(e, d, indexMode(ch.OldMode), id, fresh)
		return nil
	})
	m.done()
	if err != nil {
		return err
	}
	c.untrack()
	return nil
}

// untrack deals with what the index named before and no longer does: gone if it
// is not on disk, else git is asked whether it ignores it.
func (c *capture) untrack() {
	t := c.t
	for d := range t.dirs {
		ents := t.dirs[d].ents
		kept := 0
		for k := range ents {
			e := &ents[k]
			if e.is(fWas) && !e.is(fTracked) {
				switch {
				case e.is(fAbsent):
					continue
				case t.dirs[d].flags&dIgnored != 0:
					e.flags = fIgnored | fRacy | fTurned
					t.touch(int32(d))
				default:
					c.asks = append(c.asks, ask{int32(d), t.pathOf(int32(d), e), false})
				}
			}
			if kept != k {
				ents[kept] = *e
			}
			kept++
		}
		if kept < len(ents) {
			t.dirs[d].ents = ents[:kept]
			t.dirs[d].mtime = -1
			t.touch(int32(d))
		}
	}
}

func (c *capture) hex(o *oid) string { return hex.EncodeToString(o[:c.e.repo.HashSize()]) }

func (c *capture) unhex(s string) (oid, error) {
	var o oid
	if len(s) > 2*len(o) {
		return o, hex.ErrLength
	}
	_, err := hex.Decode(o[:], []byte(s))
	return o, err
}

func (c *capture) eachEntry(do func(d int32, e *entry)) {
	for d := range c.t.dirs {
		for k := range c.t.dirs[d].ents {
			do(int32(d), &c.t.dirs[d].ents[k])
		}
	}
}
