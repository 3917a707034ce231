// Package worktree reads what stands at a path of the work tree, by bytes, and
// holds the few operations from which a safe replace is made: write beside,
// exchange, move without replacing, remove an empty folder.
//
// Invariants. Every access goes through a handle on the root and opens each
// parent folder without following links, so no path leads out of the work tree;
// a parent that is not a folder is a *Blocked error. ".git" in any letter case is
// refused. No operation here overwrites or unlinks a file that is not one of
// overturn's own (names that Beside makes): the user's files are only exchanged
// or moved, whole. Folders are removed one by one and only when empty. Sub holds one
// folder, whatever name it gets; Leads tells whether a path still is that folder.
//
// A crash leaves files named ".overturn-<id>-<n>" beside their targets; the
// journal of that id says what each of them is. Where writing is not supported
// (other systems than Linux and macOS) every write is refused, plainly.
package worktree
