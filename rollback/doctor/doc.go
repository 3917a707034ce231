// Package doctor looks over all that overturn keeps of one work tree, and over the
// machine that it stands on, and says of each thing whether it is as it should be,
// what was found, and what repairs it.
//
// Invariants: nothing of the user's is written, and nothing of overturn's: no lock is
// taken over, nothing is settled, no ref moves. The one thing written is a folder of
// the doctor's own in the state folder, in which the file system is tried out; it is
// gone when Examine returns. Every check is made whatever the others found, and a
// check that cannot be made says so. No network, and nothing that grows with the
// contents of the work tree.
//
// A crash leaves the folder "doctor-*" in the state folder; the next examination
// removes it.
package doctor
