// Package screentest opens the review with the real program, on a real terminal, over
// repositories that the tests make: what a reader sees of files of every kind, and of
// trees as ugly as the machine of gitops/snapshot/treetest makes them.
//
// Invariant: nothing is faked below the terminal. A crash leaves a temporary folder.
package screentest
