package patch

// Where lines repeat, equally short differences align them differently: hunks get
// other borders and numbers, and what touches in one lies apart in another. So
// texts are aligned as git aligns them: hunks are those of `git diff`, and Merge
// never joins what `git merge-file` calls a conflict. The algorithm is Myers'
// linear-space O(ND) one (E. Myers, 1986) with git's choices among equals, its
// cut-offs (constants below; they bound the work on texts that have little in
// common) and its sliding of groups.

const (
	minCutOff   = 256  // edits that a search may cost before it is cut off, at least
	snakeLength = 20   // matching lines in a row that make a good place to split
	snakeWeight = 4    // how far such a place must lie for its cost
	tellingMax  = 1024 // matches up to which a line is telling, at most
	runWindow   = 100  // lines looked at around one that is not telling
	runWeight   = 4    // how much lines without a match outweigh those with many
)

// side is one of two texts under comparison.
type side struct {
	text    Text
	ids     []int32 // of each line; equal lines have equal ids
	changed []bool
	kept    []int32 // indexes of the lines that take part in the search
	keptIDs []int32 // their ids
}

// alignment says how texts are aligned; the zero value is what `git merge-file` does.
type alignment struct {
	space  bool // lines that differ in white space only are equal
	indent bool // groups are slid by the indent heuristic, as `git diff` does
}

// edits finds the changed line ranges. Where w ended it, nothing is said.
func (al alignment) edits(w *watch, old, new Text) []Edit {
	if old.Lines() == 0 || new.Lines() == 0 {
		return wholeEdit(old.Lines(), new.Lines())
	}
	return al.search(w, numberLines(w, old, new, al.space))
}

// numbered is two texts whose lines have numbers: equal lines have equal ones.
type numbered struct {
	old, new       Text
	oldIDs, newIDs []int32
	kinds          int // different numbers
}

func numberLines(w *watch, old, new Text, space bool) numbered {
	names := newInterner(old, new, space)
	l := numbered{old: old, new: new, oldIDs: names.number(w)}
	l.newIDs, l.kinds = names.numberNext(w, l.oldIDs), len(names.lines)
	return l
}

// search finds the changed line ranges of numbered lines.
func (al alignment) search(w *watch, l numbered) []Edit {
	if w.ended { // the numbers are not all there
		return nil
	}
	a, b := newSide(l.old, l.oldIDs), newSide(l.new, l.newIDs)
	if discard(w, a, b, l.kinds); w.ended {
		return nil
	}
	newSearch(w, a, b).compare(0, len(a.kept), 0, len(b.kept), false)
	al.slide(w, a, b)
	al.slide(w, b, a)
	if w.ended {
		return nil
	}
	return editsOf(a, b)
}

// wholeEdit is the edits where one side is empty: nothing has to be searched, and
// an added file of a million lines costs its offsets alone.
func wholeEdit(old, new int) []Edit {
	if old == new {
		return nil
	}
	return []Edit{{OldTo: old, NewTo: new}}
}

func newSide(t Text, ids []int32) *side {
	return &side{text: t, ids: ids, changed: make([]bool, len(ids))}
}

// editsOf reads the changed lines of both sides as ranges.
func editsOf(a, b *side) []Edit {
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
func discard(w *watch, a, b *side, ids int) {
	head, tail := 0, 0
	shorter := min(len(a.ids), len(b.ids))
	for head < shorter && a.ids[head] == b.ids[head] {
		head++
	}
	for tail < shorter-head && a.ids[len(a.ids)-1-tail] == b.ids[len(b.ids)-1-tail] {
		tail++
	}
	countA, countB := a.counts(ids), b.counts(ids)
	a.keep(w, head, len(a.ids)-tail, countB)
	b.keep(w, head, len(b.ids)-tail, countA)
}

func (s *side) counts(ids int) []int32 {
	counts := make([]int32, ids)
	for _, id := range s.ids {
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

func (s *side) keep(w *watch, from, to int, matches []int32) {
	limit := min(roughRoot(len(s.ids)), tellingMax)
	kinds := make([]uint8, to-from)
	s.kept, s.keptIDs = make([]int32, 0, to-from), make([]int32, 0, to-from)
	for i := range kinds {
		switch n := int(matches[s.ids[from+i]]); {
		case n >= limit:
			kinds[i] = lineCommon
		case n > 0:
			kinds[i] = lineTelling
		}
	}
	for i, kind := range kinds {
		if w.over(1 + int(kind/lineCommon)*runWindow) {
			return
		}
		if kind == lineTelling || kind == lineCommon && !misleads(kinds, i) {
			s.kept = append(s.kept, int32(from+i))
			s.keptIDs = append(s.keptIDs, s.ids[from+i])
		} else {
			s.changed[from+i] = true
		}
	}
}

// misleads tells whether a common line stands in a run of lines most of which
// have no match.
func misleads(kinds []uint8, i int) bool {
	alone, common := 0, 0
	for _, step := range []int{-1, 1} {
		found := 0
		for n := 1; n <= runWindow; n++ {
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
	return common*runWeight < common+alone
}

// roughRoot is a power of two near the square root of n, as git rounds it.
func roughRoot(n int) int {
	root := 1
	for ; n > 0; n >>= 2 {
		root <<= 1
	}
	return root
}
