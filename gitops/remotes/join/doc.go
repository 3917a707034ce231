// Package join puts two states of a record (or of the tree of the branch of records)
// together that grew from the same one, file by file. What only one side changed is
// that side's; metadata of both is joined by its fields, lines that both appended
// follow each other; anything else that both changed is a Conflict.
//
// What is compared is what was sent, since that is what the other side knows; what is
// kept of ours is our own, with the words that were taken out of what was sent.
//
// Invariants: nothing of either side is lost without a Conflict; the result depends on
// the four trees alone. It only writes objects, which nothing names yet.
package join
