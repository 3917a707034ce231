// Package foreigntest plays other recorders for tests: it writes into a repository what
// T3 Code and the Entire CLI leave there, with git's own plumbing and in the order in
// which they are documented to do it.
//
// T3 Code: a private index seeded from HEAD, `add -A -- .`, write-tree, commit-tree
// without a parent under an identity of its own, update-ref without an expected value.
// Entire: one orphan commit a checkpoint under refs/entire/checkpoints, or paths on the
// branch entire/checkpoints/v1; root and session metadata, prompts, transcripts.
package foreigntest
