package snapshot

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"overturn/gitops/objects"
)

// errNotRead says that a file is no regular one, or is over the limit.
var errNotRead = errors.New("not a regular file within the limit")

// errTorn says that a file was being written whenever it was read.
var errTorn = errors.New("written while it was read")

// steadyTries is how often a file is read that is written at the same time.
const steadyTries = 5

// place is where an entry is, while no directory is re-sorted.
type place struct {
	d int32
	k int
}

// readTodo reads every entry that is marked todo and stores what is new.
func (c *capture) readTodo() error {
	slices.Sort(c.todo)
	var places []place
	for _, d := range slices.Compact(c.todo) {
		if c.t.dirs[d].flags&dGone != 0 {
			continue
		}
		for k := range c.t.dirs[d].ents {
			if c.t.dirs[d].ents[k].is(fTodo) {
				places = append(places, place{d, k})
			}
		}
	}
	c.todo = c.todo[:0]
	if len(places) == 0 {
		return nil
	}
	c.t.changed = true
	var next atomic.Int64
	h := hashing{c: c}
	workers := c.e.opts.Workers
	if len(places) <= 16 {
		workers = 1
	}
	share(workers, func() {
		var buf []byte
		for c.ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(places) {
				return
			}
			buf = h.one(places[i], buf)
		}
	})
	if err := errors.Join(h.err, c.ctx.Err()); err != nil {
		return err
	}
	for _, d := range h.dirty {
		c.t.touch(d)
	}
	return c.convertByGit(h.byGit)
}

// hashing is what the goroutines of readTodo share.
type hashing struct {
	c     *capture
	mu    sync.Mutex
	dirty []int32 // directories with a changed entry
	byGit []place
	err   error
}

// one brings one entry up to date; buf is space to read into.
func (h *hashing) one(p place, buf []byte) []byte {
	c := h.c
	dir := &c.t.dirs[p.d]
	e := &dir.ents[p.k]
	before := *e
	path := join(dir.path, c.t.name(e))
	e.flags &^= fTodo
	if before.mode&typeMask == typeFile && !before.is(fOut|fTurned) && !c.retyped[p.d] {
		// It was a file when it was seen, and what is open tells more than another look
		// would; where it cannot be read, that look tells why. What is no file any more
		// is not opened: whoever waits at the other end of a FIFO would notice.
		data, now, err := c.readSteady(path, buf)
		if err == nil {
			h.content(p, e, path, data, &now)
			h.changed(p, e, &before)
			return data
		}
		buf = data
	}
	var st fileStat
	switch out := c.root.lstatPath(path, &st); {
	case out == gone:
		h.lost(p, e)
		return buf
	case out != okay:
		h.leaveOut(p, e, before, whyUnreadable)
		return buf
	}
	if before.is(fOut) && before.why == whyName {
		return buf
	}
	switch st.mode & typeMask {
	case typeFile:
		buf = h.file(p, e, path, st, buf)
	case typeLink:
		h.link(p, e, path, st)
	case typeDir:
		h.dir(p, e, path, st)
	default:
		e.setStat(&st)
		h.leaveOut(p, e, before, whySpecial)
	}
	if c.t.watched(e) && (e.is(fOut) || st.mode&typeMask != typeFile) {
		h.steersNow(path, e, oid{})
	}
	h.changed(p, e, &before)
	return buf
}

// changed has the tree of p's directory built anew where it names another entry than before.
func (h *hashing) changed(p place, e, before *entry) {
	if before.oid != e.oid || treeMode(before.mode) != treeMode(e.mode) || (before.flags^e.flags)&fIn != 0 {
		h.touch(p.d)
	}
}

func (h *hashing) touch(d int32) {
	h.mu.Lock()
	h.dirty = append(h.dirty, d)
	h.mu.Unlock()
}

func (h *hashing) fail(err error) {
	h.mu.Lock()
	h.err = errors.Join(h.err, err)
	h.mu.Unlock()
}

// lost is for a file that went away since it was seen.
func (h *hashing) lost(p place, e *entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.c.lost(p.d, e) {
		e.flags = fAbsent // forgotten when its folder is listed again
		h.c.t.dirs[p.d].mtime = -1
	}
	h.dirty = append(h.dirty, p.d)
}

// leaveOut notes why an entry is not captured. What is tracked stays as the
// index has it.
func (h *hashing) leaveOut(p place, e *entry, before entry, why reason) {
	kept := before.has(fOut | fIn)
	e.flags = e.flags&^(fRaw|fRacy|fIn) | fOut
	e.why = why
	if !e.is(fTracked) {
		return
	}
	if kept {
		e.oid, e.mode = before.oid, before.mode
		e.flags |= fIn
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.c.keepIndexed(p.d, e)
}

func (h *hashing) file(p place, e *entry, path string, st fileStat, buf []byte) []byte {
	c := h.c
	before := *e
	if st.size > c.e.opts.MaxFileSize {
		e.setStat(&st)
		h.leaveOut(p, e, before, whySize)
		return buf
	}
	data, now, err := c.readSteady(path, buf)
	switch {
	case err == nil:
	case classify(err) == gone:
		h.lost(p, e)
		return data
	case errors.Is(err, errTorn):
		e.setStat(&now)
		h.leaveOut(p, e, before, whyTorn)
		e.flags |= fRacy
		return data
	case errors.Is(err, errNotRead) && now.size <= c.e.opts.MaxFileSize:
		h.leaveOut(p, e, before, whySpecial)
		return data
	case errors.Is(err, errNotRead):
		h.leaveOut(p, e, before, whySize)
		return data
	default:
		h.leaveOut(p, e, before, whyUnreadable)
		return data
	}
	h.content(p, e, path, data, &now)
	return data
}

// converted tells whether git converted these very bytes for the last snapshot, by
// the same rules: a file that was young then is read again, and no filter is run.
func (h *hashing) converted(before *entry, data []byte) bool {
	if h.c.rulesMoved || before.conv != convGit || !before.has(fIn) || before.is(fUnpinned|fOut|fAbsent|fSeed) || before.mode&typeMask != typeFile {
		return false
	}
	was := before.oid
	if before.is(fRaw) {
		h.mu.Lock()
		was = *h.c.t.raw(before)
		h.mu.Unlock()
	}
	id, err := h.c.unhex(h.c.e.objs.Hash(objects.TypeBlob, data))
	return err == nil && id == was
}

// readSteady is readFile for contents that are recorded. The stamps of a file that
// was written a moment ago may not tell that it is written again: two writes within
// one tick of the clock have the same. Such a file counts when it reads the same
// twice.
func (c *capture) readSteady(path string, buf []byte) ([]byte, fileStat, error) {
	data, now, err := c.root.readFile(path, c.e.opts.MaxFileSize, buf)
	for range steadyTries {
		if err != nil || !c.racy(&now) {
			return data, now, err
		}
		again, then, err := c.root.readFile(path, c.e.opts.MaxFileSize, nil)
		if err != nil || now == then && bytes.Equal(data, again) {
			return again, then, err
		}
		data, now = again, then
	}
	return data, now, errTorn
}
