// Package objects reads and writes git objects in process.
//
// A Store looks, in this order, into what its live Writers hold, into the packs
// and into the loose objects of the repository and its alternates. Packs are found
// through their own .idx files, which are mapped and searched, never loaded whole;
// deltas are applied by go-git. What cannot be read so (an index of version 1, a
// damaged copy) is asked of one long-lived `git cat-file --batch`. go-git's
// repository opener and object storage are not used: they refuse sparse and
// SHA-256 repositories, are not safe for several goroutines, load every index
// whole before the first answer, and hash every byte that they read a second time.
//
// A Writer collects objects and stores them at Flush: one or two as loose
// objects, more as one pack with a .keep file, so that the user's automatic gc
// neither counts nor repacks it. Flush syncs everything in one batch; only after it
// may a ref name the objects. Fold joins such packs when they become many.
//
// Invariants: every object that is returned has the id that was asked for. Nothing
// is ever deleted but our own packs, after Fold stored all that they hold in a new
// one. A crash leaves tmp_obj_* and tmp_pack_* files, which git's own
// gc prunes, or whole objects that no ref names.
package objects
