// Package outgoing makes, of the commits of checkpoint records, those that may
// leave the machine: the same history with every secret taken out (package redact).
// The records here keep their words.
//
// Invariants: the result depends on the commit, on what its remote has already, and on
// the rules alone; a commit in which nothing is found, and in no ancestor, stands for
// itself, so on most days nothing is rewritten. What is out already stands for itself too,
// whatever the rules say today: a record that grew is a fast-forward of what was pushed.
// Every file of a record is redacted, its message too, whether this version knows the file
// or not; one that is neither text nor known is withheld. The contents of shared snapshots
// cannot be rewritten without ceasing to be what the work tree held: they are searched,
// and a record whose snapshots hold a secret does not leave (HeldError).
//
// What was rewritten is remembered in one file, for each set of rules, and for what rests on
// commits of a remote. It may be lost, cut off or deleted: it is worked out again; only what
// went out under other rules is then not known for what it is any more, and is joined. A crash leaves whole objects that no ref names; they go with git's gc.
package outgoing
