// Package entire reads the checkpoints that the Entire CLI left in a repository: one
// record a checkpoint, of one or several sessions of agents, with what was asked, which
// files were touched and the agents' logs; and the commits that carry their ids.
//
// A record lies under a ref of its own, or in a folder of a branch; a clone has only the
// remote's branch (find.go). Its root says little: what is read is the numbered folders,
// one a session, with whatever in them is there. A record has no snapshot of the work
// tree: what a checkpoint changed is told by the commit that carries its id in a trailer
// (carriers.go), else by the list of files in the record. Before a checkpoint is made, the
// states of a session stand on a shadow branch (shadow.go).
//
// Of real records half of the content hashes do not match, folders have gaps, positions
// in lists are not those of folders, and pointers lead nowhere: none of it is an error.
// Invariants: nothing is written, nothing is fetched; every blob is looked at by its size
// first; unknown fields are passed over, absent ones are empty, and what cannot be read
// is a reason beside its checkpoint. A crash leaves nothing behind.
package entire
