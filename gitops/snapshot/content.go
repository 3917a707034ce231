package snapshot

import "overturn/gitops/objects"

// content takes in what was read of a file, now being its stat.
func (h *hashing) content(p place, e *entry, path string, data []byte, now *fileStat) {
	c, before := h.c, *e
	if c.t.watched(e) {
		h.steersNow(path, e, c.blobID(data))
	}
	known := e.has(fIn) && !e.is(fUnpinned|fOut|fAbsent)
	h.captured(e, now)
	if c.t.aux.Attrs.Active && e.conv.byGit() {
		if h.converted(&before, data) {
			return
		}
		h.mu.Lock()
		h.byGit = append(h.byGit, p)
		h.mu.Unlock()
		return
	}
	blob := data
	if c.t.aux.Attrs.Active && e.conv.converts() {
		blob = e.conv.cleanEOL(data, func() []byte { return c.indexed(path) })
	}
	h.store(e, blob, known)
	c.keepRaw(h, e, data, len(blob) != len(data))
}

// captured sets what an entry that is in the tree has in common.
func (h *hashing) captured(e *entry, st *fileStat) {
	e.setStat(st)
	e.flags = e.flags&^(fOut|fAbsent|fIgnored|fRacy) | fIn
	e.why = 0
	if h.c.racy(st) {
		e.flags |= fRacy
	}
}

// store puts the entry's blob into the writer, unless it is the one that a
// published snapshot holds.
func (h *hashing) store(e *entry, blob []byte, known bool) {
	if known && e.size == int64(len(blob)) {
		if id, err := h.c.unhex(h.c.e.objs.Hash(objects.TypeBlob, blob)); err == nil && id == e.oid {
			return
		}
	}
	id, err := h.c.w.Write(objects.TypeBlob, blob)
	if err == nil {
		e.oid, err = h.c.unhex(id)
		e.flags |= fUnpinned
	}
	if err != nil {
		h.fail(err)
	}
}

// keepRaw keeps the bytes on disk beside the tree where the blob there holds
// others, whether or not a checkout would bring them back: rules change.
func (c *capture) keepRaw(h *hashing, e *entry, data []byte, raw bool) {
	if !raw {
		e.flags &^= fRaw
		return
	}
	id, err := c.w.Write(objects.TypeBlob, data)
	if err != nil {
		h.fail(err)
		return
	}
	bin, err := c.unhex(id)
	if err != nil {
		h.fail(err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	c.t.raws = append(c.t.raws, bin)
	e.flags |= fRaw | fUnpinned
	e.raw = uint32(len(c.t.raws))
}
