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
// A Writer collects objects and stores them at Flush, as one pack with a .keep
// file, so that the user's automatic gc neither counts nor repacks it. Flush syncs
// everything in one batch; only after it may a ref name the objects.
//
// Packs of ours grow in number with every flush. Join makes one of many small ones by
// copying, in a few milliseconds; RollUp makes few of all, with deltas, when nobody
// waits; Retire does so too and parts what nothing of ours needs any more. They write
// the new pack, sync it, and only then remove the old ones. What is retired stays kept
// for two weeks and is git's to judge afterwards: the user's own commits may rest on
// an object that is in no other pack.
//
// Invariants: every object that is returned has the id that was asked for. Nothing
// is ever deleted but our own packs, after all that they hold was stored in a new one,
// and files that our own dead processes left. A crash leaves tmp_pack_overturn-* files
// and the folder rollup of the state folder, which the next Join or RollUp removes,
// objects twice, or whole objects that no ref names.
package objects
