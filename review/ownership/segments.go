package ownership

import "overturn/model"

// Segments cuts the stretch from point from to point to into segments between
// captures. The stretch begins with the tree first, the base of the comparison,
// and ends with the tree last, its target: they stand for what points from and to
// captured. From is -1 where the stretch begins before all points, to is Len where
// it ends behind them; what is open there stays open.
func (l *Timeline) Segments(from, to int, first, last string) []Segment {
	c := cutter{current: Segment{From: first}, running: map[*Turn]int{}, rolling: map[rolled]map[model.Path]bool{}}
	for i := 0; i <= from && i < len(l.points); i++ {
		c.pass(l.points[i])
	}
	for i := from + 1; i <= to && i < len(l.points); i++ {
		p := l.points[i]
		before := i - 1
		instant := before >= 0 && l.points[before].At.Equal(p.At)
		c.stretch(instant)
		if p.Phase == Opened && p.Tree == "" && i != to {
			c.current.loose = true
		}
		switch {
		case i == to:
			c.close(last)
		case p.Tree != "":
			c.close(p.Tree)
		}
		c.pass(p)
	}
	if to >= len(l.points) {
		c.stretch(false)
		c.close(last)
	}
	return c.done
}

// cutter walks the points: open are the turns that are open, running how many of
// each one's tools run, rolling the paths of the rollbacks under way.
type cutter struct {
	open    []*Turn
	running map[*Turn]int
	rolling map[rolled]map[model.Path]bool
	current Segment
	done    []Segment
}

// pass takes note of what a point opens or closes.
func (c *cutter) pass(p Point) {
	switch p.Phase {
	case Opened:
		c.open = append(c.open, p.Turn)
	case ToolBegan:
		c.running[p.Turn]++
	case ToolEnded:
		c.running[p.Turn] = max(0, c.running[p.Turn]-1)
	case Closed:
		for i, t := range c.open {
			if t == p.Turn {
				c.open = append(c.open[:i:i], c.open[i+1:]...)
				break
			}
		}
		delete(c.running, p.Turn)
		c.settle(p.Turn)
	case RollbackBegan:
		c.rolling[rolled{p.Turn, p.CallID}] = setOf(p.Paths)
	case RollbackEnded:
		delete(c.rolling, rolled{p.Turn, p.CallID})
	}
}

// stretch adds the time between two points to the current segment. An instant in
// which no turn is open is no time outside of turns.
func (c *cutter) stretch(instant bool) {
	if len(c.open) == 0 && !instant {
		c.current.outside = true
	}
	c.roll(instant)
	for _, t := range c.open {
		c.join(t)
	}
}

func (c *cutter) join(t *Turn) {
	ran := c.running[t] > 0
	for i := range c.current.turns {
		if a := &c.current.turns[i]; a.turn == t {
			a.ran = a.ran || ran
			return
		}
	}
	c.current.turns = append(c.current.turns, active{t, ran})
}

// close ends the current segment at a tree and begins the next.
func (c *cutter) close(tree string) {
	c.current.To = tree
	c.done = append(c.done, c.current)
	c.current = Segment{From: tree}
}
