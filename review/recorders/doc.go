// Package recorders puts the turns that other programs recorded beside our own: one
// Book of threads, of which each says whose it is.
//
// A Source is one other program. Its threads have ids with a prefix of their own
// ("t3:…", "entire:…"), so that the name alone tells where to look and nobody else's
// records are touched for a thread of ours. Its turns are turns as any other, with two
// differences: their boundaries are plain commits (model.Thread.Plain), and they have no
// part in who owns what in our own comparisons: two programs may have recorded the very
// same turn.
//
// Who made the changes of such a turn: the words of CONTRACT hold. Where the other
// program captured the start of the turn, and no other turn ran beside it, its agent.
// Everywhere else the start was not captured, edits of the user's may be among them, and
// the owner is unknown: such a file stays in a plan until it is named.
//
// Invariants: reading alone; nothing of another program's is written. What cannot be read
// is a note beside the list, or a turn with its reason, and never a failure of the list.
// The common paths of our own threads, and hooks, never come here. A crash leaves nothing.
package recorders
