package snapshot

import (
	"path/filepath"
	"strings"

	"overturn/gitops/objects"
)

// steered notes whether a file that steers git, and whose stat moved, holds
// something new.
func (c *capture) steered(d int32, e *entry) {
	if !c.t.watched(e) {
		return
	}
	if id := c.asksWith(join(c.t.dirs[d].path, c.t.name(e))); id.isZero() || id != e.oid {
		c.steers(c.t.name(e))
	}
}

// asksWith notes what a file that steers git holds now, before git is asked; zero where
// it cannot be read.
func (c *capture) asksWith(path string) (id oid) {
	data, _, err := c.root.readFile(path, c.e.opts.MaxFileSize, nil)
	if err == nil {
		id = c.blobID(data)
	}
	if c.steering == nil {
		c.steering = map[string]oid{}
	}
	c.steering[path] = id
	return id
}

// blobID is the id of a blob; zero where there is none.
func (c *capture) blobID(data []byte) oid {
	id, err := c.unhex(c.e.objs.Hash(objects.TypeBlob, data))
	if err != nil {
		return oid{}
	}
	return id
}

// steersNow is for a file that steers git, when it is captured with content id (zero:
// with none): where git was asked with another one, it has to be asked again.
func (h *hashing) steersNow(path string, e *entry, id oid) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.c
	if c.steering[path] == id {
		return
	}
	if c.steering == nil {
		c.steering = map[string]oid{}
	}
	c.steering[path] = id
	c.steers(c.t.name(e))
}

// unsureRules is for rules that moved whenever git had been asked: the next capture asks
// again.
func (c *capture) unsureRules() {
	const unsure = "moved meanwhile" // never what stamps say
	if c.ignoreMoved {
		c.t.aux.Ignore, c.t.changed = unsure, true
	}
	if c.attrsMoved {
		c.t.aux.Attrs.Sources, c.t.changed = unsure, true
	}
}

// steeredAll is steered for all that lookAll found.
func (c *capture) steeredAll() {
	for _, d := range c.todo {
		ents := c.t.dirs[d].ents
		for k := range ents {
			if ents[k].is(fTodo) {
				c.steered(d, &ents[k])
			}
		}
	}
}

// stampSources tells the state of files that steer git from outside the tree,
// by one line each. A file that changed only now gets a line that never stands.
func (c *capture) stampSources(paths []string) string {
	var b strings.Builder
	for _, path := range paths {
		st, ok := fileStat{}, false
		if path != "" {
			st, ok = stampOf(path)
		}
		if ok && c.racy(&st) {
			st.mtime = c.start
		}
		writeFields(&b, path, ok, st)
	}
	return b.String()
}

// reask asks git again about every name that it was asked about before; the
// rules changed. Names whose tracking ended are in asks already.
func (c *capture) reask() error {
	if c.ignoreMoved {
		c.asks = c.asks[:0]
		for d := range c.t.dirs {
			if c.t.dirs[d].flags&(dGone|dAbsent) == 0 {
				c.collectAsks(int32(d))
			}
		}
	}
	c.ignoreMoved = false
	asks := c.asks
	c.asks = nil
	verdicts, err := c.ignored(asks)
	if err != nil {
		return err
	}
	for i := range asks {
		c.apply(&asks[i], verdicts[i])
	}
	return nil
}

func (c *capture) collectAsks(d int32) {
	ents := c.t.dirs[d].ents
	for k := range ents {
		e := &ents[k]
		switch {
		case e.is(fAbsent | fTracked), e.dir >= 0 && c.t.dirs[e.dir].flags&dAbsent != 0:
		case e.is(fOut) && e.why == whyName:
		case c.t.dirs[d].flags&dIgnored != 0 && e.dir < 0: // watched only
		default:
			c.asks = append(c.asks, ask{d, c.t.pathOf(d, e), e.isDir()})
		}
	}
}

// apply brings one entry in line with git's verdict.
func (c *capture) apply(a *ask, v verdict) {
	t := c.t
	if t.dirs[a.dir].flags&dGone != 0 {
		return
	}
	at := t.find(a.dir, filepath.Base(a.path), a.isDir)
	if at < 0 {
		return
	}
	e := &t.dirs[a.dir].ents[at]
	switch {
	case e.dir >= 0:
		c.applyDir(a.dir, e, v)
	case v == ignored && !e.is(fIgnored):
		e.flags = fIgnored | fRacy | fTurned
		t.touch(a.dir)
	case v == free && e.is(fIgnored) && e.isDir():
		e.flags = 0
		e.dir = t.newDir(a.dir, filepath.Base(a.path), dTurned)
		c.queue = append(c.queue, e.dir)
	case v == free && e.is(fIgnored):
		e.flags = fTodo | fTurned
		e.mtime = -1
		c.todo = append(c.todo, a.dir)
		t.touch(a.dir)
	}
}

func (c *capture) applyDir(parent int32, e *entry, v verdict) {
	t := c.t
	d := e.dir
	switch was := t.dirs[d].flags&dIgnored != 0; {
	case v == ignored && !was && !t.tracks(d):
		t.drop(d)
		e.dir = -1
		e.flags = fIgnored | fTurned
		t.touch(parent)
	case v == ignored && !was:
		t.dirs[d].flags |= dIgnored
		c.purge(d)
	case v == free && was:
		t.dirs[d].flags = t.dirs[d].flags&^dIgnored | dTurned
		t.dirs[d].mtime = -1
		c.queue = append(c.queue, d)
		t.forgetIgnored(d)
	}
}

// purge forgets what is not tracked directly in a directory that git ignores, as
// lister.newName would not have taken it; the directories below it get verdicts
// of their own.
func (c *capture) purge(d int32) {
	t := c.t
	ents := t.dirs[d].ents
	matters := make([]bool, len(ents))
	for k := range ents {
		matters[k] = t.watched(&ents[k]) || t.find(d, t.name(&ents[k]), true) >= 0
	}
	kept := ents[:0]
	for k := range ents {
		e := &ents[k]
		if e.dir < 0 && !e.is(fTracked) {
			if !matters[k] && !e.is(fIn) {
				continue
			}
			turned := uint16(0)
			if e.is(fIn) {
				turned = fTurned
			}
			e.flags = fIgnored | fRacy | turned
		}
		kept = append(kept, *e)
	}
	t.dirs[d].ents = kept
	t.touch(d)
}
