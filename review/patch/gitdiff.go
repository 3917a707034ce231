package patch

// A merge is only as good as its alignment: where lines repeat, equally short
// differences align them differently, and what touches in one lies apart in
// another. So merges align as `git merge-file` does, and Merge never joins what
// git would call a conflict: Myers' linear-space O(ND) algorithm (E. Myers, 1986)
// with git's choices among equals, its cut-offs (constants below) and its sliding
// of groups, without the indent heuristic, which merge-file does not use.

const (
	gitMinCost      = 256  // edits that a search may cost before it is cut off, at least
	gitSnake        = 20   // matching lines in a row that count as a good place to split
	gitSnakeWeight  = 4    // how far such a place must lie for its cost
	gitSameLimit    = 1024 // matches, at most, up to which a line is telling
	gitRunWindow    = 100  // lines looked at around one that is not telling
	gitRunWeight    = 4    // how much lines without a match outweigh those with many
	farBack, farOff = -1, int32(1) << 30
)

// gitSide is one of two texts under comparison.
type gitSide struct {
	ids     []int32 // of each line; equal lines have equal ids
	changed []bool
	kept    []int32 // indexes of the lines that take part in the search
	keptIDs []int32 // their ids
}

// gitEdits aligns two texts.
func gitEdits(old, new Text) []Edit {
	a, b := &gitSide{}, &gitSide{}
	known := make(map[string]int32, old.Lines())
	a.number(old, known)
	b.number(new, known)
	discard(a, b, len(known))
	s := newSearch(a, b)
	s.compare(0, len(a.kept), 0, len(b.kept), false)
	slide(a, b)
	slide(b, a)
	return editsOf(a, b)
}

func (g *gitSide) number(t Text, known map[string]int32) {
	g.ids = make([]int32, t.Lines())
	g.changed = make([]bool, t.Lines())
	for i := range g.ids {
		line := t.raw(i)
		id, ok := known[string(line)]
		if !ok {
			id = int32(len(known))
			known[string(line)] = id
		}
		g.ids[i] = id
	}
}

// editsOf reads the changed lines of both sides as ranges.
func editsOf(a, b *gitSide) []Edit {
	var edits []Edit
	for i, j := 0, 0; i < len(a.ids) || j < len(b.ids); {
		e := Edit{OldFrom: i, NewFrom: j}
		for i < len(a.ids) && a.changed[i] {
			i++
		}
		for j < len(b.ids) && b.changed[j] {
			j++
		}
		if e.OldTo, e.NewTo = i, j; i > e.OldFrom || j > e.NewFrom {
			edits = append(edits, e)
		}
		i, j = i+1, j+1
	}
	return edits
}

// discard drops equal lines at both ends, then marks as changed the lines that
// cannot match and those with so many matches, among others that have none, that
// they would only mislead the search.
func discard(a, b *gitSide, ids int) {
	head, tail := 0, 0
	shorter := min(len(a.ids), len(b.ids))
	for head < shorter && a.ids[head] == b.ids[head] {
		head++
	}
	for tail < shorter-head && a.ids[len(a.ids)-1-tail] == b.ids[len(b.ids)-1-tail] {
		tail++
	}
	countA, countB := a.counts(ids), b.counts(ids)
	a.keep(head, len(a.ids)-tail, countB)
	b.keep(head, len(b.ids)-tail, countA)
}

func (g *gitSide) counts(ids int) []int32 {
	counts := make([]int32, ids)
	for _, id := range g.ids {
		counts[id]++
	}
	return counts
}

// The kinds of line before a search.
const (
	lineAlone = iota // no match on the other side
	lineTelling
	lineCommon // very many
)

func (g *gitSide) keep(from, to int, matches []int32) {
	limit := min(roughRoot(len(g.ids)), gitSameLimit)
	kinds := make([]uint8, to-from)
	for i := range kinds {
		switch n := int(matches[g.ids[from+i]]); {
		case n >= limit:
			kinds[i] = lineCommon
		case n > 0:
			kinds[i] = lineTelling
		}
	}
	for i, kind := range kinds {
		if kind == lineTelling || kind == lineCommon && !misleads(kinds, i) {
			g.kept = append(g.kept, int32(from+i))
			g.keptIDs = append(g.keptIDs, g.ids[from+i])
		} else {
			g.changed[from+i] = true
		}
	}
}

// misleads tells whether a common line stands in a run of lines most of which
// have no match.
func misleads(kinds []uint8, i int) bool {
	alone, common := 0, 0
	for _, step := range []int{-1, 1} {
		found := 0
		for n := 1; n <= gitRunWindow; n++ {
			at := i + n*step
			if at < 0 || at >= len(kinds) || kinds[at] == lineTelling {
				break
			}
			if kinds[at] == lineAlone {
				found++
			} else {
				common++
			}
		}
		if found == 0 {
			return false
		}
		alone += found
	}
	common += 2 // the line itself, once in each direction
	return common*gitRunWeight < common+alone
}

// roughRoot is a power of two near the square root of n, as git rounds it.
func roughRoot(n int) int {
	root := 1
	for ; n > 0; n >>= 2 {
		root <<= 1
	}
	return root
}
