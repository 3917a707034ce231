package patch

// group is a run of changed lines [start,end); it may be empty, and then stands
// before the unchanged line start. The groups of two sides correspond one to one.
type group struct {
	side       *side
	start, end int
}

func firstGroup(s *side) *group {
	g := &group{side: s}
	g.widenDown()
	return g
}

func (g *group) empty() bool { return g.start == g.end }

func (g *group) widenDown() {
	for g.end < len(g.side.changed) && g.side.changed[g.end] {
		g.end++
	}
}

func (g *group) widenUp() {
	for g.start > 0 && g.side.changed[g.start-1] {
		g.start--
	}
}

func (g *group) next() bool {
	if g.end == len(g.side.changed) {
		return false
	}
	g.start, g.end = g.end+1, g.end+1
	g.widenDown()
	return true
}

func (g *group) previous() {
	if g.start == 0 {
		return
	}
	g.start, g.end = g.start-1, g.start-1
	g.widenUp()
}

// up moves the group one line towards the start, where the line before it equals
// its last one, and joins the group that it meets.
func (g *group) up() bool {
	ids := g.side.ids
	if g.start == 0 || ids[g.start-1] != ids[g.end-1] {
		return false
	}
	g.start, g.end = g.start-1, g.end-1
	g.side.changed[g.start], g.side.changed[g.end] = true, false
	g.widenUp()
	return true
}

// down is up towards the end.
func (g *group) down() bool {
	ids := g.side.ids
	if g.end == len(ids) || ids[g.start] != ids[g.end] {
		return false
	}
	g.side.changed[g.start], g.side.changed[g.end] = false, true
	g.start, g.end = g.start+1, g.end+1
	g.widenDown()
	return true
}

// slide moves each group of s as far down as it goes, joining those that meet,
// then back up to the last place at which the other side changed too, or, with the
// indent heuristic, to the one that reads best.
func (al alignment) slide(w *watch, s, other *side) {
	g, o := firstGroup(s), firstGroup(other)
	for {
		if !g.empty() {
			al.slideGroup(w, g, o)
		}
		if w.over(1) || !g.next() {
			return
		}
		o.next()
	}
}

func (al alignment) slideGroup(w *watch, g, o *group) {
	size, matching, earliest := -1, false, 0
	for size != g.end-g.start {
		size = g.end - g.start
		for !w.over(1) && g.up() {
			o.previous()
		}
		earliest, matching = g.end, !o.empty()
		for !w.over(1) && g.down() {
			o.next()
			matching = matching || !o.empty()
		}
	}
	end := g.end
	switch {
	case g.end == earliest:
	case matching:
		for o.empty() && g.up() {
			o.previous()
		}
		return
	case al.indent:
		end = bestEnd(g, size, earliest)
	}
	for g.end > end && g.up() {
		o.previous()
	}
}
