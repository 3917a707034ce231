package vt

func (t *Term) lf() {
	b := t.b
	b.wrapNext = false
	if b.y == b.bot {
		t.scroll(1)
	} else if b.y < t.H-1 {
		b.y++
	}
}

func (t *Term) scroll(n int) { t.scrollIn(t.b.top, t.b.bot, n) }

func (t *Term) scrollIn(top, bot, n int) {
	c := t.b.cells
	for ; n > 0; n-- {
		copy(c[top:bot], c[top+1:bot+1])
		c[bot] = blank(t.W, t.st)
	}
	for ; n < 0; n++ {
		copy(c[top+1:bot+1], c[top:bot])
		c[top] = blank(t.W, t.st)
	}
}

func (t *Term) put(r rune) {
	b := t.b
	w := Width(r)
	if w == 0 {
		x, y := b.x-1, b.y
		if b.wrapNext {
			x = b.x
		}
		if x >= 0 && b.cells[y][x].Wide == 2 {
			x--
		}
		if x >= 0 && len(b.cells[y][x].Comb) < 32 {
			b.cells[y][x].Comb += string(r)
		}
		return
	}
	t.last = r
	if b.wrapNext || (w == 2 && b.x == t.W-1) {
		if !t.noWrap {
			b.x = 0
			t.lf()
		} else if w == 2 {
			return
		}
		b.wrapNext = false
	}
	row := b.cells[b.y]
	if t.insert {
		copy(row[min(b.x+w, t.W):], row[b.x:])
	}
	t.unwide(row, b.x)
	if w == 2 && b.x+1 < t.W {
		t.unwide(row, b.x+1)
		row[b.x] = Cell{R: r, Style: t.st, Wide: 1}
		row[b.x+1] = Cell{R: ' ', Style: t.st, Wide: 2}
	} else {
		row[b.x] = Cell{R: r, Style: t.st}
	}
	b.x += w
	if b.x >= t.W {
		b.x, b.wrapNext = t.W-1, true
	}
}

func (t *Term) unwide(row []Cell, x int) {
	switch {
	case row[x].Wide == 1 && x+1 < t.W:
		row[x+1] = Cell{R: ' ', Style: row[x+1].Style}
	case row[x].Wide == 2 && x > 0:
		row[x-1] = Cell{R: ' ', Style: row[x-1].Style}
	}
}
