// Package files is the pane that lists the files of a comparison, as a tree with
// folding or flat, with what changed, who did it, counts and staged marks.
//
// Invariants: a row is one file or one folder with changes below it, never an
// untracked folder as a whole; the cursor stays on its path when the list is
// replaced; drawing costs the rows of the window. A crash leaves nothing behind.
package files
