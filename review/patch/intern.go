package patch

import (
	"bytes"
	"hash/maphash"
)

// interner gives equal lines equal numbers, counted up in the order in which they
// are first met: they do not depend on the seed of the hash.
type interner struct {
	seed  maphash.Seed
	space bool     // lines that differ in white space only are equal
	slots []int32  // number of the line + 1, by hash; 0 is free
	lines []lineAt // by number
	sums  []uint32 // a part of each line's hash
	texts [2]Text
	buf   []byte
}

// lineAt is a line of one of the two texts.
type lineAt struct{ text, line int32 }

func newInterner(first, second Text, space bool) *interner {
	size := 16
	for size < 2*(first.Lines()+second.Lines()) {
		size *= 2
	}
	return &interner{
		seed: maphash.MakeSeed(), space: space, texts: [2]Text{first, second}, slots: make([]int32, size),
		lines: make([]lineAt, 0, first.Lines()), sums: make([]uint32, 0, first.Lines()),
	}
}

// grow doubles the slots.
func (n *interner) grow() {
	n.slots = make([]int32, 2*len(n.slots))
	mask := uint64(len(n.slots) - 1)
	for id, at := range n.lines {
		slot := maphash.Bytes(n.seed, n.key(at)) & mask
		for n.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		n.slots[slot] = int32(id + 1)
	}
}

// counted is how many lines are numbered between two counts of the steps.
const counted = 1 << 10

// number returns the numbers of the lines of the first text; where w ends it, some of
// them alone, as numberNext does.
func (n *interner) number(w *watch) []int32 {
	ids := make([]int32, n.texts[0].Lines())
	for i := range ids {
		if i%counted == 0 && w.over(counted) {
			return ids
		}
		ids[i] = n.id(lineAt{0, int32(i)})
	}
	return ids
}

// numberNext returns the numbers of the lines of the second text, given those of
// the first. Most lines stand where they stood: each is compared with the first
// text's line that is next in turn, and looked up only where it is another, which
// costs a walk through memory that is out of the processor's caches.
func (n *interner) numberNext(w *watch, first []int32) []int32 {
	ids := make([]int32, n.texts[1].Lines())
	next := 0
	for i := 0; i < len(ids) && !w.over(1); i++ {
		if n.runStands(i, next) {
			copy(ids[i:], first[next:next+run])
			i, next = i+run-1, next+run
			continue
		}
		at := lineAt{1, int32(i)}
		switch {
		case n.stands(at, next):
		case n.stands(at, next+1): // a line went
			next++
		case n.stands(at, next-1): // a line came
			next--
		default:
			id := n.id(at)
			ids[i] = id
			if from := n.lines[id]; from.text == 0 {
				next = int(from.line)
			}
			next++
			continue
		}
		ids[i] = first[next]
		next++
	}
	return ids
}

// run is how many lines are compared at once as long as they are equal.
const run = 16

// runStands tells whether a run of lines of the second text, from line on, is the same
// bytes as one of the first, from next on: then it is the same lines.
func (n *interner) runStands(line, next int) bool {
	if n.space || line+run > n.texts[1].Lines() || next < 0 || next+run > n.texts[0].Lines() {
		return false
	}
	return bytes.Equal(n.texts[0].span(next, next+run), n.texts[1].span(line, line+run))
}

// stands tells whether the line equals that line of the first text.
func (n *interner) stands(at lineAt, line int) bool {
	if line < 0 || line >= n.texts[0].Lines() {
		return false
	}
	raw := n.texts[0].raw(line)
	return !n.space && bytes.Equal(raw, n.raw(at)) || n.space && n.equal(raw, n.key(at))
}

func (n *interner) id(at lineAt) int32 {
	if 4*len(n.lines) >= 3*len(n.slots) { // the second text was not known at first
		n.grow()
	}
	line := n.key(at)
	sum := maphash.Bytes(n.seed, line)
	mask := uint64(len(n.slots) - 1)
	for slot := sum & mask; ; slot = (slot + 1) & mask {
		id := n.slots[slot] - 1
		if id < 0 {
			n.lines, n.sums = append(n.lines, at), append(n.sums, uint32(sum>>32))
			n.slots[slot] = int32(len(n.lines))
			return int32(len(n.lines) - 1)
		}
		if n.sums[id] == uint32(sum>>32) && n.equal(n.raw(n.lines[id]), line) {
			return id
		}
	}
}

func (n *interner) raw(at lineAt) []byte { return n.texts[at.text].raw(int(at.line)) }

// key is what of a line counts.
func (n *interner) key(at lineAt) []byte {
	line := n.raw(at)
	if !n.space {
		return line
	}
	n.buf = n.buf[:0]
	for _, c := range line {
		if !isSpace(c) {
			n.buf = append(n.buf, c)
		}
	}
	return n.buf
}

func (n *interner) equal(line, key []byte) bool {
	if !n.space {
		return bytes.Equal(line, key)
	}
	for _, c := range line {
		if isSpace(c) {
			continue
		}
		if len(key) == 0 || key[0] != c {
			return false
		}
		key = key[1:]
	}
	return len(key) == 0
}

// isSpace is white space as git's own ctype table has it: space, tab, CR and LF.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
