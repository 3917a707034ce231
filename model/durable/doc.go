// Package durable holds the few ways in which overturn writes files that must
// survive a crash: a file replaced whole, a line appended, a lock.
//
// Invariants: when a call returns nil, its bytes and the names they are found
// under are on disk. A file is never seen half replaced. A line that a crash tore
// is left out by ReadLines, and the next AppendLine starts behind it on a line of
// its own; nothing before it is lost. A lock is the system's (flock): it ends with
// its holder, however that ended, and its file stays.
//
// A crash leaves at most a temporary file beside the one to be replaced
// (.NAME.tmp-…), which nothing reads.
package durable
