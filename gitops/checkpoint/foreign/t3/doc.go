// Package t3 reads the checkpoints that T3 Code left in a repository: threads, their
// boundaries, and, from its database, what they are called and where they worked.
//
// T3 Code keeps one parentless commit a boundary, of the whole repository as `git add`
// would have stored it, in one of two families of refs (names.go). A later one begins
// where the first ended and moved nothing over: a repository may hold both.
//
// Invariants: nothing of T3 Code's is ever written, neither its refs nor its database,
// which is read as a file (room sqlite): a driver would make files beside it. What is
// not as it should be is told, each with its reason, and hides nothing else. Every word
// of a name, an id or a title is somebody else's and not to be trusted.
//
// A ref may be moved or deleted while it is looked at, T3 Code may be running: names are
// read once, objects by their ids. A crash leaves nothing behind.
package t3
