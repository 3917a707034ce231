// Package anchor finds a place in a text again by what stands there: the lines, and
// those around them. It is pure, and costs the lines within Reach of where the
// place was.
//
// Invariants: a place is only said to be There where its lines are, byte for byte
// (up to the length that is kept); lines that say little, such as a lone brace, are
// believed only beside a line that was beside them before. A crash leaves nothing
// behind.
package anchor
