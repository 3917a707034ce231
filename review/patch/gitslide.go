package patch

// group is a run of changed lines [start,end); it may be empty, and then stands
// before the unchanged line start. The groups of two sides correspond one to one.
type group struct {
	side       *gitSide
	start, end int
}

func firstGroup(s *gitSide) *group {
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
// then back up to the last place at which the other side changed too.
func slide(s, other *gitSide) {
	g, o := firstGroup(s), firstGroup(other)
	for {
		if !g.empty() {
			slideGroup(g, o)
		}
		if !g.next() {
			return
		}
		o.next()
	}
}

func slideGroup(g, o *group) {
	matching, earliest := -1, 0
	for size := -1; size != g.end-g.start; {
		size = g.end - g.start
		matching = -1
		for g.up() {
			o.previous()
		}
		earliest = g.end
		if !o.empty() {
			matching = g.end
		}
		for g.down() {
			o.next()
			if !o.empty() {
				matching = g.end
			}
		}
	}
	if g.end == earliest || matching < 0 {
		return
	}
	for o.empty() && g.up() {
		o.previous()
	}
}
