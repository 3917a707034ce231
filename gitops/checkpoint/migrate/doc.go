// Package migrate copies checkpoint records from the branch of the git-branch backend
// to refs of their own, under the ids that they have.
//
// Each record gets the history that it has on the branch: one commit for each state
// along the branch's first parents, with the author, the dates and the words of the
// commit that brought it, and with the very same tree. So the same branch gives the
// same commits everywhere: who migrates again, or on another machine, finds them.
//
// Invariants: the branch is only read; a ref is made or moved forward, by
// compare-and-swap, and never set back; what differs on both sides is left alone and
// told. A record counts as migrated only when it was read back from its ref, whole,
// with the tree that it has on the branch.
//
// A crash leaves a number of records migrated, whole, and the rest as they were; to
// migrate again goes on from there.
package migrate
