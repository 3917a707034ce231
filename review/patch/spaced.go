package patch

import "context"

// spaced is the same texts compared without white space, which is worked out when
// it is first asked for. It is safe for several goroutines; what one of them leaves
// half done, since nobody waits for it, the next one does anew.
type spaced struct {
	turn    chan struct{} // full while a goroutine is at the rest
	lines   *numbered     // nil before it is there, and when the search is done
	done    bool
	found   []Edit
	matters bool // some lines are equal but for white space
}

func newSpaced() *spaced { return &spaced{turn: make(chan struct{}, 1)} }

// take waits for the turn; it tells whether it came before the end of the context.
func (s *spaced) take(w *watch) bool {
	select {
	case s.turn <- struct{}{}:
		return true
	case <-w.ctx.Done():
		return !w.look()
	}
}

func (s *spaced) leave() { <-s.turn }

// prepare numbers the lines, beside what else is done with them.
func (s *spaced) prepare(ctx context.Context, old, new Text) {
	w := watching(ctx)
	if s.take(w) {
		defer s.leave()
		s.number(w, old, new)
	}
}

func (s *spaced) number(w *watch, old, new Text) {
	if s.done || s.lines != nil {
		return
	}
	var lines numbered
	if old.Lines() > 0 && new.Lines() > 0 {
		lines = numberLines(w, old, new, true)
	}
	if !w.ended {
		s.lines = &lines
	}
}

// edits is the changed line ranges of d without white space. Where no two lines are
// equal but for white space, they are those of the exact comparison.
func (s *spaced) edits(w *watch, d *Diff) []Edit {
	if !s.take(w) {
		return nil
	}
	defer s.leave()
	if s.number(w, d.Old, d.New); s.done || w.ended {
		return s.found
	}
	found, matters := d.edits, s.lines.kinds != d.kinds
	if matters {
		found = alignment{space: true, indent: true}.search(w, *s.lines)
	}
	if w.ended {
		return nil
	}
	s.found, s.matters, s.done, s.lines = found, matters, true, nil
	return found
}
