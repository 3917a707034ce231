package snapshot

import (
	"context"
	"path/filepath"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/model"
)

// capture is one run of Engine.Capture.
type capture struct {
	e    *Engine
	ctx  context.Context
	w    *objects.Writer
	root *root
	t    *table
	own  []string // git's folders inside the work tree, not named .git

	start, grain int64 // by the file system's clock, nanoseconds
	head         gitops.Head
	known        int32 // directories that the table held at the start
	distrust     bool  // of the index's stat: every file is read
	byIndex      bool  // what the index holds is not ignored, whatever the rules say

	queue   []int32        // directories to list
	again   []int32        // directories that changed while they were read
	todo    []int32        // directories with entries marked todo
	retyped map[int32]bool // directories in which something is no more of the type that it was
	cands   []candidate
	added   map[int32][]entry
	asks    []ask

	ignoreMoved, attrsMoved bool
	steering                map[string]oid // what files that steer git held when it was asked, by path
	rulesMoved              bool           // other rules of conversion than the last capture's
	unsized                 bool           // some entry has fUnsized
	filtered                bool           // a filter may have stored other bytes of the same length

	notes []model.Noted

	buf   []byte
	names []dirent
}

func (c *capture) note(path, reason string) {
	c.notes = append(c.notes, model.Noted{Path: model.Path(path), Reason: reason})
}

// Capture reads the work tree and adds its new objects to w; the caller flushes
// w, publishes, and then calls Published or Discarded on what it got.
//
// It fails only as a whole, never for one path's sake: when git cannot be asked
// what it ignores, when the index or HEAD cannot be read, when ctx ends.
func (e *Engine) Capture(ctx context.Context, w *objects.Writer) (*Snapshot, error) {
	c, err := e.begin(ctx, w)
	if err != nil {
		return nil, err
	}
	defer c.root.close()
	snap, err := c.run()
	if err != nil {
		return nil, model.Failf(err, "cannot capture the work tree %s", e.repo.Root)
	}
	snap.CapturedAt = e.opts.Clock().UTC()
	return snap, nil
}

func (e *Engine) begin(ctx context.Context, w *objects.Writer) (*capture, error) {
	if err := e.repo.EnsureStateDir(); err != nil {
		return nil, err
	}
	root, err := openRoot(e.repo.Root)
	if err != nil {
		return nil, model.Failf(err, "cannot open the work tree")
	}
	c := &capture{e: e, ctx: ctx, w: w, root: root, added: map[int32][]entry{}, retyped: map[int32]bool{}, buf: make([]byte, 32<<10)}
	if c.start, c.grain, err = fileClock(e.repo.StateDir()); err != nil {
		root.close()
		return nil, model.Failf(err, "cannot write in %s", e.repo.StateDir())
	}
	c.own = c.ownFolders()
	c.loadTable()
	return c, nil
}

func (e *Engine) tablePath() string { return filepath.Join(e.repo.StateDir(), "table") }

func (c *capture) loadTable() {
	t, err := loadTable(c.e.tablePath(), c.e.repo.HashSize())
	if err != nil || t.aux.Root != c.e.repo.Root {
		t = newTable()
		t.aux.Root = c.e.repo.Root
	}
	c.t, c.known = t, int32(len(t.dirs))
}

func (c *capture) run() (*Snapshot, error) {
	if err := c.verify(); err != nil {
		return nil, err
	}
	if err := c.readIndex(); err != nil {
		return nil, err
	}
	sources := c.stampSources(c.ignoreSources()) + c.setting("core.ignorecase")
	if sources != c.t.aux.Ignore {
		c.ignoreMoved = c.ignoreMoved || c.t.aux.Ignore != ""
		c.t.aux.Ignore, c.t.changed = sources, true
	}
	c.lookAll()
	c.steeredAll()
	for range 3 { // again where the tree changed meanwhile; then it stands as seen
		if err := c.settle(); err != nil {
			return nil, err
		}
		if len(c.again) == 0 && !c.ignoreMoved && !c.attrsMoved {
			break
		}
		c.queue, c.again = c.again, nil
	}
	c.unsureRules()
	return c.finish()
}

// settle lists, asks, classifies and reads until nothing is open.
func (c *capture) settle() error {
	if err := c.listAll(); err != nil {
		return err
	}
	for c.ignoreMoved || len(c.asks) > 0 || len(c.queue) > 0 {
		if err := c.reask(); err != nil {
			return err
		}
		if err := c.listAll(); err != nil {
			return err
		}
	}
	if err := c.readAttrs(); err != nil {
		return err
	}
	if err := c.measureSeeds(); err != nil {
		return err
	}
	return c.readTodo()
}

// verify makes sure that what the table says is stored still is: all of it hangs
// on the snapshot published last, but for what came since, which is asked for
// one by one. What is not there is read again.
func (c *capture) verify() error {
	t := c.t
	if t.anchor != "" {
		has, err := c.e.objs.Has(c.ctx, t.anchor)
		if err != nil {
			return err
		}
		if !has {
			c.unpinAll()
			t.anchor = ""
		}
	}
	for d := range t.dirs {
		if t.dirs[d].flags&dUnpinned != 0 {
			t.touch(int32(d))
		}
		for k := range t.dirs[d].ents {
			e := &t.dirs[d].ents[k]
			if !e.is(fUnpinned) || !e.is(fIn) {
				continue
			}
			if err := c.verifyEntry(int32(d), e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *capture) verifyEntry(d int32, e *entry) error {
	ids := []string{c.hex(&e.oid)}
	if e.is(fRaw) {
		ids = append(ids, c.hex(c.t.raw(e)))
	}
	for _, id := range ids {
		if e.mode&typeMask == typeGit {
			continue
		}
		has, err := c.e.objs.Has(c.ctx, id)
		if err != nil {
			return err
		}
		if !has {
			e.flags |= fRacy // read anew; store then writes it
			c.t.touch(d)
		}
	}
	return nil
}

// unpinAll takes back that any object is known to be stored.
func (c *capture) unpinAll() {
	c.eachEntry(func(_ int32, e *entry) { e.flags |= fUnpinned })
	for d := range c.t.dirs {
		c.t.dirs[d].flags |= dUnpinned
		c.t.touch(int32(d))
	}
	c.t.aux.IndexLoose = true
}
