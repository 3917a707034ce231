package ownership

import (
	"slices"
	"time"

	"overturn/model"
)

// Phase is what happened at a point.
type Phase int

// The phases. Seen is a capture that neither opens nor closes anything.
const (
	Seen Phase = iota
	Opened
	ToolBegan
	ToolEnded
	Closed
	RollbackBegan // the user takes something back while the turn is open
	RollbackEnded
)

// Point is a moment in the history of a work tree. Tree is "" where nothing was
// captured. CallID ties the end of a tool, or of a rollback, to its beginning; Paths
// is what a rollback writes, at its beginning and its end.
type Point struct {
	At     time.Time
	Tree   string
	Phase  Phase
	CallID string
	Paths  []model.Path
	Turn   *Turn // nil for a capture outside of all turns
}

// Thread is the points of one thread in the order in which they were recorded,
// which holds even where the clock jumped.
type Thread []Point

// Timeline is the history of one work tree through all of its threads.
type Timeline struct {
	points []Point
	opened map[*Turn]bool
}

// NewTimeline merges threads by time, each in its own order.
func NewTimeline(threads ...Thread) *Timeline {
	total, rest := 0, make([]Thread, 0, len(threads))
	for _, t := range threads {
		if len(t) > 0 {
			rest = append(rest, withEnds(withBeginnings(t)))
			total += len(rest[len(rest)-1])
		}
	}
	line := &Timeline{points: make([]Point, 0, total), opened: map[*Turn]bool{}}
	for len(rest) > 0 {
		first := 0
		for i := range rest {
			if rest[i][0].At.Before(rest[first][0].At) {
				first = i
			}
		}
		line.add(rest[first][0])
		if rest[first] = rest[first][1:]; len(rest[first]) == 0 {
			rest = slices.Delete(rest, first, first+1)
		}
	}
	return line
}

// add appends p. A turn that closes without ever having been opened is opened
// right behind the last capture before it: since then, nothing is known.
func (l *Timeline) add(p Point) {
	if p.Turn != nil && p.Phase != Opened && !l.opened[p.Turn] {
		begin := Point{At: p.At, Phase: Opened, Turn: p.Turn}
		at := len(l.points)
		for at > 0 && l.points[at-1].Tree == "" {
			at--
		}
		if at > 0 {
			begin.At = l.points[at-1].At
		}
		l.points = slices.Insert(l.points, at, begin)
	}
	l.opened[p.Turn] = true
	l.points = append(l.points, p)
}

// withBeginnings gives each tool whose end alone was reported a beginning: the
// point before its end, since it may have run from there on.
func withBeginnings(t Thread) Thread {
	out := make(Thread, 0, len(t))
	type call struct {
		turn *Turn
		id   string
	}
	running := map[call]int{}
	for _, p := range t {
		c := call{p.Turn, p.CallID}
		switch p.Phase {
		case ToolBegan:
			running[c]++
		case ToolEnded:
			if running[c] == 0 {
				out = append(out, beginning(out, p))
			} else {
				running[c]--
			}
		}
		out = append(out, p)
	}
	return out
}

func beginning(before Thread, end Point) Point {
	p := Point{At: end.At, Phase: ToolBegan, CallID: end.CallID, Turn: end.Turn}
	if len(before) > 0 {
		p.At = before[len(before)-1].At
	}
	return p
}

// Mark finds the point of a turn by its phase: its beginning or its end.
func (l *Timeline) Mark(t *Turn, phase Phase) (int, bool) {
	for i, p := range l.points {
		if p.Turn == t && p.Phase == phase {
			return i, true
		}
	}
	return 0, false
}

// Len is the number of points.
func (l *Timeline) Len() int { return len(l.points) }
