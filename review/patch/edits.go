package patch

import (
	"hash/maphash"

	"znkr.io/diff"
	"znkr.io/diff/textdiff"
)

// lineEdits finds the changed line ranges with znkr.io/diff: linear space, sizes as
// git's, groups slid as git's indent heuristic slides them. It takes no clock: the
// result depends on the texts alone.
func lineEdits(old, new []byte) []Edit {
	hunks := textdiff.Hunks(old, new, diff.Context(0), textdiff.IndentHeuristic())
	edits := make([]Edit, len(hunks))
	for i, h := range hunks {
		edits[i] = Edit{h.LineNoX, h.EndLineNoX, h.LineNoY, h.EndLineNoY}
	}
	return edits
}

// spaceEdits is lineEdits with lines equal that differ in white space only.
func spaceEdits(old, new Text) []Edit {
	ids := spaceIDs{seed: maphash.MakeSeed(), known: map[uint64][]int32{}}
	a, b := ids.of(old), ids.of(new)
	hunks := diff.Hunks(a, b, diff.Context(0))
	edits := make([]Edit, len(hunks))
	for i, h := range hunks {
		edits[i] = Edit{h.PosX, h.EndX, h.PosY, h.EndY}
	}
	return edits
}

// spaceIDs gives lines that are equal but for white space the same number.
type spaceIDs struct {
	seed  maphash.Seed
	known map[uint64][]int32
	lines [][]byte // a line of each number
	buf   []byte
}

func (s *spaceIDs) of(t Text) []int32 {
	ids := make([]int32, t.Lines())
	for i := range ids {
		ids[i] = s.id(t.raw(i))
	}
	return ids
}

func (s *spaceIDs) id(line []byte) int32 {
	s.buf = s.buf[:0]
	for _, c := range line {
		if !isSpace(c) {
			s.buf = append(s.buf, c)
		}
	}
	sum := maphash.Bytes(s.seed, s.buf)
	for _, id := range s.known[sum] {
		if equalButSpace(s.lines[id], s.buf) {
			return id
		}
	}
	id := int32(len(s.lines))
	s.lines = append(s.lines, line)
	s.known[sum] = append(s.known[sum], id)
	return id
}

// equalButSpace compares line, without its white space, to bare, which has none.
func equalButSpace(line, bare []byte) bool {
	for _, c := range line {
		if isSpace(c) {
			continue
		}
		if len(bare) == 0 || bare[0] != c {
			return false
		}
		bare = bare[1:]
	}
	return len(bare) == 0
}

// isSpace is C's isspace in the C locale as git has it: space, tab, CR and LF.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
