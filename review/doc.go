// Package review is the front of the reading half: it turns a scope into a change
// set, the files that differ between two states, with their contents, hunks and
// owners.
//
// A comparison is between trees. A side is a snapshot of a boundary, a commit's
// tree (HEAD, a merge base), or the present, which is captured for the occasion:
// its objects are stored, no ref is made, and what the capture left out is said to
// be left out. Lists are exact: no renames, in order of paths; Renames pairs them for
// the view alone. Contents are the bytes on disk at that side. Counts, diffs and
// owners are worked out for one file when they are asked for.
//
// Invariants: nothing of the user's is written. A missing boundary is an error
// that names its status and reason, never an implicit base. A row stands for bytes
// or modes that changed on disk between two boundaries, or, against a commit, for
// what git would report. A crash leaves at most unreferenced objects, which git's
// own housekeeping removes.
package review
