package snapshot

func (h *hashing) link(p place, e *entry, path string, st fileStat) {
	before := *e
	if refusedName(h.c.t.name(e), st.mode) {
		h.leaveOut(p, e, before, whyLink)
		return
	}
	text, err := h.c.root.readlink(path)
	switch {
	case err == nil:
	case classify(err) == gone:
		h.lost(p, e)
		return
	default:
		h.leaveOut(p, e, before, whyUnreadable)
		return
	}
	known := e.has(fIn) && !e.is(fUnpinned|fOut|fAbsent)
	h.captured(e, &st)
	e.flags &^= fRaw
	e.size = int64(len(text))
	h.store(e, text, known)
	e.size = st.size
}

// dir is for what is no plain directory of the tree: a submodule, or a nested
// repository that was left out before.
func (h *hashing) dir(p place, e *entry, path string, st fileStat) {
	c := h.c
	if e.mode&typeMask == typeGit {
		e.flags = e.flags&^(fOut|fAbsent|fRacy|fSeed) | fIn
		if head := c.nestedHead(path); head != "" {
			if id, err := c.unhex(head); err == nil {
				e.oid = id
			}
		}
		return
	}
	if e.isDir() && e.is(fOut) {
		if why, nested := c.nested(path); nested {
			e.why = why
			return
		}
	}
	// A directory where a file stood when it was seen, or a repository that is
	// none any more: the next listing sorts it out.
	h.mu.Lock()
	defer h.mu.Unlock()
	e.flags = fAbsent | e.flags&(fTracked|fSkip|fHead|fIntent)
	c.again = append(c.again, p.d)
	h.dirty = append(h.dirty, p.d)
}
