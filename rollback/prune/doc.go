// Package prune lets go of what nobody needs any more: the snapshots and records of
// old turns, the history of old rollbacks, and what is kept beside them; and then
// gives their space back.
//
// Invariants: nothing goes that the rule keeps, that something staged or an
// interrupted rollback refers to, that undo or redo would take next, that starts a
// turn which stays, or whose value is not the one recorded. The newest turn of a
// work tree always stays. Refs go by compare-and-swap. A turn that was pruned stays
// listed and says so.
//
// A crash leaves a prune half done: each thread's turns say that they were pruned
// before their refs go, a journal goes before its safety snapshot, and the objects are
// parted last. Pruning again does the rest.
package prune
