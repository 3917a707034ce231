// Package diff is the pane that shows one file's difference, unified or split.
//
// A layout maps rows to lines without making them: a list of segments with their
// first row, searched by halving, so a frame costs the rows of the window, and
// context, folding and the two shapes are a new list of segments. Segments are a
// few to each edit; lines are read when they are drawn.
//
// Invariants: a layout never changes once built, so a search may read it from a
// job; the cursor stays on the same line when the document is replaced, as long as
// that line is there. A crash leaves nothing behind.
package diff
