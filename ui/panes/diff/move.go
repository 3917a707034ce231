package diff

// Move moves the cursor by n rows.
func (p *Pane) Move(n int) { p.win.Move(n); p.fitWrapped() }

// To moves the cursor to row i; a negative row counts from the end.
func (p *Pane) To(i int) {
	if i < 0 {
		i += p.win.Len
	}
	p.win.To(i)
	p.fitWrapped()
}

// Page moves by halves of the window.
func (p *Pane) Page(halves int) { p.win.Page(halves); p.fitWrapped() }

// Scroll moves the window by n rows.
func (p *Pane) Scroll(n int) { p.win.Scroll(n) }

// Click puts the cursor on the row shown at screen row y of the body.
func (p *Pane) Click(y int) {
	if p.lay != nil && y >= 0 && y < len(p.rowsAt) {
		p.win.Cursor = min(p.rowsAt[y], max(p.win.Len-1, 0))
	}
}

// NextHunk moves to the header of the next hunk (or the one before, for -1) and
// tells whether there was one.
func (p *Pane) NextHunk(d int) bool {
	if p.lay == nil {
		return false
	}
	h := p.lay.hunkAt(p.win.Cursor)
	if d < 0 && h >= 0 && p.lay.heads[h] == p.win.Cursor || d > 0 {
		h += d
	}
	for h >= 0 && h < len(p.lay.heads) && p.hiddenAt(h) {
		h += d
	}
	if h < 0 || h >= len(p.lay.heads) {
		return false
	}
	p.toHunk(h)
	return true
}

// NextUnread moves to the header of the next hunk that was not read, or of the first
// in the document, and tells whether there was one.
func (p *Pane) NextUnread(first bool) bool {
	if p.lay == nil {
		return false
	}
	h := 0
	if !first {
		h = p.lay.hunkAt(p.win.Cursor) + 1
	}
	for ; h < len(p.lay.heads); h++ {
		if !p.lay.doc.Hunks[h].Read && !p.hiddenAt(h) {
			p.toHunk(h)
			return true
		}
	}
	return false
}

// LastHunk moves to the last hunk: where one comes from the file after.
func (p *Pane) LastHunk() {
	if p.lay == nil {
		return
	}
	for h := len(p.lay.heads) - 1; h >= 0; h-- {
		if !p.hiddenAt(h) {
			p.toHunk(h)
			return
		}
	}
}

// toHunk shows hunk h from its header on, near the top of the window.
func (p *Pane) toHunk(h int) {
	at := p.lay.heads[h]
	end := p.lay.rows
	if h+1 < len(p.lay.heads) {
		end = p.lay.heads[h+1]
	}
	if at >= p.win.Top && end <= p.win.Top+p.win.Height {
		p.win.To(at)
	} else {
		p.win.Place(at, min(p.win.Height/6, 4))
	}
	p.reveal(h)
	p.fitWrapped()
}

// GoTo shows row i in the middle of the window.
func (p *Pane) GoTo(i int) {
	if i >= p.win.Top && i < p.win.Top+p.win.Height {
		p.win.To(i)
	} else {
		p.win.Place(i, p.win.Height/2)
	}
	p.fitWrapped()
}

// Sideways scrolls by n cells.
func (p *Pane) Sideways(n int) {
	if !p.wrap {
		p.left = max(p.left+n, 0)
	}
}

// ToggleSplit changes between split and unified, and says which it is now.
func (p *Pane) ToggleSplit() string {
	p.auto, p.shape.split = false, !p.shape.split
	p.reshape()
	if p.shape.split {
		return "split"
	}
	return "unified"
}

// ToggleWrap wraps long lines, or cuts them again.
func (p *Pane) ToggleWrap() string {
	p.wrap, p.left = !p.wrap, 0
	p.fitWrapped()
	if p.wrap {
		return "long lines are wrapped"
	}
	return "long lines are cut"
}

// Widen changes the context around all edits by n lines.
func (p *Pane) Widen(n int) int {
	if p.shape.context == Whole {
		p.shape.context = p.before
	}
	p.shape.context = max(p.shape.context+n, 0)
	p.reshape()
	return p.shape.context
}

// ToggleWhole shows the whole file, or the context from before.
func (p *Pane) ToggleWhole() string {
	if p.Folded() {
		p.open()
	}
	if p.shape.context == Whole {
		p.shape.context = p.before
	} else {
		p.before, p.shape.context = p.shape.context, Whole
	}
	p.reshape()
	if p.shape.context == Whole {
		return "the whole file"
	}
	return "changes with context"
}

// step is what Expand shows of a gap at each side.
const step = 20

// Expand shows more of the gap at the cursor, or of the nearest below it, else
// above it.
func (p *Pane) Expand() bool {
	if p.lay == nil {
		return false
	}
	if p.lay.shape.folded {
		p.open()
		return true
	}
	best := -1
	for i, s := range p.lay.segs {
		if s.kind != gap {
			continue
		}
		best = i
		if int(s.row) >= p.win.Cursor {
			break
		}
	}
	if best < 0 {
		return false
	}
	g := p.lay.segs[best]
	shown := map[int32]int{g.edit: p.shape.shown[g.edit] + step}
	for k, v := range p.shape.shown {
		if k != g.edit {
			shown[k] = v
		}
	}
	p.shape.shown = shown
	p.reshape()
	return true
}

// OnGap tells whether the cursor is on hidden lines.
func (p *Pane) OnGap() bool { return p.row().kind == gap }

// ToggleRange opens a visual range at the cursor, or closes it.
func (p *Pane) ToggleRange() {
	if p.anchor >= 0 || p.lay == nil {
		p.anchor = -1
		return
	}
	p.anchor = p.win.Cursor
}

// CloseRange closes the visual range.
func (p *Pane) CloseRange() { p.anchor = -1 }
