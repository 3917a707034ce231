package patch

// What a diagonal holds that no path has reached yet.
const unreachedLow, unreachedHigh = int32(-1), int32(1) << 30

// search is Myers' divide and conquer: paths grow from both corners of a box, one
// edit a round, until they meet; the box is split there.
type search struct {
	watch             *watch
	a, b              *side
	forward, backward []int32 // furthest line of a on each diagonal
	origin            int     // index of diagonal 0
	maxCost           int
}

// box is the lines [a1,a2) of one side and [b1,b2) of the other.
type box struct{ a1, a2, b1, b2 int }

// cut is where a box is split; a half that is not exact may be cut off.
type cut struct {
	a, b             int
	exactLo, exactHi bool
}

func newSearch(w *watch, a, b *side) *search {
	diagonals := len(a.kept) + len(b.kept) + 3
	return &search{
		watch: w, a: a, b: b,
		forward: make([]int32, diagonals+2), backward: make([]int32, diagonals+2),
		origin:  len(b.kept) + 1,
		maxCost: max(roughRoot(diagonals), minCutOff),
	}
}

// compare marks the lines that differ in a box. exact asks for no cut-offs.
func (s *search) compare(a1, a2, b1, b2 int, exact bool) {
	x, y, lines := s.a.keptIDs, s.b.keptIDs, a2-a1
	for a1 < a2 && b1 < b2 && x[a1] == y[b1] {
		a1, b1 = a1+1, b1+1
	}
	for a1 < a2 && b1 < b2 && x[a2-1] == y[b2-1] {
		a2, b2 = a2-1, b2-1
	}
	if s.watch.over(1 + lines - (a2 - a1)) {
		return
	}
	if a1 == a2 || b1 == b2 {
		for _, line := range s.a.kept[a1:a2] {
			s.a.changed[line] = true
		}
		for _, line := range s.b.kept[b1:b2] {
			s.b.changed[line] = true
		}
		return
	}
	c := s.split(box{a1, a2, b1, b2}, exact)
	if s.watch.ended {
		return
	}
	s.compare(a1, c.a, b1, c.b, c.exactLo)
	s.compare(c.a, a2, c.b, b2, c.exactHi)
}

// front is the range of diagonals that one direction has reached.
type front struct{ min, max int }

// grow widens the front by a diagonal on each side, or narrows it at the edge of
// the box, and puts blank where there was no path yet.
func (f *front) grow(limit front, v []int32, origin int, blank int32) {
	if f.min > limit.min {
		f.min--
		v[origin+f.min-1] = blank
	} else {
		f.min++
	}
	if f.max < limit.max {
		f.max++
		v[origin+f.max+1] = blank
	} else {
		f.max--
	}
}

// split finds where to split the box; where the watch ends it, nowhere.
func (s *search) split(bx box, exact bool) cut {
	limit := front{bx.a1 - bx.b2, bx.a2 - bx.b1}
	fore, back := front{bx.a1 - bx.b1, bx.a1 - bx.b1}, front{bx.a2 - bx.b2, bx.a2 - bx.b2}
	odd := (fore.min-back.min)&1 != 0
	s.forward[s.origin+fore.min] = int32(bx.a1)
	s.backward[s.origin+back.min] = int32(bx.a2)
	for cost := 1; ; cost++ {
		if s.watch.over(fore.max - fore.min + 2) {
			return cut{}
		}
		fore.grow(limit, s.forward, s.origin, unreachedLow)
		meetFore := front{1, 0}
		if odd {
			meetFore = back
		}
		c, met, snakeF := s.advance(bx, fore, meetFore)
		if met {
			return c
		}
		back.grow(limit, s.backward, s.origin, unreachedHigh)
		meetBack := front{1, 0}
		if !odd {
			meetBack = fore
		}
		c, met, snakeB := s.retreat(bx, back, meetBack)
		if met {
			return c
		}
		if exact {
			continue
		}
		if (snakeF || snakeB) && cost > minCutOff {
			if c, ok := s.goodSnake(bx, fore, back, cost); ok {
				return c
			}
		}
		if cost >= s.maxCost {
			return s.furthest(bx, fore, back)
		}
	}
}

// advance moves every forward path by one edit; meet is the diagonals on which a
// backward path may be met.
func (s *search) advance(bx box, f, meet front) (c cut, met, snake bool) {
	x, y, v, o := s.a.keptIDs, s.b.keptIDs, s.forward, s.origin
	for d := f.max; d >= f.min; d -= 2 {
		i := int(v[o+d+1])
		if v[o+d-1] >= v[o+d+1] {
			i = int(v[o+d-1]) + 1
		}
		start, j := i, i-d
		for i < bx.a2 && j < bx.b2 && x[i] == y[j] {
			i, j = i+1, j+1
		}
		snake = snake || i-start > snakeLength
		v[o+d] = int32(i)
		if meet.min <= d && d <= meet.max && int(s.backward[o+d]) <= i {
			return cut{i, j, true, true}, true, snake
		}
	}
	return cut{}, false, snake
}

// retreat moves every backward path by one edit.
func (s *search) retreat(bx box, f, meet front) (c cut, met, snake bool) {
	x, y, v, o := s.a.keptIDs, s.b.keptIDs, s.backward, s.origin
	for d := f.max; d >= f.min; d -= 2 {
		i := int(v[o+d+1]) - 1
		if v[o+d-1] < v[o+d+1] {
			i = int(v[o+d-1])
		}
		start, j := i, i-d
		for i > bx.a1 && j > bx.b1 && x[i-1] == y[j-1] {
			i, j = i-1, j-1
		}
		snake = snake || start-i > snakeLength
		v[o+d] = int32(i)
		if meet.min <= d && d <= meet.max && i <= int(s.forward[o+d]) {
			return cut{i, j, true, true}, true, snake
		}
	}
	return cut{}, false, snake
}

// goodSnake looks for a path that got far for its cost and ends in a row of equal
// lines: worth splitting at before the ends meet.
func (s *search) goodSnake(bx box, fore, back front, cost int) (cut, bool) {
	x, y := s.a.keptIDs, s.b.keptIDs
	best, c := 0, cut{}
	middle := bx.a1 - bx.b1
	for d := fore.max; d >= fore.min; d -= 2 {
		i := int(s.forward[s.origin+d])
		j := i - d
		gain := i - bx.a1 + j - bx.b1 - abs(d-middle)
		if gain > snakeWeight*cost && gain > best && bx.a1+snakeLength <= i && i < bx.a2 && bx.b1+snakeLength <= j && j < bx.b2 &&
			equalRun(x[i-snakeLength:i], y[j-snakeLength:j]) {
			best, c = gain, cut{i, j, true, false}
		}
	}
	if best > 0 {
		return c, true
	}
	middle = bx.a2 - bx.b2
	for d := back.max; d >= back.min; d -= 2 {
		i := int(s.backward[s.origin+d])
		j := i - d
		gain := bx.a2 - i + bx.b2 - j - abs(d-middle)
		if gain > snakeWeight*cost && gain > best && bx.a1 < i && i <= bx.a2-snakeLength && bx.b1 < j && j <= bx.b2-snakeLength &&
			equalRun(x[i:i+snakeLength], y[j:j+snakeLength]) {
			best, c = gain, cut{i, j, false, true}
		}
	}
	return c, best > 0
}

// furthest gives up and splits where either direction got furthest.
func (s *search) furthest(bx box, fore, back front) cut {
	ahead, aheadAt := -1, 0
	for d := fore.max; d >= fore.min; d -= 2 {
		i := min(int(s.forward[s.origin+d]), bx.a2)
		if i-d > bx.b2 {
			i = bx.b2 + d
		}
		if 2*i-d > ahead {
			ahead, aheadAt = 2*i-d, i
		}
	}
	behind, behindAt := int(unreachedHigh), 0
	for d := back.max; d >= back.min; d -= 2 {
		i := max(int(s.backward[s.origin+d]), bx.a1)
		if i-d < bx.b1 {
			i = bx.b1 + d
		}
		if 2*i-d < behind {
			behind, behindAt = 2*i-d, i
		}
	}
	if bx.a2+bx.b2-behind < ahead-(bx.a1+bx.b1) {
		return cut{aheadAt, ahead - aheadAt, true, false}
	}
	return cut{behindAt, behind - behindAt, false, true}
}

func equalRun(x, y []int32) bool {
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

func abs(n int) int { return max(n, -n) }
