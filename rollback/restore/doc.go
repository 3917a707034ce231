// Package restore replaces one target of the work tree, safely: write beside,
// swap in one step, compare what came out, put it back when it is not what was
// expected, keep it when it is.
//
// Invariants. A file is never written in place, and never overwritten: what
// stands at a path leaves it whole, by rename, and is compared with the expected
// state afterwards, so a save that lands at any moment is either seen and put back
// or is a file that nobody touched. Whatever comes out and is neither the expected
// state nor overturn's own content is moved to the kept folder, never removed.
// A new file that has been at its path, and is taken out again, is kept as well: a
// program may have opened it there. A step holds the folder that it works in: who
// moves the folder meanwhile finds it as it was, with nothing of overturn's own in it.
// Where the file system cannot exchange two names, the old file is moved aside and
// the new one moved in without replacing: for a moment nothing stands at the path,
// but no save is lost either.
//
// A crash leaves besides (".overturn-<id>-<n>", n = 2N the new or displaced file of
// step N, n = 2N+1 one moved aside). Settle reads what each is, by its bytes, and
// brings the step to either end; it may be repeated. What lay in a folder that was
// moved since the crash is out of reach: recover names it.
package restore
