package ownership

import (
	"slices"

	"overturn/model"
)

// rolled names a rollback as one of the turns that were open saw it.
type rolled struct {
	turn *Turn
	id   string
}

// withEnds gives each rollback whose end was not seen (a crash, or its turn ended
// meanwhile) an end: the next point of its thread, since what came later may be
// anybody's.
func withEnds(t Thread) Thread {
	for i := len(t) - 1; i > 0; i-- {
		if began := t[i-1]; began.Phase == RollbackBegan && !endsLater(t[i:], began) {
			end := Point{At: t[i].At, Phase: RollbackEnded, CallID: began.CallID, Turn: began.Turn}
			t = slices.Insert(slices.Clip(t), i, end)
		}
	}
	return t
}

// endsLater tells whether the end that belongs to a beginning is there; one that
// began again, in a recovery, has the end of the second beginning.
func endsLater(rest Thread, began Point) bool {
	for _, p := range rest {
		if p.Turn == began.Turn && p.CallID == began.CallID && (p.Phase == RollbackEnded || p.Phase == RollbackBegan) {
			return p.Phase == RollbackEnded
		}
	}
	return false
}

func setOf(paths []model.Path) map[model.Path]bool {
	set := make(map[model.Path]bool, len(paths))
	for _, p := range paths {
		set[p] = true
	}
	return set
}

// roll notes, for the time between two points, the rollbacks that went on. Where
// there was none the segment holds time of others too; an instant is no time.
func (c *cutter) roll(instant bool) {
	for id, paths := range c.rolling {
		if c.current.rolled == nil {
			c.current.rolled = map[rolled]map[model.Path]bool{}
		}
		c.current.rolled[id] = paths
	}
	if len(c.rolling) == 0 && !instant {
		c.current.beside = true
	}
}

// settle ends the rollbacks that a turn saw when it closes.
func (c *cutter) settle(t *Turn) {
	for id := range c.rolling {
		if id.turn == t {
			delete(c.rolling, id)
		}
	}
}

// tookBack tells whether a rollback wrote the path in the segment.
func (s *Segment) tookBack(p model.Path) bool {
	for _, paths := range s.rolled {
		if paths[p] {
			return true
		}
	}
	return false
}

// mine is the verdict on a path that a rollback wrote: the user's, whichever tools
// ran, where the segment is the time of the rollback alone. Where it is longer, and
// without the rollback it would not be the user's, it cannot be told apart.
func (s *Segment) mine(without Verdict) Verdict {
	switch {
	case !s.beside && len(s.turns) == 1:
		return s.turns[0].turn.by(model.OwnerUser)
	case !s.beside:
		return Verdict{Owner: model.OwnerUser}
	case without.Owner == model.OwnerUser:
		return without
	}
	return s.unknown()
}
