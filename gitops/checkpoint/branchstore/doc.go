// Package branchstore is the git-branch backend of checkpoint records: all records
// in one tree, on the branch overturn/checkpoints/v1, each in the folder
// <first two characters of its id>/<the rest>/. Ids are 12 hex digits; one of the
// other kind is refused, since every reader would look for it among the refs.
//
// Invariants: each write is one commit on top of the newest one; the branch moves
// by compare-and-swap only, so that of two writers the later one starts over from
// what the first made, and none loses its write. Several writes through one
// objects.Writer build on one another and are published as one move. What this
// version does not know, in the tree of the branch or of a record, is carried over.
// A branch that is checked out somewhere is not moved under that work tree, and one
// that was pointed at something else is not built upon: both are errors that say so.
//
// A crash leaves unreferenced objects, or the whole write.
package branchstore
