package ownership

import (
	"strings"

	"overturn/model"
)

// Verdict is who made a difference. Thread is the thread of an agent, "" for the
// others; Turn is the turn in which the difference was made, 0 where it was made
// in none or in several at once, and In the thread that counts it.
type Verdict struct {
	Owner  model.Owner
	Thread model.ThreadID
	Turn   int
	In     model.ThreadID
}

// same tells whether two verdicts name the same owner, whichever turn it was.
func (v Verdict) same(w Verdict) bool { return v.Owner == w.Owner && v.Thread == w.Thread }

// Turn is one turn and what its agent told about it.
type Turn struct {
	Thread  model.ThreadID
	Number  int
	Reports bool                // the agent reports its tools
	Gone    bool                // it did, and what it reported was pruned
	Wrote   map[model.Path]bool // what its tools say they wrote; a folder stands for all below it

	// Moved tells of a path whose change a switch of branch made, not the agent
	// (HEAD went to a commit that is older than the turn). Nil when HEAD stayed.
	Moved func(model.Path) bool

	// Through tells of a path that the switch changed and that was changed again:
	// the version that the switch left behind, where it found from. Nil when HEAD
	// stayed.
	Through func(p model.Path, from State) (State, bool)
}

// by is the verdict that it was made in the turn, by owner.
func (t *Turn) by(owner model.Owner) Verdict {
	return Verdict{Owner: owner, Turn: t.Number, In: t.Thread}
}

func (t *Turn) wrote(p model.Path) bool {
	if len(t.Wrote) == 0 {
		return false
	}
	for {
		if t.Wrote[p] {
			return true
		}
		cut := strings.LastIndexByte(string(p), '/')
		if cut < 0 {
			return false
		}
		p = p[:cut]
	}
}

// active is a turn that was open during a segment.
type active struct {
	turn *Turn
	ran  bool // one of its tools ran for a part of the segment
}

// Segment is the time between two captures that follow each other.
type Segment struct {
	From, To string // trees
	turns    []active
	outside  bool // for a part of it no turn was open
	loose    bool // a turn began in it, and that moment was not captured

	rolled map[rolled]map[model.Path]bool // rollbacks that went on in it: what they wrote
	beside bool                           // for a part of it none did
}

// Verdict says who made a difference that the segment made to a path
// (CONTRACT, Words: owner).
func (s *Segment) Verdict(p model.Path) Verdict {
	v := s.worked(p)
	if s.tookBack(p) {
		return s.mine(v)
	}
	return v
}

// worked is the verdict by turns and their tools alone.
func (s *Segment) worked(p model.Path) Verdict {
	switch {
	case len(s.turns) == 0:
		return Verdict{Owner: model.OwnerUser}
	case s.loose || s.outside:
		// Who worked when cannot be told apart: no capture lies between the two.
		return s.unknown()
	case len(s.turns) == 1:
		return s.alone(p)
	default:
		return s.overlapped(p)
	}
}

// Switched tells whether HEAD went to another branch in the turn of the segment.
func (s *Segment) Switched() bool { return len(s.turns) == 1 && s.turns[0].turn.Through != nil }

// Through is the version between those at the ends of the segment that a switch of
// branch left at a path, and the verdict on it; false where there was none.
func (s *Segment) Through(p model.Path, from State) (State, Verdict, bool) {
	if !s.Switched() {
		return State{}, Verdict{}, false
	}
	left, ok := s.turns[0].turn.Through(p, from)
	return left, s.unknown(), ok
}

func (s *Segment) alone(p model.Path) Verdict {
	a := s.turns[0]
	switch {
	case a.turn.wrote(p):
		return a.agent()
	case a.turn.Gone, a.turn.Moved != nil && a.turn.Moved(p):
		return s.unknown()
	case a.turn.Reports && !a.ran:
		return a.turn.by(model.OwnerUser)
	default:
		return a.agent()
	}
}

// overlapped decides where turns of several threads were open. A path that one
// thread's tools name is that thread's; of several that name it, the one whose
// tools ran. With nobody naming it, it is the user's only where every agent
// reports its tools and none ran.
func (s *Segment) overlapped(p model.Path) Verdict {
	var named, running []active
	quiet := true
	for _, a := range s.turns {
		if a.turn.wrote(p) {
			named = append(named, a)
			if a.ran {
				running = append(running, a)
			}
		}
		quiet = quiet && a.turn.Reports && !a.turn.Gone && !a.ran
	}
	switch {
	case len(named) == 1:
		return named[0].agent()
	case len(running) == 1:
		return running[0].agent()
	case len(named) == 0 && quiet:
		return Verdict{Owner: model.OwnerUser}
	default:
		return s.unknown()
	}
}

func (s *Segment) unknown() Verdict {
	if len(s.turns) == 1 {
		return s.turns[0].turn.by(model.OwnerUnknown)
	}
	return Verdict{Owner: model.OwnerUnknown}
}

func (a active) agent() Verdict {
	v := a.turn.by(model.OwnerAgent)
	v.Thread = a.turn.Thread
	return v
}
