// Package journal is the write-ahead record of rollbacks, undos and redos, and
// their history: one file of JSON lines each, "<id>.jsonl", below the work tree's
// state folder.
//
// Invariants. The line "prepared" is durable before anything in the work tree is
// touched, and holds all that is needed to finish or to unwind: each target's
// state before and after and the ids of the raw bytes of both. Later lines are
// marks; they help, but recovery decides by what is on disk. A file that ends in
// the line "end" is settled and never written again: history is
// append-only.
//
// A crash leaves a file without "end", perhaps with a torn last line, which is
// left out when it is read. Lines of a kind that this version does not know are
// passed over; a whole line that is not JSON makes the file *Damaged, and a settled
// file that lacks a line is so too.
package journal
