package vt

// Resize gives the screen another size, as a terminal without reflow does: rows
// and columns that are lost are cut off, new ones are blank.
func (t *Term) Resize(w, h int) {
	for _, b := range []**buffer{&t.main, &t.alt} {
		old, sized := *b, newBuffer(w, h)
		for y := range min(h, len(old.cells)) {
			copy(sized.cells[y], old.cells[y])
		}
		sized.x, sized.y = clamp(old.x, 0, w-1), clamp(old.y, 0, h-1)
		if t.b == old {
			t.b = sized
		}
		*b = sized
	}
	t.W, t.H = w, h
}
