// Package refstore is the git-refs backend of checkpoint records: one ref a
// record, whose commit has the record's files as its root tree.
//
// Invariants: the first commit of a record has no parent, every later one has
// exactly the commit that it was made from; the ref moves by compare-and-swap
// only. Entries of the tree that this version does not know are carried over.
// Nothing here uses the network.
//
// A crash leaves unreferenced objects, or the whole write.
package refstore
